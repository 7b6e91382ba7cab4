#include "analyze/stats/line.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>

#include "analyze/stats/interval.h"
#include "analyze/stats/rank.h"
#include "analyze/stats/summary.h"
#include "base/mem.h"

#define YORK_ROUNDS 500

static int check_points(const double *x, const double *y, size_t n, size_t least, struct error *err)
{
	int r = summary_check("x", x, n, err);
	if (r < 0)
		return r;
	r = summary_check("y", y, n, err);
	if (r < 0)
		return r;
	if (n < least)
		return error_set(err, ERROR_DATA, "a line needs %zu points, not %zu", least, n);
	return 0;
}

static int check_positive(const char *what, const double *x, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]) || x[i] <= 0)
			return error_set(err, ERROR_DATA, "'%s'[%zu] is '%g', not a finite number > 0", what, i, x[i]);
	}
	return 0;
}

static double weight_of(const double *sigma, size_t i)
{
	return sigma ? 1 / (sigma[i] * sigma[i]) : 1;
}

static void set_scaled(struct line *line)
{
	for (size_t i = 0; i < 3; i++)
		line->covariance_scaled[i] = line->df > 0 ? line->covariance[i] * line->chi2 / line->df : NAN;
}

int line_weighted(const double *x, const double *y, const double *sigma, size_t n, struct line *ret, struct error *err)
{
	int r = check_points(x, y, n, 2, err);
	if (r < 0)
		return r;
	r = sigma ? check_positive("sigma", sigma, n, err) : 0;
	if (r < 0)
		return r;

	double sum_w = 0;
	double mean_x = 0;
	double mean_y = 0;
	for (size_t i = 0; i < n; i++) {
		double w = weight_of(sigma, i);
		sum_w += w;
		mean_x += w * (x[i] - x[0]);
		mean_y += w * (y[i] - y[0]);
	}
	mean_x /= sum_w;
	mean_y /= sum_w;
	double sxx = 0;
	double sxy = 0;
	for (size_t i = 0; i < n; i++) {
		double dx = x[i] - x[0] - mean_x;
		double w = weight_of(sigma, i);
		sxx += w * dx * dx;
		sxy += w * dx * (y[i] - y[0] - mean_y);
	}
	if (!(sxx > 0))
		return error_set(err, ERROR_DATA, "'x' is constant: no slope");

	struct line line = {.slope = sxy / sxx, .df = (double)(n - 2)};
	double centre = x[0] + mean_x;
	line.intercept = y[0] + mean_y - line.slope * centre;
	line.covariance[0] = 1 / sum_w + centre * centre / sxx;
	line.covariance[1] = -centre / sxx;
	line.covariance[2] = 1 / sxx;
	for (size_t i = 0; i < n; i++) {
		double rest = (y[i] - y[0] - mean_y) - line.slope * (x[i] - x[0] - mean_x);
		line.chi2 += weight_of(sigma, i) * rest * rest;
	}
	set_scaled(&line);
	*ret = line;
	return 0;
}

int line_through_origin(const double *x, const double *y, const double *sigma, size_t n, struct line *ret,
			struct error *err)
{
	int r = check_points(x, y, n, 1, err);
	if (r < 0)
		return r;
	r = sigma ? check_positive("sigma", sigma, n, err) : 0;
	if (r < 0)
		return r;

	double sxx = 0;
	double sxy = 0;
	for (size_t i = 0; i < n; i++) {
		double w = weight_of(sigma, i);
		sxx += w * x[i] * x[i];
		sxy += w * x[i] * y[i];
	}
	if (!(sxx > 0))
		return error_set(err, ERROR_DATA, "'x' is all 0: no slope");
	struct line line = {.slope = sxy / sxx, .df = (double)(n - 1)};
	line.covariance[2] = 1 / sxx;
	for (size_t i = 0; i < n; i++) {
		double rest = y[i] - line.slope * x[i];
		line.chi2 += weight_of(sigma, i) * rest * rest;
	}
	set_scaled(&line);
	*ret = line;
	return 0;
}

