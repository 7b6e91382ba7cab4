#include "analyze/stats/payload.h"

#include <math.h>
#include <string.h>

#include "analyze/stats/interval.h"
#include "analyze/stats/summary.h"
#include "analyze/stats/two_sample.h"
#include "base/mem.h"

/* A spread of blocks below this is the print's resolution, not a spread. */
#define PAYLOAD_SD_NONE 1e-12

static int check_ratio(double payload_ratio, struct error *err)
{
	if (!(payload_ratio >= 0 && payload_ratio < 1))
		return error_set(err, ERROR_DATA, "payload ratio '%g' is outside [0, 1): the payload was not reduced",
				 payload_ratio);
	return 0;
}

static struct payload point_of(double recovered, double gain_ratio, double payload_ratio)
{
	double f = recovered / (1 - payload_ratio);
	return (struct payload){
		.f_ratio = f,
		.recovered_ratio = recovered,
		.left_ratio = f * payload_ratio * (1 + gain_ratio),
		.in_range = f >= 0 && f <= 1,
	};
}

int payload_point(double gain_ratio, double payload_ratio, struct payload *ret, struct error *err)
{
	int r = check_ratio(payload_ratio, err);
	if (r < 0)
		return r;
	if (!isfinite(gain_ratio) || gain_ratio <= -1)
		return error_set(err, ERROR_DATA, "gain '%g' is not a finite number above -1", gain_ratio);
	*ret = point_of(gain_ratio / (1 + gain_ratio), gain_ratio, payload_ratio);
	return 0;
}

int payload_from_log_ratio(double log_ratio, double se, double df, double payload_ratio, double confidence,
			   struct payload_interval *ret, struct error *err)
{
	int r = check_ratio(payload_ratio, err);
	if (r < 0)
		return r;
	r = interval_check_confidence(confidence, err);
	if (r < 0)
		return r;
	if (!isfinite(log_ratio) || !isfinite(se) || se < 0)
		return error_set(err, ERROR_DATA, "log ratio '%g' with standard error '%g' is impossible", log_ratio,
				 se);
	if (!(df > 0))
		return error_set(err, ERROR_DATA, "degrees of freedom '%g' are not above 0", df);

	double t = interval_t_multiplier(confidence, df);
	double left = 1 - payload_ratio;
	struct payload_interval out = {
		.point = point_of(-expm1(log_ratio), expm1(-log_ratio), payload_ratio),
		.se = exp(log_ratio) * se / left,
		.lo = -expm1(log_ratio + t * se) / left,
		.hi = -expm1(log_ratio - t * se) / left,
	};
	out.lo_delta = out.point.f_ratio - t * out.se;
	out.hi_delta = out.point.f_ratio + t * out.se;
	*ret = out;
	return 0;
}

int payload_from_several(const double *payload_ratio, const double *time_s, const double *sigma_s, size_t n,
			 double confidence, struct payload_fit *ret, struct error *err)
{
	struct payload_fit fit;
	int r = line_weighted(payload_ratio, time_s, sigma_s, n, &fit.line, err);
	if (r < 0)
		return r;
	if (n < 3)
		return error_set(err, ERROR_DATA, "a fit of payload ratios needs three points, not %zu", n);

	const double *v = fit.line.covariance_scaled;
	struct ratio_input in = {
		.num = fit.line.slope,
		.den = fit.line.intercept + fit.line.slope,
		.var_num = v[2],
		.var_den = v[0] + 2 * v[1] + v[2],
		.covariance = v[1] + v[2],
		.df = fit.line.df,
	};
	r = ratio_fieller(&in, confidence, &fit.f, err);
	if (r < 0)
		return r;
	*ret = fit;
	return 0;
}

/* One weight a setting, 1 / s^2 over blocks; equal ones when a setting has no spread. */
static bool setting_sigmas(const double *time_ratio, size_t n_blocks, size_t n_settings, double *ret_sigma)
{
	CLEANUP(mem_free) double *column = mem_new(n_blocks, sizeof(*column));
	bool equal = n_blocks < 2;

	for (size_t j = 0; j < n_settings && !equal; j++) {
		double mean;
		for (size_t b = 0; b < n_blocks; b++)
			column[b] = time_ratio[b * n_settings + j];
		equal = summary_mean_sd(column, n_blocks, &mean, &ret_sigma[j], NULL) < 0 ||
			!(ret_sigma[j] >= PAYLOAD_SD_NONE);
	}
	for (size_t j = 0; equal && j < n_settings; j++)
		ret_sigma[j] = 1;
	return equal;
}

/* Mean time at one ratio in one block. */
static double time_at(const double *payload_ratio, const double *time_ratio, size_t n_settings, double at)
{
	double sum = 0, n = 0;

	for (size_t j = 0; j < n_settings; j++) {
		if (payload_ratio[j] != at)
			continue;
		sum += time_ratio[j];
		n++;
	}
	return sum / n;
}

