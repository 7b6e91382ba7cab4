/*
 * Straight lines through points: weighted least squares, through the origin, errors in both variables (Deming, York),
 * and Theil-Sen. Takes arrays of finite doubles; a field that is undefined is NaN.
 */
#ifndef ANALYZE_STATS_LINE_H
#define ANALYZE_STATS_LINE_H

#include <stddef.h>

#include "base/error.h"

struct line {
	double intercept;            /* unit of y */
	double slope;                /* unit of y by unit of x */
	double covariance[3];        /* var intercept, cov, var slope, from sigma as given */
	double covariance_scaled[3]; /* the same times chi2 / df; NaN for df == 0 */
	double chi2;
	double df;
};

struct line_both {
	double intercept;
	double slope;
	double se_intercept; /* Deming: jackknife, NaN for n < 3 */
	double se_slope;
	double se_intercept_scaled; /* York: times sqrt(chi2 / df); else NaN */
	double se_slope_scaled;
	double chi2; /* York; else NaN */
	double df;
};

struct line_theil_sen {
	double slope;
	double intercept;       /* median y - slope * median x */
	double intercept_joint; /* median of y - slope * x */
	double lo;              /* of the slope */
	double hi;
	size_t n_slopes;
	size_t index_lo; /* zero-based, of the sorted slopes */
	size_t index_hi;
};

/**
 * Weighted least squares y = intercept + slope x, weights 1 / sigma^2.
 *
 * @param x, y, sigma  [n] each, n >= 2, sigma > 0 in the unit of y; sigma NULL for 1
 * @param ret          line with both covariances
 * @return 0; ERROR_DATA for n < 2, a constant x, sigma <= 0 or a non-finite value
 * Source: vectors/regression.json, kind wls
 */
int line_weighted(const double *x, const double *y, const double *sigma, size_t n, struct line *ret, struct error *err);

/**
 * Weighted least squares y = slope x.
 *
 * @param x, y, sigma  [n] each, n >= 1, sigma > 0 in the unit of y; sigma NULL for 1
 * @param ret          intercept 0 with covariances 0; NaN where scaled by df == 0
 * @return 0; ERROR_DATA for n == 0, x all 0, sigma <= 0 or a non-finite value
 * Source: vectors/regression.json, kind origin
 */
int line_through_origin(const double *x, const double *y, const double *sigma, size_t n, struct line *ret,
			struct error *err);

/**
 * Deming regression, jackknife errors.
 *
 * @param x, y    [n] each, n >= 2
 * @param lambda  > 0: variance of the errors of y by that of x
 * @param ret     line
 * @return 0; ERROR_DATA for n < 2, no covariance, lambda <= 0 or a non-finite value
 * Source: Deming 1943; vectors/regression.json, kind deming
 */
int line_deming(const double *x, const double *y, size_t n, double lambda, struct line_both *ret, struct error *err);

/**
 * York's regression, independent errors in both variables.
 *
 * @param x, y, weight_x, weight_y  [n] each, n >= 2, weights 1 / variance > 0
 * @param ret                       line with errors as given and scaled
 * @return 0; ERROR_DATA for n < 2, a constant x, a weight <= 0, a non-finite value or no convergence
 * Source: York et al. 2004, Am. J. Phys. 72, 367; vectors/regression.json, kind york
 */
int line_york(const double *x, const double *y, const double *weight_x, const double *weight_y, size_t n,
	      struct line_both *ret, struct error *err);

/**
 * York's regression, errors of x and y of a point correlated.
 *
 * @param correlation  [n] in (-1, 1), of the two errors of each point; NULL for none
 * @return as line_york; ERROR_DATA for a correlation outside (-1, 1)
 * Source: York et al. 2004, Am. J. Phys. 72, 367, equation 13 with r_i
 */
int line_york_correlated(const double *x, const double *y, const double *weight_x, const double *weight_y,
			 const double *correlation, size_t n, struct line_both *ret, struct error *err);

/**
 * Theil-Sen slope with Sen's interval.
 *
 * @param x, y        [n] each, n >= 2
 * @param confidence  in (0, 1)
 * @param ret         slope, intercepts, interval
 * @return 0; ERROR_DATA for n < 2, a constant x, a non-finite value or a confidence outside (0, 1)
 * Source: Sen 1968; vectors/regression.json, kind theil_sen
 */
int line_theil_sen(const double *x, const double *y, size_t n, double confidence, struct line_theil_sen *ret,
		   struct error *err);

#endif
