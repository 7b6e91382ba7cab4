/*
 * Ratio of two means by Fieller's theorem. Takes estimates with (co)variances, or pairs; gives the set of ratios that
 * the data do not contradict, which need not be an interval.
 */
#ifndef ANALYZE_STATS_RATIO_H
#define ANALYZE_STATS_RATIO_H

#include <stddef.h>

#include "base/error.h"

enum ratio_set {
	RATIO_BOUNDED,    /* [lo, hi] */
	RATIO_EXCLUSIVE,  /* everything outside the open interval (lo, hi) */
	RATIO_HALF_LINE,  /* [lo, hi], one of which is infinite */
	RATIO_WHOLE_LINE, /* lo and hi are infinite */
};

struct ratio_input {
	double num; /* estimates */
	double den;
	double var_num;
	double var_den;
	double covariance;
	double df; /* > 0 or INFINITY (normal) */
};

struct ratio {
	double estimate;     /* num / den, NaN for den == 0 */
	double multiplier;   /* t quantile */
	double quadratic[3]; /* the set is quadratic[0] r^2 - 2 quadratic[1] r + quadratic[2] <= 0 */
	double delta_se;     /* delta method, for comparison; NaN for num or den == 0 */
	enum ratio_set set;
	double lo;
	double hi;
};

/** bounded, exclusive, half_line, whole_line. */
const char *ratio_set_name(enum ratio_set set);

/**
 * Set for the ratio of two means (Fieller).
 *
 * @param in          estimates of one unit with variances >= 0 and df > 0
 * @param confidence  in (0, 1)
 * @param ret         dimensionless; bounded only when den is distinguishable from 0
 * @return 0; ERROR_DATA for a non-finite input, a negative variance, df <= 0 or a confidence outside (0, 1)
 * Source: Fieller 1954; vectors/fieller.json
 */
int ratio_fieller(const struct ratio_input *in, double confidence, struct ratio *ret, struct error *err);

/**
 * The same from pairs: mean(num) / mean(den), sample (co)variances, n - 1 df.
 *
 * @param num, den    num[n], den[n], n >= 2, same unit
 * @param confidence  in (0, 1)
 * @param ret         as above
 * @return 0; ERROR_DATA for n < 2, a non-finite value or a confidence outside (0, 1)
 * Source: Fieller 1954; vectors/fieller.json
 */
int ratio_fieller_paired(const double *num, const double *den, size_t n, double confidence, struct ratio *ret,
			 struct error *err);

#endif
