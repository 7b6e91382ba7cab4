/*
 * Comparison of two samples: Welch, paired t, equivalence (two one-sided tests), McNemar. Takes arrays of finite
 * doubles of one unit; the difference is a - b. A comparison without a standard error is refused.
 */
#ifndef ANALYZE_STATS_TWO_SAMPLE_H
#define ANALYZE_STATS_TWO_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct two_sample_t {
	double diff; /* mean(a) - mean(b), unit of the samples, as se, lo and hi */
	double se;
	double df;
	double t;
	double p; /* two-sided */
	double lo;
	double hi;
};

struct two_sample_tost {
	double diff;
	double se;
	double df;
	double p_lower; /* of H0: diff <= -margin */
	double p_upper; /* of H0: diff >= margin */
	double p;       /* the larger */
	double lo;      /* interval at 1 - 2 alpha */
	double hi;
	bool equivalent; /* p <= alpha */
};

/**
 * Welch's t test and interval of mean(a) - mean(b).
 *
 * @param a, b        a[n_a], b[n_b], n >= 2 each, same unit
 * @param confidence  in (0, 1)
 * @param ret         difference with its test and interval
 * @return 0; ERROR_DATA for n < 2, a non-finite value, a confidence outside (0, 1) or a standard error of 0
 * Source: Welch 1947; vectors/tests_two_sample.json
 */
int two_sample_welch(const double *a, size_t n_a, const double *b, size_t n_b, double confidence,
		     struct two_sample_t *ret, struct error *err);

/**
 * Paired t test and interval of mean(a - b).
 *
 * @param a, b        a[n], b[n], n >= 2, same unit
 * @param confidence  in (0, 1)
 * @param ret         difference with its test and interval
 * @return 0; ERROR_DATA for n < 2, a non-finite value, a confidence outside (0, 1) or a standard error of 0
 * Source: vectors/tests_two_sample.json
 */
int two_sample_paired(const double *a, const double *b, size_t n, double confidence, struct two_sample_t *ret,
		      struct error *err);

/**
 * t test and interval of an estimate whose standard error and df are known (cross-job and single-pair comparisons).
 *
 * @param diff, se, df  same unit, se > 0, df > 0 or INFINITY (normal)
 * @param confidence    in (0, 1)
 * @param ret           the inputs with t, p, lo, hi
 * @return 0; ERROR_DATA for a non-finite or non-positive input or a confidence outside (0, 1)
 * Source: vectors/tests_two_sample.json
 */
int two_sample_from_se(double diff, double se, double df, double confidence, struct two_sample_t *ret,
		       struct error *err);

/**
 * Two one-sided tests of |difference| < margin on the result of one of the functions above.
 *
 * @param test    diff, se and df are read
 * @param margin  > 0, unit of diff
 * @param alpha   in (0, 0.5): the size of each test
 * @param ret     the interval is at 1 - 2 alpha
 * @return 0; ERROR_DATA for a non-finite input, margin <= 0 or alpha outside (0, 0.5)
 * Source: Schuirmann 1987; vectors/tests_two_sample.json
 */
int two_sample_tost(const struct two_sample_t *test, double margin, double alpha, struct two_sample_tost *ret,
		    struct error *err);

/**
 * Exact McNemar test: two-sided binomial(1/2) on the discordant pairs.
 *
 * @param b, c   pairs where only the first, only the second finished
 * @return p; NaN when b + c == 0
 * Source: R binom.test(b, b + c)
 */
double two_sample_mcnemar_p(size_t b, size_t c);

#endif
