/*
 * One series in order of time: autocorrelation, effective sample size, trend, change point. Takes arrays of finite
 * doubles; a field that is undefined (a constant series) is NaN.
 */
#ifndef ANALYZE_STATS_SERIES_H
#define ANALYZE_STATS_SERIES_H

#include <stddef.h>

#include "base/error.h"

#define SERIES_TREND_EXACT_MAX 50

struct series_size {
	double tau;          /* Geyer's initial positive sequence */
	double tau_monotone; /* initial monotone sequence */
	double n_raw;        /* n / tau; NaN for tau <= 1e-12 */
	double n_effective;  /* at most n */
};

struct series_trend {
	double s; /* Mann-Kendall */
	double variance;
	double z;
	double p;
	double p_exact;   /* NaN with ties or n > SERIES_TREND_EXACT_MAX */
	double sen_slope; /* unit of x by step */
};

struct series_change {
	double pettitt_k;
	size_t pettitt_at; /* values in the first segment */
	double pettitt_p;
	double cusum_max; /* of |cumulative deviation| / (sd sqrt n); NaN for a constant series */
	size_t cusum_at;  /* values in the first segment */
};

/**
 * Autocorrelation at lags 0 to max_lag.
 *
 * @param x        x[n], n >= 2
 * @param max_lag  < n
 * @param ret      ret[max_lag + 1]; all NaN for a constant series
 * @return 0; ERROR_DATA for n < 2, max_lag >= n or a non-finite value
 * Source: R acf; vectors/series.json
 */
int series_autocorrelation(const double *x, size_t n, size_t max_lag, double *ret, struct error *err);

/**
 * Effective sample size, capped at n.
 *
 * @param x    x[n], n >= 2
 * @param ret  all NaN for a constant series
 * @return 0; ERROR_DATA for n < 2 or a non-finite value
 * Source: Geyer 1992; vectors/series.json
 */
int series_effective_size(const double *x, size_t n, struct series_size *ret, struct error *err);

/**
 * Mann-Kendall trend with Sen's slope.
 *
 * @param x    x[n], n >= 2
 * @param ret  a constant series has s = 0 and p = 1
 * @return 0; ERROR_DATA for n < 2 or a non-finite value
 * Source: vectors/series.json
 */
int series_trend(const double *x, size_t n, struct series_trend *ret, struct error *err);

/**
 * Pettitt's change point and the largest cumulative deviation.
 *
 * @param x    x[n], n >= 2
 * @param ret  change points
 * @return 0; ERROR_DATA for n < 2 or a non-finite value
 * Source: Pettitt 1979; vectors/series.json
 */
int series_change(const double *x, size_t n, struct series_change *ret, struct error *err);

#endif
