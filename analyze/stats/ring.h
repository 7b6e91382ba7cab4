/*
 * Ring all-reduce model T(S, N) = 2 (N-1)/N S / B + 2 (N-1) alpha, by weighted least squares on (1/B, alpha). Takes
 * points of one fit; knows nothing of segments or launches.
 */
#ifndef ANALYZE_STATS_RING_H
#define ANALYZE_STATS_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct ring_point {
	double size_bytes; /* > 0 */
	double ranks;      /* >= 2 */
	double time_s;
	double sigma_s; /* > 0 */
};

struct ring {
	double inverse_bandwidth_s_per_byte;
	double bandwidth_bytes_per_s;
	double latency_s;     /* alpha */
	double covariance[3]; /* var 1/B, cov, var alpha, from sigma as given */
	double chi2;
	double df;
	double se_inverse; /* from here scaled by chi2 / df; NaN for df == 0 */
	double se_bandwidth;
	double se_latency;
	double bandwidth[2]; /* interval by inversion; INFINITY where 1/B is not distinguishable from 0 */
	double latency[2];
	double bandwidth_z[2]; /* normal quantile, sigma as given */
	bool at_bound;         /* the fit has alpha < 0: use what follows, alpha at 0 */
	double bounded_inverse;
	double bounded_bandwidth;
	double bounded_chi2;
	double bounded_df;
	double lack_F; /* lack of fit by replicates of the same (S, N); NaN without */
	double lack_df[2];
	double lack_p;
};

/**
 * Fit the model.
 *
 * @param points      points[n], n >= 2, two different sizes per rank
 * @param confidence  in (0, 1)
 * @param ret         fit, intervals, bounded fit, lack of fit
 * @return 0; ERROR_DATA for fewer than two independent points, a value out of range or a confidence outside (0, 1)
 * Source: vectors/ring_model.json
 */
int ring_fit(const struct ring_point *points, size_t n, double confidence, struct ring *ret, struct error *err);

#endif
