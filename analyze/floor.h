/*
 * Spread and floors of a harness: within a block, paired, cross-job, plain spread and coefficient of variation. Takes
 * the campaign's arms; gives logs, percent and degrees of freedom, or the reason why a floor cannot be estimated.
 */
#ifndef ANALYZE_FLOOR_H
#define ANALYZE_FLOOR_H

#include "analyze/campaign.h"

/* A floor that could not be estimated has percent NAN and a reason. */
struct floor_within {
	double s_r, df, percent; /* percent for one run a side */
	int64_t cells, runs;
	char *reason;
};

struct floor_cross {
	double s_R, df, percent; /* percent for one block of one run a side */
	double s_r, s_L, s_L2_raw;
	int64_t blocks, runs;
	double mean_of_blocks; /* mean of the control's block means */
	double inverse_runs;   /* 1 / runs */
	double ms_between, ms_within, n0;
	char *reason;
};

struct floors {
	struct floor_within within;
	struct floor_cross cross;
	double spread_percent;
	int64_t spread_n;
	double cv_percent, cv_lo_percent, cv_hi_percent;
};

void floors_release(struct floors *floors);

/** Both floors that need no setting, and the spread, of a harness. Source: STATISTICS.md section 2 */
void floors_of(const struct campaign *campaign, const struct plan_harness *harness, const char *control,
	       struct floors *ret);

#endif