/* The Deming line without point `skip` (n: none); false when there is no covariance. */
static int deming_without(const double *x, const double *y, size_t n, size_t skip, double lambda, double ret[2])
{
	double mean_x = 0;
	double mean_y = 0;
	double used = (double)(skip < n ? n - 1 : n);
	for (size_t i = 0; i < n; i++) {
		mean_x += i == skip ? 0 : x[i] - x[0];
		mean_y += i == skip ? 0 : y[i] - y[0];
	}
	mean_x /= used;
	mean_y /= used;
	double sxx = 0;
	double syy = 0;
	double sxy = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == skip)
			continue;
		double dx = x[i] - x[0] - mean_x;
		double dy = y[i] - y[0] - mean_y;
		sxx += dx * dx;
		syy += dy * dy;
		sxy += dx * dy;
	}
	if (sxy == 0)
		return 0;
	double half = syy - lambda * sxx;
	ret[1] = (half + sqrt(half * half + 4 * lambda * sxy * sxy)) / (2 * sxy);
	ret[0] = y[0] + mean_y - ret[1] * (x[0] + mean_x);
	return 1;
}

static double jackknife_se(const double *theta, size_t n)
{
	double mean;
	double ss;
	summary_shifted(theta, n, theta[0], &mean, &ss);
	return sqrt((double)(n - 1) / (double)n * ss);
}

int line_deming(const double *x, const double *y, size_t n, double lambda, struct line_both *ret, struct error *err)
{
	int r = check_points(x, y, n, 2, err);
	if (r < 0)
		return r;
	if (!isfinite(lambda) || lambda <= 0)
		return error_set(err, ERROR_DATA, "lambda '%g' is not a finite number > 0", lambda);
	double fit[2];
	if (!deming_without(x, y, n, n, lambda, fit))
		return error_set(err, ERROR_DATA, "'x' and 'y' have no covariance: no slope");

	struct line_both line = {fit[0], fit[1], NAN, NAN, NAN, NAN, NAN, (double)n - 2};
	CLEANUP(mem_free) double *intercepts = mem_new(n, sizeof(*intercepts));
	CLEANUP(mem_free) double *slopes = mem_new(n, sizeof(*slopes));
	size_t usable = 0;
	for (size_t i = 0; i < n && n >= 3; i++) {
		if (!deming_without(x, y, n, i, lambda, fit))
			break;
		intercepts[i] = fit[0];
		slopes[i] = fit[1];
		usable++;
	}
	if (usable == n) {
		line.se_intercept = jackknife_se(intercepts, n);
		line.se_slope = jackknife_se(slopes, n);
	}
	*ret = line;
	return 0;
}

struct york {
	const double *x;
	const double *y;
	const double *weight_x;
	const double *weight_y;
	const double *correlation; /* NULL: 0 */
	size_t n;
	double mean_x;
	double mean_y;
	double sum_w;
};

/* The weight of point i at a slope, and beta, the adjusted x less the mean. */
static double york_weight(const struct york *york, size_t i, double slope)
{
	double r = york->correlation ? york->correlation[i] : 0;
	double alpha = sqrt(york->weight_x[i] * york->weight_y[i]);
	return york->weight_x[i] * york->weight_y[i] /
	       (york->weight_x[i] + slope * slope * york->weight_y[i] - 2 * slope * r * alpha);
}

static double york_beta(const struct york *york, size_t i, double slope)
{
	double u = york->x[i] - york->mean_x;
	double v = york->y[i] - york->mean_y;
	double r = york->correlation ? york->correlation[i] : 0;
	double alpha = sqrt(york->weight_x[i] * york->weight_y[i]);
	return york_weight(york, i, slope) *
	       (u / york->weight_y[i] + slope * v / york->weight_x[i] - (slope * u + v) * r / alpha);
}

static double york_step(struct york *york, double slope)
{
	york->sum_w = 0;
	double sum_x = 0;
	double sum_y = 0;
	for (size_t i = 0; i < york->n; i++) {
		double w = york_weight(york, i, slope);
		york->sum_w += w;
		sum_x += w * (york->x[i] - york->x[0]);
		sum_y += w * (york->y[i] - york->y[0]);
	}
	york->mean_x = york->x[0] + sum_x / york->sum_w;
	york->mean_y = york->y[0] + sum_y / york->sum_w;

	double num = 0;
	double den = 0;
	for (size_t i = 0; i < york->n; i++) {
		double w_beta = york_weight(york, i, slope) * york_beta(york, i, slope);
		num += w_beta * (york->y[i] - york->mean_y);
		den += w_beta * (york->x[i] - york->mean_x);
	}
	return num / den;
}

