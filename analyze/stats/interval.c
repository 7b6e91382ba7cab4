#include "analyze/stats/interval.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#include "analyze/stats/summary.h"
#include "base/mem.h"

double interval_t_quantile(double p, double df)
{
	if (!(p > 0 && p < 1 && df > 0))
		return NAN;
	if (isinf(df))
		return gsl_cdf_ugaussian_Pinv(p);
	return gsl_cdf_tdist_Pinv(p, df);
}

double interval_t_multiplier(double confidence, double df)
{
	return interval_t_quantile((1 + confidence) / 2, df);
}

int interval_check_confidence(double confidence, struct error *err)
{
	if (!(confidence > 0 && confidence < 1))
		return error_set(err, ERROR_DATA, "confidence '%g' is outside (0, 1)", confidence);
	return 0;
}

static int check_sample(const double *x, size_t n, double confidence, struct error *err)
{
	int r = interval_check_confidence(confidence, err);
	if (r < 0)
		return r;
	r = summary_check("x", x, n, err);
	if (r < 0)
		return r;
	if (n < 2)
		return error_set(err, ERROR_DATA, "an interval needs two values, 'x' has %zu", n);
	return 0;
}

int interval_mean(const double *x, size_t n, double confidence, struct interval_mean *ret, struct error *err)
{
	int r = check_sample(x, n, confidence, err);
	if (r < 0)
		return r;

	double sd;
	struct interval_mean m = {.df = (double)(n - 1)};
	r = summary_mean_sd(x, n, &m.mean, &sd, err);
	if (r < 0)
		return r;
	m.se = sd / sqrt((double)n);
	double half = interval_t_multiplier(confidence, m.df) * m.se;
	m.lo = m.mean - half;
	m.hi = m.mean + half;
	*ret = m;
	return 0;
}

int interval_sd(double sd, double df, double confidence, double ret[2], struct error *err)
{
	int r = interval_check_confidence(confidence, err);
	if (r < 0)
		return r;
	if (!isfinite(sd) || sd < 0)
		return error_set(err, ERROR_DATA, "standard deviation '%g' is not a finite number >= 0", sd);
	if (!isfinite(df) || df <= 0)
		return error_set(err, ERROR_DATA, "degrees of freedom '%g' are not a finite number > 0", df);

	double tail = (1 - confidence) / 2;
	ret[0] = sd * sqrt(df / gsl_cdf_chisq_Qinv(tail, df));
	ret[1] = sd * sqrt(df / gsl_cdf_chisq_Pinv(tail, df));
	return 0;
}

/* McKay's end for the chi-square quantile u; shift is 0 for McKay, 2 for Vangel. */
static double cv_end(double cv, double u, double n, double shift)
{
	double radicand = ((u + shift) / n - 1) * cv * cv + u / (n - 1);
	return radicand > 0 ? cv / sqrt(radicand) : INFINITY;
}

int interval_cv(const double *x, size_t n, double confidence, struct interval_cv *ret, struct error *err)
{
	int r = check_sample(x, n, confidence, err);
	if (r < 0)
		return r;

	double mean;
	double sd;
	r = summary_mean_sd(x, n, &mean, &sd, err);
	if (r < 0)
		return r;
	if (mean <= 0)
		return error_set(err, ERROR_DATA, "the interval of a cv needs a positive mean, not '%g'", mean);

	double size = (double)n;
	double tail = (1 - confidence) / 2;
	double u_hi = gsl_cdf_chisq_Qinv(tail, size - 1);
	double u_lo = gsl_cdf_chisq_Pinv(tail, size - 1);
	double cv = sd / mean;
	*ret = (struct interval_cv){
		.cv_ratio = cv,
		.vangel_lo = cv_end(cv, u_hi, size, 2),
		.vangel_hi = cv_end(cv, u_lo, size, 2),
		.mckay_lo = cv_end(cv, u_hi, size, 0),
		.mckay_hi = cv_end(cv, u_lo, size, 0),
	};
	return 0;
}

int interval_binomial(size_t successes, size_t n, double confidence, double ret[2], struct error *err)
{
	int r = interval_check_confidence(confidence, err);
	if (r < 0)
		return r;
	if (n == 0 || successes > n)
		return error_set(err, ERROR_DATA, "%zu successes of %zu are no proportion", successes, n);

	double tail = (1 - confidence) / 2;
	double hits = (double)successes;
	double misses = (double)(n - successes);
	ret[0] = successes == 0 ? 0 : gsl_cdf_beta_Pinv(tail, hits, misses + 1);
	ret[1] = successes == n ? 1 : gsl_cdf_beta_Qinv(tail, hits + 1, misses);
	return 0;
}

double interval_percent_of_log(double log_gain)
{
	return 100 * expm1(log_gain);
}

int interval_gain(const double *control, const double *treated, size_t n, double confidence, struct interval_gain *ret,
		  struct error *err)
{
	int r = summary_check("control", control, n, err);
	if (r < 0)
		return r;
	r = summary_check("treated", treated, n, err);
	if (r < 0)
		return r;

	CLEANUP(mem_free) double *d = mem_new(n, sizeof(*d));
	for (size_t i = 0; i < n; i++) {
		if (control[i] <= 0 || treated[i] <= 0)
			return error_set(err, ERROR_DATA, "pair %zu holds a time that is not positive", i);
		d[i] = log(treated[i] / control[i]);
	}
	struct interval_mean m;
	r = interval_mean(d, n, confidence, &m, err);
	if (r < 0)
		return r;
	*ret = (struct interval_gain){
		.mean_log_ratio = m.mean,
		.se = m.se,
		.df = m.df,
		.lo = m.lo,
		.hi = m.hi,
		.gain_percent = interval_percent_of_log(-m.mean),
		.gain_lo_percent = interval_percent_of_log(-m.hi),
		.gain_hi_percent = interval_percent_of_log(-m.lo),
	};
	return 0;
}
