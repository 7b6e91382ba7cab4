#include "analyze/stats/two_sample.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#include "analyze/stats/interval.h"
#include "analyze/stats/summary.h"
#include "base/mem.h"

static double t_upper(double t, double df)
{
	return isinf(df) ? gsl_cdf_ugaussian_Q(t) : gsl_cdf_tdist_Q(t, df);
}

int two_sample_from_se(double diff, double se, double df, double confidence, struct two_sample_t *ret,
		       struct error *err)
{
	int r = interval_check_confidence(confidence, err);
	if (r < 0)
		return r;
	if (!isfinite(diff))
		return error_set(err, ERROR_DATA, "difference '%g' is not finite", diff);
	if (!isfinite(se) || se <= 0)
		return error_set(err, ERROR_DATA, "standard error '%g' is not a finite number > 0", se);
	if (!(df > 0))
		return error_set(err, ERROR_DATA, "degrees of freedom '%g' are not above 0", df);

	double t = diff / se;
	double half = interval_t_multiplier(confidence, df) * se;
	*ret = (struct two_sample_t){
		.diff = diff,
		.se = se,
		.df = df,
		.t = t,
		.p = fmin(1, 2 * t_upper(fabs(t), df)),
		.lo = diff - half,
		.hi = diff + half,
	};
	return 0;
}

static int check_size(const char *what, const double *x, size_t n, struct error *err)
{
	int r = summary_check(what, x, n, err);
	if (r < 0)
		return r;
	if (n < 2)
		return error_set(err, ERROR_DATA, "a t test needs two values, '%s' has %zu", what, n);
	return 0;
}

int two_sample_welch(const double *a, size_t n_a, const double *b, size_t n_b, double confidence,
		     struct two_sample_t *ret, struct error *err)
{
	int r = check_size("a", a, n_a, err);
	if (r < 0)
		return r;
	r = check_size("b", b, n_b, err);
	if (r < 0)
		return r;

	/* One origin for both, so that the difference survives an offset of 1e9. */
	double mean_a;
	double mean_b;
	double ss_a;
	double ss_b;
	summary_shifted(a, n_a, a[0], &mean_a, &ss_a);
	summary_shifted(b, n_b, a[0], &mean_b, &ss_b);

	double df_a = (double)(n_a - 1);
	double df_b = (double)(n_b - 1);
	double var_a = ss_a / df_a / (double)n_a;
	double var_b = ss_b / df_b / (double)n_b;
	double var = var_a + var_b;
	if (!(var > 0))
		return error_set(err, ERROR_DATA, "both samples are constant: no standard error");

	double share_a = var_a / var;
	double share_b = var_b / var;
	double df = 1 / (share_a * share_a / df_a + share_b * share_b / df_b);
	return two_sample_from_se(mean_a - mean_b, sqrt(var), df, confidence, ret, err);
}

int two_sample_paired(const double *a, const double *b, size_t n, double confidence, struct two_sample_t *ret,
		      struct error *err)
{
	int r = check_size("a", a, n, err);
	if (r < 0)
		return r;
	r = check_size("b", b, n, err);
	if (r < 0)
		return r;

	CLEANUP(mem_free) double *d = mem_new(n, sizeof(*d));
	for (size_t i = 0; i < n; i++)
		d[i] = a[i] - b[i];
	double mean;
	double sd;
	r = summary_mean_sd(d, n, &mean, &sd, err);
	if (r < 0)
		return r;
	if (!(sd > 0))
		return error_set(err, ERROR_DATA, "all differences are equal: no standard error");
	return two_sample_from_se(mean, sd / sqrt((double)n), (double)(n - 1), confidence, ret, err);
}

int two_sample_tost(const struct two_sample_t *test, double margin, double alpha, struct two_sample_tost *ret,
		    struct error *err)
{
	if (!isfinite(margin) || margin <= 0)
		return error_set(err, ERROR_DATA, "margin '%g' is not a finite number > 0", margin);
	if (!(alpha > 0 && alpha < 0.5))
		return error_set(err, ERROR_DATA, "alpha '%g' is outside (0, 0.5)", alpha);

	struct two_sample_t narrow;
	int r = two_sample_from_se(test->diff, test->se, test->df, 1 - 2 * alpha, &narrow, err);
	if (r < 0)
		return r;
	double p_lower = t_upper((test->diff + margin) / test->se, test->df);
	double p_upper = t_upper((margin - test->diff) / test->se, test->df);
	double p = fmax(p_lower, p_upper);
	*ret = (struct two_sample_tost){
		.diff = test->diff,
		.se = test->se,
		.df = test->df,
		.p_lower = p_lower,
		.p_upper = p_upper,
		.p = p,
		.lo = narrow.lo,
		.hi = narrow.hi,
		.equivalent = p <= alpha,
	};
	return 0;
}

double two_sample_mcnemar_p(size_t b, size_t c)
{
	if (b + c == 0)
		return NAN;
	size_t fewer = b < c ? b : c;
	return fmin(1, 2 * gsl_cdf_binomial_P((unsigned)fewer, 0.5, (unsigned)(b + c)));
}
