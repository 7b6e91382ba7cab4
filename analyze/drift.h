/*
 * Drift inside blocks, from the sentinels: last minus first of each block, a t test over blocks. Takes the campaign's
 * runs of role sentinel; judges no effect itself.
 */
#ifndef ANALYZE_DRIFT_H
#define ANALYZE_DRIFT_H

#include "analyze/campaign.h"

struct drift {
	int64_t blocks;                    /* with two sentinels or more that have a response */
	double mean_log_change, p, lo, hi; /* of ln time: positive is slower at the end */
	bool flagged;
};

void drift_of(const struct campaign *campaign, const struct plan_harness *harness, struct drift *ret);

/** The largest |log gain| that a flagged drift could make; 0 when none is flagged. */
double drift_limit(const struct drift *drift);

#endif
