/*
 * A scaling series while it is built, and what its points differ in. Private to scaling.
 */
#ifndef ANALYZE_SCALING_SERIES_H
#define ANALYZE_SCALING_SERIES_H

#include "analyze/regime.h"
#include "analyze/throughput.h"

/* A point while its series is built. */
struct scaling_member {
	const struct plan_harness *harness;
	struct regime regime;
	const char *cluster;              /* of all its runs; NULL when unknown or when they differ */
	const struct campaign_run **runs; /* [n], with a throughput a GPU */
	double *per_gpu;                  /* [n] */
	size_t n;
	bool tried; /* a run started */
};

struct scaling_series {
	const struct campaign *campaign;
	const struct plan_setting *setting;
	struct throughput_unit unit; /* of the reference */
	struct scaling_member *members;
	size_t n, reference;
};

/** The throughputs of member->harness in the unit of the series; member is zeroed but for its harness. */
void scaling_member_read(const struct scaling_series *series, struct scaling_member *member);
void scaling_member_release(struct scaling_member *member);
CLEANUP_VALUE(struct scaling_member, scaling_member_release)

/** The confounds of members[index] against the reference and its missing control into row->points[index]; the open
 * questions into doc. */
void scaling_confound(const struct scaling_series *series, size_t index, struct doc_scaling *row,
		      struct analysis_doc *doc);

#endif
