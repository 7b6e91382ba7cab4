#include "analyze/stats/series.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>

#include "analyze/stats/rank.h"
#include "analyze/stats/summary.h"
#include "base/mem.h"

#define TAU_MIN 1e-12

static int check_series(const double *x, size_t n, struct error *err)
{
	int r = summary_check("x", x, n, err);
	if (r < 0)
		return r;
	if (n < 2)
		return error_set(err, ERROR_DATA, "a series needs two values, not %zu", n);
	return 0;
}

/* Deviations of x[n] from its mean. */
static double *deviations(const double *x, size_t n, double *ret_ss)
{
	double mean;
	summary_shifted(x, n, x[0], &mean, ret_ss);
	double *d = mem_new(n, sizeof(*d));
	for (size_t i = 0; i < n; i++)
		d[i] = x[i] - x[0] - mean;
	return d;
}

static double correlation_at(const double *d, size_t n, size_t lag, double ss)
{
	double sum = 0;
	for (size_t i = lag; i < n; i++)
		sum += d[i - lag] * d[i];
	return ss > 0 ? sum / ss : NAN;
}

int series_autocorrelation(const double *x, size_t n, size_t max_lag, double *ret, struct error *err)
{
	int r = check_series(x, n, err);
	if (r < 0)
		return r;
	if (max_lag >= n)
		return error_set(err, ERROR_DATA, "lag %zu is beyond a series of %zu", max_lag, n);
	double ss;
	CLEANUP(mem_free) double *d = deviations(x, n, &ss);
	for (size_t lag = 0; lag <= max_lag; lag++)
		ret[lag] = correlation_at(d, n, lag, ss);
	return 0;
}

int series_effective_size(const double *x, size_t n, struct series_size *ret, struct error *err)
{
	int r = check_series(x, n, err);
	if (r < 0)
		return r;
	double ss;
	CLEANUP(mem_free) double *d = deviations(x, n, &ss);
	if (!(ss > 0)) {
		*ret = (struct series_size){NAN, NAN, NAN, NAN};
		return 0;
	}

	struct series_size size = {.tau = -1, .tau_monotone = -1};
	double least = INFINITY;
	for (size_t lag = 0; lag + 1 < n; lag += 2) {
		double pair = correlation_at(d, n, lag, ss) + correlation_at(d, n, lag + 1, ss);
		if (pair <= 0)
			break;
		least = fmin(least, pair);
		size.tau += 2 * pair;
		size.tau_monotone += 2 * least;
	}
	size.n_raw = size.tau > TAU_MIN ? (double)n / size.tau : NAN;
	size.n_effective = size.tau > 1 ? (double)n / size.tau : (double)n;
	*ret = size;
	return 0;
}

static double sen_slope(const double *x, size_t n)
{
	CLEANUP(mem_free) double *slopes = mem_new(n * (n - 1) / 2, sizeof(*slopes));
	size_t at = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++)
			slopes[at++] = (x[j] - x[i]) / (double)(j - i);
	}
	gsl_sort(slopes, 1, at);
	return summary_median_sorted(slopes, at);
}

int series_trend(const double *x, size_t n, struct series_trend *ret, struct error *err)
{
	int r = check_series(x, n, err);
	if (r < 0)
		return r;

	struct series_trend trend = {.p = 1, .p_exact = NAN, .sen_slope = sen_slope(x, n)};
	double size = (double)n;
	CLEANUP(mem_free) double *sorted = summary_sorted(x, n);
	trend.variance = (size * (size - 1) * (2 * size + 5) - rank_tie_term(x, n)) / 18;
	if (sorted[0] == sorted[n - 1]) {
		*ret = trend;
		return 0;
	}

	CLEANUP(mem_free) double *time = mem_new(n, sizeof(*time));
	for (size_t i = 0; i < n; i++)
		time[i] = (double)i;
	struct rank_kendall k;
	r = rank_kendall(time, x, n, &k, err);
	if (r < 0)
		return r;
	trend.s = (double)k.concordant - (double)k.discordant;
	double sign = (trend.s > 0) - (trend.s < 0);
	trend.z = (trend.s - sign) / sqrt(trend.variance);
	trend.p = fmin(1, 2 * gsl_cdf_ugaussian_Q(fabs(trend.z)));
	if (n <= SERIES_TREND_EXACT_MAX)
		trend.p_exact = k.p_exact;
	*ret = trend;
	return 0;
}

int series_change(const double *x, size_t n, struct series_change *ret, struct error *err)
{
	int r = check_series(x, n, err);
	if (r < 0)
		return r;

	struct series_change change = {.pettitt_at = 1, .cusum_at = 1, .cusum_max = NAN};
	double size = (double)n;
	CLEANUP(mem_free) double *ranks = mem_new(n, sizeof(*ranks));
	rank_midranks(x, n, ranks);
	double rank_sum = 0;
	for (size_t t = 1; t < n; t++) {
		rank_sum += ranks[t - 1];
		double u = fabs(2 * rank_sum - (double)t * (size + 1));
		if (u > change.pettitt_k) {
			change.pettitt_k = u;
			change.pettitt_at = t;
		}
	}
	change.pettitt_p = fmin(1, 2 * exp(-6 * change.pettitt_k * change.pettitt_k / (size * size * (size + 1))));

	double ss;
	CLEANUP(mem_free) double *d = deviations(x, n, &ss);
	double scale = sqrt(ss / (size - 1)) * sqrt(size);
	if (scale > 0) {
		change.cusum_max = 0;
		double sum = 0;
		for (size_t t = 1; t <= n; t++) {
			sum += d[t - 1];
			if (fabs(sum) / scale > change.cusum_max) {
				change.cusum_max = fabs(sum) / scale;
				change.cusum_at = t;
			}
		}
	}
	*ret = change;
	return 0;
}
