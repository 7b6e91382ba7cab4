#include "analyze/stats/summary.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

#include "base/mem.h"

#define MAD_TO_SD 1.4826 /* R's constant, exactly */

int summary_check(const char *what, const double *x, size_t n, struct error *err)
{
	if (n == 0)
		return error_set(err, ERROR_DATA, "'%s' is empty", what);
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			return error_set(err, ERROR_DATA, "'%s'[%zu] is not finite", what, i);
	}
	return 0;
}

void summary_shifted(const double *x, size_t n, double origin, double *ret_mean, double *ret_ss)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i] - origin;
	double mean = sum / (double)n;

	/* The second sum is what the first one lost; it corrects both results (Chan, Golub and LeVeque 1983). */
	double ss = 0;
	double rest = 0;
	for (size_t i = 0; i < n; i++) {
		double d = (x[i] - origin) - mean;
		ss += d * d;
		rest += d;
	}
	double ss_corrected = ss - rest * rest / (double)n;
	*ret_mean = mean + rest / (double)n;
	*ret_ss = ss_corrected > 0 ? ss_corrected : 0;
}

int summary_mean_sd(const double *x, size_t n, double *ret_mean, double *ret_sd, struct error *err)
{
	int r = summary_check("x", x, n, err);
	if (r < 0)
		return r;

	double mean;
	double ss;
	summary_shifted(x, n, x[0], &mean, &ss);
	*ret_mean = x[0] + mean;
	*ret_sd = n > 1 ? sqrt(ss / (double)(n - 1)) : NAN;
	return 0;
}

double *summary_sorted(const double *x, size_t n)
{
	double *sorted = mem_new(n > 0 ? n : 1, sizeof(*sorted));
	if (n > 0)
		memcpy(sorted, x, n * sizeof(*sorted));
	gsl_sort(sorted, 1, n);
	return sorted;
}

double summary_median_sorted(const double *sorted, size_t n)
{
	return gsl_stats_median_from_sorted_data(sorted, 1, n);
}

static double quantile_sorted(const double *sorted, size_t n, double probability, enum summary_quantile type)
{
	double size = (double)n;
	double h = type == SUMMARY_QUANTILE_7 ? (size - 1) * probability + 1 : (size + 1.0 / 3) * probability + 1.0 / 3;
	h = fmin(fmax(h, 1), size);

	double below = floor(h);
	size_t i = (size_t)below - 1;
	if (i + 1 >= n)
		return sorted[n - 1];
	return sorted[i] + (h - below) * (sorted[i + 1] - sorted[i]);
}

int summary_median(const double *x, size_t n, double *ret_median, struct error *err)
{
	int r = summary_check("x", x, n, err);
	if (r < 0)
		return r;

	CLEANUP(mem_free) double *sorted = summary_sorted(x, n);
	*ret_median = summary_median_sorted(sorted, n);
	return 0;
}

int summary_quantile(const double *x, size_t n, double probability, enum summary_quantile type, double *ret,
		     struct error *err)
{
	int r = summary_check("x", x, n, err);
	if (r < 0)
		return r;
	if (!(probability >= 0 && probability <= 1))
		return error_set(err, ERROR_DATA, "probability '%g' is outside [0, 1]", probability);

	CLEANUP(mem_free) double *sorted = summary_sorted(x, n);
	*ret = quantile_sorted(sorted, n, probability, type);
	return 0;
}

static double geometric_mean(const double *x, size_t n)
{
	double origin = log(x[0]);
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		if (x[i] <= 0)
			return NAN;
		sum += log(x[i]) - origin;
	}
	return exp(origin + sum / (double)n);
}

static double lag1_autocorrelation(const double *x, size_t n)
{
	double mean;
	double ss;
	summary_shifted(x, n, x[0], &mean, &ss);
	double sum = 0;
	for (size_t i = 1; i < n; i++)
		sum += (x[i - 1] - x[0] - mean) * (x[i] - x[0] - mean);
	return ss > 0 ? sum / ss : NAN;
}

int summary_of(const double *x, size_t n, struct summary *ret, struct error *err)
{
	struct summary s = {.n = n};
	int r = summary_mean_sd(x, n, &s.mean, &s.sd, err);
	if (r < 0)
		return r;

	CLEANUP(mem_free) double *sorted = summary_sorted(x, n);
	s.median = summary_median_sorted(sorted, n);
	s.min = sorted[0];
	s.max = sorted[n - 1];
	s.range = s.max - s.min;
	s.cv_ratio = s.mean != 0 ? s.sd / fabs(s.mean) : NAN;
	s.range_over_mean_ratio = s.mean != 0 ? s.range / fabs(s.mean) : NAN;
	s.range_over_median_ratio = s.median != 0 ? s.range / fabs(s.median) : NAN;
	s.geometric_mean = geometric_mean(x, n);
	s.lag1_autocorrelation = lag1_autocorrelation(x, n);

	for (size_t i = 0; i < n; i++)
		sorted[i] = fabs(x[i] - s.median);
	gsl_sort(sorted, 1, n);
	s.mad_raw = summary_median_sorted(sorted, n);
	s.mad = MAD_TO_SD * s.mad_raw;
	*ret = s;
	return 0;
}
