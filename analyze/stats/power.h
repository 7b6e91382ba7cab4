/*
 * Power, sample size and minimum detectable effect of two-sided t tests, both tails of the noncentral t counted.
 */
#ifndef ANALYZE_STATS_POWER_H
#define ANALYZE_STATS_POWER_H

#include "base/error.h"

enum power_design {
	POWER_PAIRED,     /* n pairs (or one sample), sd of the differences, n - 1 df */
	POWER_TWO_SAMPLE, /* n an arm, sd of one arm, 2 (n - 1) df */
};

struct power_test {
	enum power_design design;
	double sd;    /* > 0, unit of the effect */
	double alpha; /* two-sided size, in (0, 1) */
};

/**
 * P(T <= t) of the noncentral t.
 *
 * @param t, df, ncp  df > 0 (not necessarily whole)
 * @return the probability; NaN for a non-finite input or df <= 0
 * Source: integral over the chi density; vectors/power.json
 */
double power_noncentral_t_p(double t, double df, double ncp);

/**
 * Power at a true effect.
 *
 * @param test       design, sd, alpha
 * @param n          pairs or values an arm, >= 2, may be fractional
 * @param effect     true difference, unit of sd
 * @param ret_power  both tails (R's strict = TRUE)
 * @param ret_upper  upper tail at |effect| alone; may be NULL
 * @return 0; ERROR_DATA for a non-finite input, n < 2, sd <= 0 or alpha outside (0, 1)
 * Source: R power.t.test; vectors/power.json
 */
int power_at(const struct power_test *test, double n, double effect, double *ret_power, double *ret_upper,
	     struct error *err);

/**
 * Smallest n with the wanted power at a true effect: the blocks that would settle it (paired, power 0.80).
 *
 * @param test        design, sd, alpha
 * @param effect      true difference, not 0, unit of sd
 * @param power       wanted, in (alpha, 1)
 * @param ret_n       smallest whole number >= 2 with at least that power
 * @param ret_n_real  solution in real n, NaN when n = 2 already has the power; may be NULL
 * @return 0; ERROR_DATA for a non-finite input, an effect of 0, sd <= 0, a power outside (alpha, 1) or n above 1e9
 * Source: R power.t.test; vectors/power.json
 */
int power_sample_size(const struct power_test *test, double effect, double power, double *ret_n, double *ret_n_real,
		      struct error *err);

/**
 * Minimum detectable effect: the true difference found with the wanted power at n.
 *
 * @param test        design, sd, alpha
 * @param n           pairs or values an arm, >= 2
 * @param power       wanted, in (alpha, 1)
 * @param ret_effect  > 0, unit of sd
 * @return 0; ERROR_DATA for a non-finite input, n < 2, sd <= 0 or a power outside (alpha, 1)
 * Source: R power.t.test; vectors/power.json
 */
int power_detectable_effect(const struct power_test *test, double n, double power, double *ret_effect,
			    struct error *err);

#endif