struct bend {
	double head; /* slope from the control to the mildest ratio */
	double tail; /* slope between the two strongest ratios; NaN for fewer than two */
};

static struct bend bend_of(const double *payload_ratio, const double *time_ratio, size_t n_settings)
{
	double mildest = -INFINITY, strongest = INFINITY, next = INFINITY;

	for (size_t j = 0; j < n_settings; j++) {
		mildest = fmax(mildest, payload_ratio[j]);
		strongest = fmin(strongest, payload_ratio[j]);
	}
	for (size_t j = 0; j < n_settings; j++)
		if (payload_ratio[j] > strongest)
			next = fmin(next, payload_ratio[j]);
	double at_mildest = time_at(payload_ratio, time_ratio, n_settings, mildest);
	struct bend bend = {(1 - at_mildest) / (1 - mildest), (double)NAN};
	if (!isfinite(next))
		return bend;
	double at_strongest = time_at(payload_ratio, time_ratio, n_settings, strongest);
	double at_next = time_at(payload_ratio, time_ratio, n_settings, next);
	bend.tail = (at_next - at_strongest) / (next - strongest);
	return bend;
}

/* t over blocks; false when there is no spread to judge by. */
static bool over_blocks(const double *values, size_t n, double confidence, struct two_sample_t *ret)
{
	double mean, sd;

	return n >= 2 && summary_mean_sd(values, n, &mean, &sd, NULL) == 0 && sd >= PAYLOAD_SD_NONE &&
	       two_sample_from_se(mean, sd / sqrt((double)n), (double)n - 1, confidence, ret, NULL) == 0;
}

int payload_from_blocks(const double *payload_ratio, const double *time_ratio, size_t n_blocks, size_t n_settings,
			double confidence, struct payload_blocks *ret, struct error *err)
{
	int r = interval_check_confidence(confidence, err);
	for (size_t j = 0; r == 0 && j < n_settings; j++)
		r = check_ratio(payload_ratio[j], err);
	if (r < 0)
		return r;
	if (n_blocks < 1 || n_settings < 1)
		return error_set(err, ERROR_DATA, "no block holds a control and a setting with a payload ratio");

	size_t n = n_blocks * n_settings;
	CLEANUP(mem_free) double *x = mem_new(n, sizeof(*x));
	CLEANUP(mem_free) double *y = mem_new(n, sizeof(*y));
	CLEANUP(mem_free) double *sigma = mem_new(n, sizeof(*sigma));
	CLEANUP(mem_free) double *slopes = mem_new(n_blocks, sizeof(*slopes));
	CLEANUP(mem_free) double *hinges = mem_new(n_blocks, sizeof(*hinges));
	CLEANUP(mem_free) double *tails = mem_new(n_blocks, sizeof(*tails));
	struct payload_blocks out = {.df = (double)n_blocks - 1};
	struct line line;
	struct two_sample_t t;

	out.equal_weights = setting_sigmas(time_ratio, n_blocks, n_settings, sigma);
	out.lo = out.hi = out.hinge_lo = out.hinge_hi = out.hinge_p = out.tail_lo = out.tail_hi = (double)NAN;
	for (size_t b = 0; b < n_blocks; b++) {
		size_t first = b * n_settings;
		if (b > 0)
			memcpy(&sigma[first], sigma, n_settings * sizeof(*sigma));
		for (size_t j = 0; j < n_settings; j++) {
			x[first + j] = 1 - payload_ratio[j];
			y[first + j] = 1 - time_ratio[first + j];
		}
		r = line_through_origin(&x[first], &y[first], &sigma[first], n_settings, &line, err);
		if (r < 0)
			return r;
		slopes[b] = line.slope;
		struct bend bend = bend_of(payload_ratio, &time_ratio[first], n_settings);
		hinges[b] = bend.head - bend.tail;
		tails[b] = bend.tail;
		out.hinge += hinges[b] / (double)n_blocks;
		out.tail += tails[b] / (double)n_blocks;
	}
	r = line_through_origin(x, y, sigma, n, &line, err);
	if (r < 0)
		return r;
	out.f_ratio = line.slope;
	if (over_blocks(slopes, n_blocks, confidence, &t)) {
		out.lo = t.lo;
		out.hi = t.hi;
	}
	if (isfinite(out.hinge) && over_blocks(hinges, n_blocks, confidence, &t)) {
		out.hinge_lo = t.lo;
		out.hinge_hi = t.hi;
		out.hinge_p = t.p;
	}
	if (isfinite(out.tail) && over_blocks(tails, n_blocks, confidence, &t)) {
		out.tail_lo = t.lo;
		out.tail_hi = t.hi;
	}
	*ret = out;
	return 0;
}
