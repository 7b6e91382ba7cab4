/*
 * The response of a run: y = ln(time per unit of work). Takes one run with its tables loaded and the harness that ran
 * it; gives y or the reason why there is none. It knows nothing of other runs.
 */
#ifndef ANALYZE_RESPONSE_H
#define ANALYZE_RESPONSE_H

#include "assay/record.h"

/* Fewer kept iterations than this are no steady state. */
#define RESPONSE_STEADY_MIN 3

struct response {
	double y;       /* ln(s per unit), NAN: see y_reason */
	char *y_reason; /* NULL when y is there */
	int64_t units, discarded;
	char *unit;      /* what y inverts: "s" or the printed throughput's unit */
	char *statistic; /* of the rows read */
	bool throughput; /* read from a printed throughput */
	bool unsteady;   /* an ok run with too few kept iterations */
};

void response_release(struct response *response);

/** Fill the response of a run; a lost run has its status as the reason. Source: STATISTICS.md section 1 */
void response_of(const struct plan_harness *harness, const struct run_record *run, struct response *ret);

/** Two statistics are never pooled: y gives way to a reason when the harness's runs before it have another one. */
void response_keep_to_statistic(struct response *response, const char *statistic);

#endif
