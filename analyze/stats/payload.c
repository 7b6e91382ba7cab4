#include "analyze/stats/payload.h"

#include <math.h>

#include "analyze/stats/interval.h"

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
