/*
 * Exact Wilcoxon tests and Hodges-Lehmann estimates, ties by the conditional permutation distribution of the midranks.
 * Takes arrays of finite doubles of one unit, at most WILCOXON_N_MAX each.
 */
#ifndef ANALYZE_STATS_WILCOXON_H
#define ANALYZE_STATS_WILCOXON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define WILCOXON_N_MAX 200

struct wilcoxon_test {
	size_t n_used;    /* signed rank: differences that are not 0; rank sum: both samples */
	double statistic; /* V, the rank sum of the positive; or W, Mann and Whitney's U of a */
	double p_less;
	double p_greater;
	double p_two_sided;     /* twice the smaller tail, at most 1: the one to report */
	double p_two_sided_abs; /* rank sum: P(|W - E| at least as large); signed rank: NaN */
};

struct hodges_lehmann {
	double estimate; /* unit of the values, as lo and hi */
	size_t k;        /* order statistic, 1-based */
	double lo;
	double hi;
	double achieved_ratio; /* exact confidence */
	bool level_reached;    /* false for n <= 5 at 0.95: "not reachable" */
};

/**
 * Signed-rank test of symmetry about 0; zeros are dropped.
 *
 * @param d    d[n], differences
 * @param ret  V and its exact p
 * @return 0; ERROR_DATA for no difference other than 0, a non-finite value or too many values
 * Source: vectors/tests_two_sample.json
 */
int wilcoxon_signed_rank(const double *d, size_t n, struct wilcoxon_test *ret, struct error *err);

/**
 * Rank-sum test of two samples.
 *
 * @param a, b  a[n_a], b[n_b], same unit
 * @param ret   W of a and its exact p
 * @return 0; ERROR_DATA for an empty sample, a non-finite value or too many values
 * Source: vectors/tests_two_sample.json
 */
int wilcoxon_rank_sum(const double *a, size_t n_a, const double *b, size_t n_b, struct wilcoxon_test *ret,
		      struct error *err);

/**
 * Median of the Walsh averages with the exact signed-rank interval; zeros are kept.
 *
 * @param d           d[n], differences
 * @param confidence  in (0, 1)
 * @param ret         estimate and interval with the confidence achieved
 * @return 0; ERROR_DATA for n == 0, a non-finite value, too many values or a confidence outside (0, 1)
 * Source: Hodges and Lehmann 1963; vectors/tests_two_sample.json
 */
int wilcoxon_shift_one(const double *d, size_t n, double confidence, struct hodges_lehmann *ret, struct error *err);

/**
 * Median of the differences a_i - b_j with the exact rank-sum interval.
 *
 * @param a, b        a[n_a], b[n_b], same unit
 * @param confidence  in (0, 1)
 * @param ret         estimate and interval with the confidence achieved
 * @return 0; ERROR_DATA for an empty sample, a non-finite value, too many values or a confidence outside (0, 1)
 * Source: Hodges and Lehmann 1963; vectors/tests_two_sample.json
 */
int wilcoxon_shift_two(const double *a, size_t n_a, const double *b, size_t n_b, double confidence,
		       struct hodges_lehmann *ret, struct error *err);

#endif
