/*
 * Control limits and outlying values of one series: individuals (XmR) chart, modified z, Tukey's fences. Takes arrays
 * of finite doubles of one unit; nothing is dropped, membership is for the caller to count.
 */
#ifndef ANALYZE_STATS_CONTROL_H
#define ANALYZE_STATS_CONTROL_H

#include <stddef.h>

#include "base/error.h"

#define CONTROL_MODIFIED_Z_MAX 3.5 /* Iglewicz and Hoaglin's threshold for |z| */

struct control_xmr {
	double centre; /* unit of x, as all fields */
	double mean_moving_range;
	double lo; /* centre -+ 2.66 * mean_moving_range */
	double hi;
	double moving_range_hi; /* 3.267 * mean_moving_range */
};

struct control_fences {
	double q1; /* quartiles of type 7 */
	double q3;
	double inner[2]; /* 1.5 interquartile ranges outside; strictly beyond is out */
	double outer[2]; /* 3 */
};

/**
 * Limits of an individuals chart.
 *
 * @param x    x[n] in order of time, n >= 2
 * @param ret  limits
 * @return 0; ERROR_DATA for n < 2 or a non-finite value
 * Source: Wheeler and Chambers 1992; vectors/control_outliers.json
 */
int control_xmr(const double *x, size_t n, struct control_xmr *ret, struct error *err);

/**
 * Modified z: 0.6745 (x - median) / median |x - median|.
 *
 * @param x    x[n]
 * @param ret  ret[n], input order; all NaN when the median deviation is 0
 * @return 0; ERROR_DATA for n == 0 or a non-finite value
 * Source: Iglewicz and Hoaglin 1993; vectors/control_outliers.json
 */
int control_modified_z(const double *x, size_t n, double *ret, struct error *err);

/**
 * Tukey's fences.
 *
 * @param x    x[n]
 * @param ret  quartiles and fences
 * @return 0; ERROR_DATA for n == 0 or a non-finite value
 * Source: Tukey 1977; vectors/control_outliers.json
 */
int control_fences(const double *x, size_t n, struct control_fences *ret, struct error *err);

#endif
