/*
 * Communication fraction of a step from a payload intervention: the payload scaled by a ratio r < 1 gives a throughput
 * gain. Shares of the step, never clipped: outside [0, 1] the model is violated.
 */
#ifndef ANALYZE_STATS_PAYLOAD_H
#define ANALYZE_STATS_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/stats/line.h"
#include "analyze/stats/ratio.h"
#include "base/error.h"

struct payload {
	double f_ratio;         /* communication fraction of the step */
	double recovered_ratio; /* share of the step saved */
	double left_ratio;      /* communication left, share of the new step */
	bool in_range;          /* 0 <= f <= 1 */
};

struct payload_interval {
	struct payload point;
	double se; /* of f, delta method */
	double lo; /* of f, transformed from the interval of the log ratio */
	double hi;
	double lo_delta; /* of f, delta method */
	double hi_delta;
};

struct payload_fit {
	struct line line; /* time on payload ratio: intercept what is left at r = 0, slope what the payload costs */
	struct ratio f;   /* slope / (intercept + slope), Fieller, scaled covariance */
};

struct payload_blocks {
	double f_ratio; /* weighted least squares through the control's point, which has no spread of its own */
	double df;      /* blocks - 1 */
	double lo, hi;  /* t interval over the blocks' own slopes; NaN for one block, or blocks that do not differ */
	bool equal_weights; /* a setting does not differ over blocks: no spread to weigh by */
	double hinge;       /* slope at the mildest ratio less that at the strongest; NaN for fewer than two ratios */
	double hinge_lo, hinge_hi, hinge_p;
	double tail, tail_lo, tail_hi; /* slope between the two strongest ratios: below 0, time rises as bytes fall */
};

/**
 * Communication fraction from several payload ratios with a control in each block. Times are relative to the block's
 * control, so the line is held at (1, 1); the settings of a block share its control, so the interval is over blocks,
 * not over points. A hinge above 0: the saving stops short below the mildest ratio, which holds only where the tail is
 * not below 0; a hinge below 0: time is not linear in bytes.
 *
 * @param payload_ratio       [n_settings], in [0, 1)
 * @param time_ratio          [n_blocks][n_settings], row-major, time of the setting by that of the block's control
 * @param n_blocks            >= 1
 * @param n_settings          >= 1
 * @param confidence          in (0, 1)
 * @return 0; ERROR_DATA for a ratio outside [0, 1), a non-finite time or a confidence outside (0, 1)
 * Source: line through a known point: Draper and Smith 1998, section 1.6; t over blocks
 */
int payload_from_blocks(const double *payload_ratio, const double *time_ratio, size_t n_blocks, size_t n_settings,
			double confidence, struct payload_blocks *ret, struct error *err);

/**
 * Communication fraction from several payload ratios: weighted least squares of time on r.
 *
 * @param payload_ratio, time_s, sigma_s  [n] each, n >= 3, r >= 0, sigma > 0
 * @param confidence                      in (0, 1)
 * @param ret                             line and Fieller set
 * @return 0; ERROR_DATA for n < 3, one ratio only, a non-finite input or a confidence outside (0, 1)
 * Source: vectors/comm_fraction.json, kind multi_r
 */
int payload_from_several(const double *payload_ratio, const double *time_s, const double *sigma_s, size_t n,
			 double confidence, struct payload_fit *ret, struct error *err);

/**
 * Communication fraction from one gain.
 *
 * @param gain_ratio     throughput gain as a fraction, > -1 (0.145 for 14.5 %)
 * @param payload_ratio  r in [0, 1)
 * @param ret            shares
 * @return 0; ERROR_DATA for a non-finite input, a gain <= -1 or r outside [0, 1)
 * Source: vectors/comm_fraction.json
 */
int payload_point(double gain_ratio, double payload_ratio, struct payload *ret, struct error *err);

/**
 * Communication fraction with intervals from a log ratio of times.
 *
 * @param log_ratio, se, df  ln(T' / T) with its standard error >= 0 and df > 0 (INFINITY: normal)
 * @param payload_ratio      r in [0, 1)
 * @param confidence         in (0, 1)
 * @param ret                shares with intervals of f
 * @return 0; ERROR_DATA for a non-finite input, se < 0, df <= 0, r outside [0, 1) or a confidence outside (0, 1)
 * Source: vectors/comm_fraction.json
 */
int payload_from_log_ratio(double log_ratio, double se, double df, double payload_ratio, double confidence,
			   struct payload_interval *ret, struct error *err);

#endif
