/*
 * The campaign in memory: its runs with their response and observed identity, its notes, and the arms they form. Takes
 * the plan and the log; knows no statistic beyond a mean.
 */
#ifndef ANALYZE_CAMPAIGN_H
#define ANALYZE_CAMPAIGN_H

#include "analyze/loss_series.h"
#include "analyze/response.h"
#include "analyze/traces.h"
#include "assay/record.h"

/* Ordered from best to worst: the worst run of a setting is the maximum. */
enum network_status { NETWORK_AS_EXPECTED, NETWORK_UNVERIFIED, NETWORK_MIXED, NETWORK_DIFFERENT };

struct campaign_run {
	struct run_record *record; /* table values dropped */
	struct response response;
	struct loss_series loss; /* of runs that a planned loss pair names; else empty */
	struct trace trace;      /* of the first TRACES_MAX slices that have one; else empty */
	const struct plan_harness *harness;
	const struct plan_setting *setting; /* NULL when the plan has no such setting */
	enum network_status network;
	char *observed;  /* the declared name, or the name it was given for what it ran */
	bool superseded; /* an external loss that a later attempt at the same position replaced */
};

struct campaign {
	const struct plan *plan;
	struct campaign_run *runs;
	size_t n_runs, runs_capacity;
	int64_t n_traces, traces_left_out;
	struct note_record *notes;
	size_t n_notes, notes_capacity;
	struct campaign_input *inputs;
	size_t n_inputs;
};

int campaign_load(const char *directory, const struct plan *plan, struct campaign **ret_campaign, struct error *err);
void campaign_free(struct campaign *campaign);
CLEANUP_POINTER(struct campaign, campaign_free)

/** A heap string, printf style. */
char *campaign_format(const char *format, ...) __attribute__((format(printf, 1, 2), nonnull(1)));

static inline bool campaign_contradicted(const struct campaign_run *run)
{
	return run->network >= NETWORK_MIXED;
}

/* Which runs make an arm; NULL matches anything. */
struct arm_filter {
	const char *setting;
	const char *observed;
	const char *plugin_version;
};

/* The runs of one setting inside one block. */
struct arm {
	const struct campaign_run **runs;
	size_t n;
	double *y; /* of those that have one */
	size_t n_y;
	double mean_y;
	bool started, completed, external;
	bool unverified;
	const struct campaign_run *contradictor; /* a run that contradicts its expect, or NULL */
	const struct campaign_run *lost;         /* the first run that was lost, or NULL */
};

void arm_collect(const struct campaign *campaign, const struct plan_harness *harness, const char *block,
		 const struct arm_filter *filter, struct arm *ret);
void arm_release(struct arm *arm);
CLEANUP_VALUE(struct arm, arm_release)

/** Blocks of a harness in order of appearance; the strings belong to the campaign. Caller frees the array. */
const char **campaign_blocks(const struct campaign *campaign, const struct plan_harness *harness, size_t *ret_n);

/** Whether a setting is the plan's reference, compared with nothing. */
bool campaign_is_reference(const struct campaign *campaign, const struct plan_setting *setting);

#endif
