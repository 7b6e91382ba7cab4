#include "analyze/stats/power.h"

#include <math.h>
#include <stddef.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_gamma.h>

#define INTERVALS 1000
#define TAIL_EXPONENT 40.0 /* what lies outside the range of integration weighs less than 2 exp(-40) */
#define N_MAX 1e9

struct tail {
	double t;
	double df;
	double ncp;
	double scale;
};

/* P(Z > t s - ncp) times the density of s = chi / sqrt(df), at s = 1 + d so that large df lose no digits. */
static double tail_integrand(double d, void *data)
{
	const struct tail *tail = data;
	double s = 1 + d;
	if (s <= 0)
		return 0;
	double exponent = -tail->df / 2 * d * (2 + d) + (tail->df - 1) * log1p(d);
	return tail->scale * exp(exponent) * gsl_cdf_ugaussian_Q(tail->t * s - tail->ncp);
}

static double integrate(struct tail *tail, double from, double to, gsl_integration_workspace *work)
{
	if (!(to > from))
		return 0;
	gsl_function f = {.function = tail_integrand, .params = tail};
	double value = NAN;
	double error;
	int status =
		gsl_integration_qag(&f, from, to, 1e-15, 1e-12, INTERVALS, GSL_INTEG_GAUSS61, work, &value, &error);
	/* A round-off complaint means that the last digit was reached. */
	return status == GSL_SUCCESS || status == GSL_EROUND ? value : NAN;
}

/* P(T > t), to a relative accuracy where it is not below 1e-12. */
static double noncentral_t_q(double t, double df, double ncp)
{
	if (!isfinite(t) || !isfinite(df) || !isfinite(ncp) || df <= 0)
		return NAN;
	struct tail tail = {.t = t, .df = df, .ncp = ncp};
	tail.scale = 2 * sqrt(df / 2) / (sqrt(2 * M_PI) * gsl_sf_gammastar(df / 2));

	/* Bounds of a chi-square tail: Laurent and Massart 2000, lemma 1. */
	double spread = 2 * sqrt(TAIL_EXPONENT / df);
	double from = spread < 1 ? sqrt(1 - spread) - 1 : -1;
	double to = sqrt(1 + spread + 2 * TAIL_EXPONENT / df) - 1;
	/* The normal tail turns at s = ncp / t, sharply for a large t. */
	double turn = t != 0 ? ncp / t - 1 : from;
	turn = fmin(fmax(turn, from), to);

	gsl_integration_workspace *work = gsl_integration_workspace_alloc(INTERVALS);
	double q = integrate(&tail, from, turn, work) + integrate(&tail, turn, to, work);
	gsl_integration_workspace_free(work);
	return q;
}

double power_noncentral_t_p(double t, double df, double ncp)
{
	return noncentral_t_q(-t, df, -ncp);
}

static int check_test(const struct power_test *test, struct error *err)
{
	if (!isfinite(test->sd) || test->sd <= 0)
		return error_set(err, ERROR_DATA, "standard deviation '%g' is not a finite number > 0", test->sd);
	if (!(test->alpha > 0 && test->alpha < 1))
		return error_set(err, ERROR_DATA, "alpha '%g' is outside (0, 1)", test->alpha);
	return 0;
}

static int check_n(double n, struct error *err)
{
	if (!isfinite(n) || n < 2 || n > N_MAX)
		return error_set(err, ERROR_DATA, "sample size '%g' is outside [2, %g]", n, N_MAX);
	return 0;
}

static int check_power(double power, double alpha, struct error *err)
{
	if (!(power > alpha && power < 1))
		return error_set(err, ERROR_DATA, "power '%g' is outside (alpha, 1)", power);
	return 0;
}

/* ratio is |effect| / sd. */
static double power_of(const struct power_test *test, double n, double ratio, double *ret_upper)
{
	int paired = test->design == POWER_PAIRED;
	double df = paired ? n - 1 : 2 * (n - 1);
	double ncp = ratio * sqrt(paired ? n : n / 2);
	double critical = gsl_cdf_tdist_Qinv(test->alpha / 2, df);
	double upper = noncentral_t_q(critical, df, ncp);
	if (ret_upper)
		*ret_upper = upper;
	return upper + noncentral_t_q(critical, df, -ncp);
}

int power_at(const struct power_test *test, double n, double effect, double *ret_power, double *ret_upper,
	     struct error *err)
{
	int r = check_test(test, err);
	if (r < 0)
		return r;
	r = check_n(n, err);
	if (r < 0)
		return r;
	if (!isfinite(effect))
		return error_set(err, ERROR_DATA, "effect '%g' is not finite", effect);

	double power = power_of(test, n, fabs(effect) / test->sd, ret_upper);
	if (isnan(power))
		return error_set(err, ERROR_DATA, "the power at n = %g and effect '%g' does not converge", n, effect);
	*ret_power = power;
	return 0;
}

/* The smallest whole n in (lo, hi] that reaches power. */
static double bisect_whole(const struct power_test *test, double ratio, double power, double lo, double hi)
{
	while (hi - lo > 1) {
		double middle = floor((lo + hi) / 2);
		if (power_of(test, middle, ratio, NULL) >= power)
			hi = middle;
		else
			lo = middle;
	}
	return hi;
}

/* The real n in (lo, hi] that reaches power, to the last digits. */
static double bisect_real(const struct power_test *test, double ratio, double power, double lo, double hi)
{
	while (hi - lo > 1e-13 * hi) {
		double middle = (lo + hi) / 2;
		if (power_of(test, middle, ratio, NULL) >= power)
			hi = middle;
		else
			lo = middle;
	}
	return hi;
}

int power_sample_size(const struct power_test *test, double effect, double power, double *ret_n, double *ret_n_real,
		      struct error *err)
{
	int r = check_test(test, err);
	if (r < 0)
		return r;
	r = check_power(power, test->alpha, err);
	if (r < 0)
		return r;
	if (!isfinite(effect) || effect == 0)
		return error_set(err, ERROR_DATA, "effect '%g' is not a finite number other than 0", effect);

	double ratio = fabs(effect) / test->sd;
	double lo = 1;
	double hi = 2;
	while (!(power_of(test, hi, ratio, NULL) >= power)) {
		lo = hi;
		hi *= 2;
		if (hi > N_MAX)
			return error_set(err, ERROR_DATA, "no n below %g reaches power '%g' at effect '%g'", N_MAX,
					 power, effect);
	}
	*ret_n = hi > 2 ? bisect_whole(test, ratio, power, lo, hi) : 2;
	if (ret_n_real)
		*ret_n_real = hi > 2 ? bisect_real(test, ratio, power, *ret_n - 1, *ret_n) : NAN;
	return 0;
}

int power_detectable_effect(const struct power_test *test, double n, double power, double *ret_effect,
			    struct error *err)
{
	int r = check_test(test, err);
	if (r < 0)
		return r;
	r = check_n(n, err);
	if (r < 0)
		return r;
	r = check_power(power, test->alpha, err);
	if (r < 0)
		return r;

	double lo = 0;
	double hi = 1;
	while (!(power_of(test, n, hi, NULL) >= power)) {
		lo = hi;
		hi *= 2;
		if (hi > 1e12)
			return error_set(err, ERROR_DATA, "no effect reaches power '%g' at n = %g", power, n);
	}
	while (hi - lo > 1e-14 * hi) {
		double middle = (lo + hi) / 2;
		if (middle <= lo || middle >= hi)
			break;
		if (power_of(test, n, middle, NULL) >= power)
			hi = middle;
		else
			lo = middle;
	}
	*ret_effect = hi * test->sd;
	return 0;
}