static struct line_both york_result(const struct york *york, double slope)
{
	struct line_both line = {.slope = slope, .intercept = york->mean_y - slope * york->mean_x};
	line.df = (double)york->n - 2;
	double mean_beta = 0;
	for (size_t i = 0; i < york->n; i++)
		mean_beta += york_weight(york, i, slope) * york_beta(york, i, slope) / york->sum_w;
	double sum_u2 = 0;
	for (size_t i = 0; i < york->n; i++) {
		double w = york_weight(york, i, slope);
		double u = york_beta(york, i, slope) - mean_beta;
		double rest = (york->y[i] - york->mean_y) - slope * (york->x[i] - york->mean_x);
		sum_u2 += w * u * u;
		line.chi2 += w * rest * rest;
	}
	double adjusted_mean = york->mean_x + mean_beta;
	line.se_slope = 1 / sqrt(sum_u2);
	line.se_intercept = sqrt(1 / york->sum_w + adjusted_mean * adjusted_mean / sum_u2);
	double scale = line.df > 0 ? sqrt(line.chi2 / line.df) : NAN;
	line.se_slope_scaled = line.se_slope * scale;
	line.se_intercept_scaled = line.se_intercept * scale;
	return line;
}

int line_york_correlated(const double *x, const double *y, const double *weight_x, const double *weight_y,
			 const double *correlation, size_t n, struct line_both *ret, struct error *err)
{
	struct line start;
	int r = line_weighted(x, y, NULL, n, &start, err);
	if (r < 0)
		return r;
	r = check_positive("weight_x", weight_x, n, err);
	if (r < 0)
		return r;
	r = check_positive("weight_y", weight_y, n, err);
	if (r < 0)
		return r;

	for (size_t i = 0; correlation && i < n; i++)
		if (!(fabs(correlation[i]) < 1))
			return error_set(err, ERROR_DATA, "correlation[%zu] is not inside (-1, 1)", i);
	struct york york = {x, y, weight_x, weight_y, correlation, n, 0, 0, 0};
	double slope = start.slope;
	double change = INFINITY;
	/* Close to the fixed point rounding keeps the last digits moving. */
	for (int round = 0; round < YORK_ROUNDS && change > 1e-15 * fabs(slope); round++) {
		double next = york_step(&york, slope);
		change = fabs(next - slope);
		slope = next;
	}
	if (!(change <= 1e-12 * fabs(slope)))
		return error_set(err, ERROR_DATA, "york's slope does not converge");
	*ret = york_result(&york, slope);
	return 0;
}

int line_york(const double *x, const double *y, const double *weight_x, const double *weight_y, size_t n,
	      struct line_both *ret, struct error *err)
{
	return line_york_correlated(x, y, weight_x, weight_y, NULL, n, ret, err);
}

int line_theil_sen(const double *x, const double *y, size_t n, double confidence, struct line_theil_sen *ret,
		   struct error *err)
{
	int r = interval_check_confidence(confidence, err);
	if (r < 0)
		return r;
	r = check_points(x, y, n, 2, err);
	if (r < 0)
		return r;

	struct line_theil_sen line = {0};
	CLEANUP(mem_free) double *slopes = mem_new(n * (n - 1) / 2, sizeof(*slopes));
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			if (x[j] != x[i])
				slopes[line.n_slopes++] = (y[j] - y[i]) / (x[j] - x[i]);
		}
	}
	if (line.n_slopes == 0)
		return error_set(err, ERROR_DATA, "'x' is constant: no slope");
	gsl_sort(slopes, 1, line.n_slopes);
	line.slope = summary_median_sorted(slopes, line.n_slopes);

	CLEANUP(mem_free) double *sorted_x = summary_sorted(x, n);
	CLEANUP(mem_free) double *sorted_y = summary_sorted(y, n);
	line.intercept = summary_median_sorted(sorted_y, n) - line.slope * summary_median_sorted(sorted_x, n);
	for (size_t i = 0; i < n; i++)
		sorted_y[i] = y[i] - line.slope * x[i];
	gsl_sort(sorted_y, 1, n);
	line.intercept_joint = summary_median_sorted(sorted_y, n);

	double size = (double)n;
	double count = (double)line.n_slopes;
	double s2 = (size * (size - 1) * (2 * size + 5) - rank_tie_term(x, n) - rank_tie_term(y, n)) / 18;
	double half = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2) * sqrt(fmax(0, s2));
	line.index_lo = (size_t)fmax(nearbyint((count - half) / 2) - 1, 0);
	line.index_hi = (size_t)fmin(fmax(nearbyint((count + half) / 2), 0), count - 1);
	line.lo = slopes[line.index_lo];
	line.hi = slopes[line.index_hi];
	*ret = line;
	return 0;
}
