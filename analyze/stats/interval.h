/*
 * Confidence intervals of one quantity: a mean, an SD, a coefficient of variation, a proportion, a ratio of paired
 * times. Takes arrays of finite doubles and a confidence in (0, 1); an unbounded end is INFINITY.
 */
#ifndef ANALYZE_STATS_INTERVAL_H
#define ANALYZE_STATS_INTERVAL_H

#include <stddef.h>

#include "base/error.h"

struct interval_mean {
	double mean; /* unit of x, as se, lo and hi */
	double se;
	double df;
	double lo;
	double hi;
};

struct interval_cv {
	double cv_ratio;
	double vangel_lo; /* modified McKay (Vangel 1996): the one to report */
	double vangel_hi;
	double mckay_lo;
	double mckay_hi;
};

struct interval_gain {
	double mean_log_ratio; /* mean of ln(treated / control) of times */
	double se;
	double df;
	double lo; /* of the log ratio */
	double hi;
	double gain_percent; /* 100 (exp(-mean_log_ratio) - 1): throughput, positive is faster */
	double gain_lo_percent;
	double gain_hi_percent;
};

/** Lower-p quantile of Student's t; df may be INFINITY (normal). NaN for p outside (0, 1) or df <= 0. */
double interval_t_quantile(double p, double df);

/** Two-sided multiplier: the (1 + confidence) / 2 quantile of t with df. */
double interval_t_multiplier(double confidence, double df);

/** 0, or ERROR_DATA for a confidence outside (0, 1). */
int interval_check_confidence(double confidence, struct error *err);

/**
 * t interval of a mean.
 *
 * @param x           x[n], n >= 2, one unit
 * @param confidence  in (0, 1)
 * @param ret         mean, se, df, lo, hi
 * @return 0; ERROR_DATA for n < 2, a non-finite value or a confidence outside (0, 1)
 * Source: vectors/intervals.json
 */
int interval_mean(const double *x, size_t n, double confidence, struct interval_mean *ret, struct error *err);

/**
 * Chi-square interval of an SD.
 *
 * @param sd          >= 0, any unit
 * @param df          > 0
 * @param confidence  in (0, 1)
 * @param ret         lo, hi, unit of sd
 * @return 0; ERROR_DATA for a non-finite input, sd < 0, df <= 0 or a confidence outside (0, 1)
 * Source: vectors/intervals.json
 */
int interval_sd(double sd, double df, double confidence, double ret[2], struct error *err);

/**
 * Intervals of a coefficient of variation: McKay's and Vangel's modification of it. A radicand <= 0 gives an upper end
 * of INFINITY.
 *
 * @param x           x[n], n >= 2, mean > 0
 * @param confidence  in (0, 1)
 * @param ret         ratios, not percent
 * @return 0; ERROR_DATA for n < 2, a mean <= 0, a non-finite value or a confidence outside (0, 1)
 * Source: McKay 1932, Vangel 1996; vectors/intervals.json
 */
int interval_cv(const double *x, size_t n, double confidence, struct interval_cv *ret, struct error *err);

/**
 * Exact (Clopper-Pearson) interval of a proportion.
 *
 * @param successes, n  successes <= n, n >= 1
 * @param confidence    in (0, 1)
 * @param ret           lo, hi, ratios in [0, 1]
 * @return 0; ERROR_DATA for n == 0, successes > n or a confidence outside (0, 1)
 * Source: Clopper and Pearson 1934; R binom.test
 */
int interval_binomial(size_t successes, size_t n, double confidence, double ret[2], struct error *err);

/**
 * Paired times to percent gain: t interval on ln(treated / control), its ends turned to gains from the opposite ends.
 *
 * @param control, treated  control[n], treated[n], times > 0, same unit, n >= 2
 * @param confidence        in (0, 1)
 * @param ret               log ratio and gain
 * @return 0; ERROR_DATA for n < 2, a time <= 0, a non-finite value or a confidence outside (0, 1)
 * Source: vectors/intervals.json
 */
int interval_gain(const double *control, const double *treated, size_t n, double confidence, struct interval_gain *ret,
		  struct error *err);

/** 100 (exp(log_gain) - 1): a gain, a floor or a limit on the log scale as percent. */
double interval_percent_of_log(double log_gain);

#endif
