#include "analyze/stats/ratio.h"

#include <math.h>

#include "analyze/stats/interval.h"
#include "analyze/stats/summary.h"

const char *ratio_set_name(enum ratio_set set)
{
	static const char *const names[] = {
		[RATIO_BOUNDED] = "bounded",
		[RATIO_EXCLUSIVE] = "exclusive",
		[RATIO_HALF_LINE] = "half_line",
		[RATIO_WHOLE_LINE] = "whole_line",
	};
	return names[set];
}

/* The two roots, without cancellation. */
static void set_roots(const double q[3], double disc, struct ratio *ret)
{
	double root = sqrt(fmax(0, disc));
	double larger = q[1] >= 0 ? q[1] + root : q[1] - root;
	double first = larger / q[0];
	double second = larger != 0 ? q[2] / larger : first;
	ret->lo = fmin(first, second);
	ret->hi = fmax(first, second);
}

static void solve(struct ratio *ret)
{
	const double *q = ret->quadratic;
	double disc = q[1] * q[1] - q[0] * q[2];
	ret->set = RATIO_WHOLE_LINE;
	ret->lo = -INFINITY;
	ret->hi = INFINITY;
	if (q[0] > 0) {
		ret->set = RATIO_BOUNDED;
		set_roots(q, disc, ret);
	} else if (q[0] < 0 && disc > 0) {
		ret->set = RATIO_EXCLUSIVE;
		set_roots(q, disc, ret);
	} else if (q[0] == 0 && q[1] != 0) {
		ret->set = RATIO_HALF_LINE;
		if (q[1] > 0)
			ret->lo = q[2] / (2 * q[1]);
		else
			ret->hi = q[2] / (2 * q[1]);
	}
}

int ratio_fieller(const struct ratio_input *in, double confidence, struct ratio *ret, struct error *err)
{
	int r = interval_check_confidence(confidence, err);
	if (r < 0)
		return r;
	if (!isfinite(in->num) || !isfinite(in->den))
		return error_set(err, ERROR_DATA, "the ratio '%g' / '%g' is not of finite numbers", in->num, in->den);
	if (!isfinite(in->var_num) || !isfinite(in->var_den) || !isfinite(in->covariance) || in->var_num < 0 ||
	    in->var_den < 0)
		return error_set(err, ERROR_DATA, "variances '%g' and '%g' with covariance '%g' are impossible",
				 in->var_num, in->var_den, in->covariance);
	if (!(in->df > 0))
		return error_set(err, ERROR_DATA, "degrees of freedom '%g' are not above 0", in->df);

	double a = in->num;
	double b = in->den;
	double t = interval_t_multiplier(confidence, in->df);
	struct ratio out = {.estimate = b != 0 ? a / b : NAN, .multiplier = t, .delta_se = NAN};
	out.quadratic[0] = b * b - t * t * in->var_den;
	out.quadratic[1] = a * b - t * t * in->covariance;
	out.quadratic[2] = a * a - t * t * in->var_num;
	if (a != 0 && b != 0)
		out.delta_se = fabs(a / b) *
			       sqrt(in->var_num / (a * a) + in->var_den / (b * b) - 2 * in->covariance / (a * b));
	solve(&out);
	*ret = out;
	return 0;
}

int ratio_fieller_paired(const double *num, const double *den, size_t n, double confidence, struct ratio *ret,
			 struct error *err)
{
	int r = summary_check("numerator", num, n, err);
	if (r < 0)
		return r;
	r = summary_check("denominator", den, n, err);
	if (r < 0)
		return r;
	if (n < 2)
		return error_set(err, ERROR_DATA, "a ratio of means needs two pairs, not %zu", n);

	double mean_num;
	double mean_den;
	double ss_num;
	double ss_den;
	summary_shifted(num, n, num[0], &mean_num, &ss_num);
	summary_shifted(den, n, den[0], &mean_den, &ss_den);
	double cross = 0;
	for (size_t i = 0; i < n; i++)
		cross += (num[i] - num[0] - mean_num) * (den[i] - den[0] - mean_den);

	double size = (double)n;
	double scale = 1 / (size * (size - 1));
	struct ratio_input in = {
		.num = num[0] + mean_num,
		.den = den[0] + mean_den,
		.var_num = ss_num * scale,
		.var_den = ss_den * scale,
		.covariance = cross * scale,
		.df = size - 1,
	};
	return ratio_fieller(&in, confidence, ret, err);
}
