/*
 * Description of one sample: centre, spread, quantiles. Takes arrays of finite doubles in one unit, gives numbers in
 * that unit or ratios; knows nothing of campaigns. A field that is undefined is NaN.
 */
#ifndef ANALYZE_STATS_SUMMARY_H
#define ANALYZE_STATS_SUMMARY_H

#include <stddef.h>

#include "base/error.h"

struct summary {
	size_t n;
	double mean;
	double sd;       /* n - 1; NaN for n == 1 */
	double cv_ratio; /* sd / |mean|; NaN for n == 1 or a mean of 0 */
	double median;
	double mad;     /* 1.4826 * mad_raw */
	double mad_raw; /* median |x - median| */
	double min;
	double max;
	double range;
	double range_over_mean_ratio;   /* the plain spread by the mean; NaN for a mean of 0 */
	double range_over_median_ratio; /* the plain spread that people quote; NaN for a median of 0 */
	double geometric_mean;          /* NaN unless all values are > 0 */
	double lag1_autocorrelation;    /* in the order given; NaN for a constant sample or n == 1 */
};

enum summary_quantile {
	SUMMARY_QUANTILE_7 = 7, /* R's default: h = (n - 1) p + 1 */
	SUMMARY_QUANTILE_8 = 8, /* median unbiased: h = (n + 1/3) p + 1/3 */
};

/**
 * Describe a sample.
 *
 * @param x    x[n], one unit; the order matters to the autocorrelation alone
 * @param ret  see the fields
 * @return 0; ERROR_DATA for n == 0 or a non-finite value, named by its zero-based index
 * Source: vectors/summary.json
 */
int summary_of(const double *x, size_t n, struct summary *ret, struct error *err);

/**
 * Mean and SD alone: two passes, the first value subtracted before any sum.
 *
 * @param x         x[n], one unit
 * @param ret_mean  unit of x
 * @param ret_sd    unit of x; NaN for n == 1
 * @return 0; ERROR_DATA for n == 0 or a non-finite value
 * Source: vectors/summary.json
 */
int summary_mean_sd(const double *x, size_t n, double *ret_mean, double *ret_sd, struct error *err);

/**
 * Mean and sum of squared deviations of x - origin, for routines that subtract one common value from several samples.
 *
 * @param x         x[n], finite, n >= 1
 * @param origin    the common value
 * @param ret_mean  mean of x - origin
 * @param ret_ss    sum of squared deviations from the mean
 */
void summary_shifted(const double *x, size_t n, double origin, double *ret_mean, double *ret_ss);

/**
 * Median of a sample in any order.
 *
 * @param x           x[n], one unit
 * @param ret_median  unit of x
 * @return 0; ERROR_DATA for n == 0 or a non-finite value
 * Source: vectors/summary.json
 */
int summary_median(const double *x, size_t n, double *ret_median, struct error *err);

/**
 * One quantile of a sample in any order, by linear interpolation between order statistics.
 *
 * @param x            x[n], one unit
 * @param probability  in [0, 1]
 * @param type         which of Hyndman and Fan's definitions
 * @param ret          unit of x
 * @return 0; ERROR_DATA for n == 0, a non-finite value or a probability outside [0, 1]
 * Source: Hyndman and Fan 1996; vectors/summary.json
 */
int summary_quantile(const double *x, size_t n, double probability, enum summary_quantile type, double *ret,
		     struct error *err);

/** 0, or ERROR_DATA naming the first non-finite value of x[n] as "'<what>'[index]"; also for n == 0. */
int summary_check(const char *what, const double *x, size_t n, struct error *err);

/** A sorted copy of x[n], ascending, finite; the caller frees it. */
double *summary_sorted(const double *x, size_t n);

/** Median of sorted[n], ascending, n >= 1. */
double summary_median_sorted(const double *sorted, size_t n);

#endif
