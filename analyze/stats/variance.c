#include "analyze/stats/variance.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#include "analyze/stats/summary.h"
#include "base/mem.h"

#define LIMIT_FACTOR 2.8 /* ISO 5725: 1.96 sqrt(2), rounded as the standard does */
#define ICC_TAIL 0.025

/* Group means less the first value, and what the sums of squares need. */
struct layout {
	size_t k;
	size_t N;
	const size_t *sizes;
	double *means;
	double ss_within;
};

static void layout_release(struct layout *layout)
{
	mem_free_pointer(&layout->means);
}

CLEANUP_VALUE(struct layout, layout_release)

static int layout_init(struct layout *layout, const double *values, const size_t *sizes, size_t k, struct error *err)
{
	*layout = (struct layout){.k = k, .sizes = sizes};
	for (size_t i = 0; i < k; i++) {
		if (sizes[i] == 0)
			return error_set(err, ERROR_DATA, "group %zu is empty", i);
		layout->N += sizes[i];
	}
	int r = summary_check("values", values, layout->N, err);
	if (r < 0)
		return r;
	if (layout->N == k)
		return error_set(err, ERROR_DATA, "no group has two values: no within-group component");

	layout->means = mem_new(k, sizeof(*layout->means));
	size_t at = 0;
	for (size_t i = 0; i < k; i++) {
		double ss;
		summary_shifted(values + at, sizes[i], values[0], &layout->means[i], &ss);
		layout->ss_within += ss;
		at += sizes[i];
	}
	return 0;
}

int variance_within(const double *values, const size_t *sizes, size_t k, double *ret_sd, double *ret_df,
		    struct error *err)
{
	CLEANUP(layout_release) struct layout layout;
	int r = layout_init(&layout, values, sizes, k, err);
	if (r < 0)
		return r;
	*ret_df = (double)(layout.N - k);
	*ret_sd = sqrt(layout.ss_within / *ret_df);
	return 0;
}

/* The restricted likelihood at lambda = sL2 / s_r^2, s_r and mu profiled out. */
struct profile {
	double mu; /* less the first value */
	double weight;
	double s_r2;
	double log_likelihood;
	double slope;
};

static struct profile profile_at(const struct layout *layout, double lambda)
{
	struct profile p = {0};
	double sum_mean = 0;
	double sum_w2 = 0;
	double log_det = 0;
	for (size_t i = 0; i < layout->k; i++) {
		double n = (double)layout->sizes[i];
		double w = n / (1 + n * lambda);
		p.weight += w;
		sum_w2 += w * w;
		sum_mean += w * layout->means[i];
		log_det += log1p(n * lambda);
	}
	p.mu = sum_mean / p.weight;

	double q = layout->ss_within;
	double q_slope = 0;
	for (size_t i = 0; i < layout->k; i++) {
		double n = (double)layout->sizes[i];
		double w = n / (1 + n * lambda);
		double d = layout->means[i] - p.mu;
		q += w * d * d;
		q_slope -= w * w * d * d;
	}
	double df = (double)(layout->N - 1);
	p.s_r2 = q / df;
	p.log_likelihood = -0.5 * (df * (log(2 * M_PI) + log(p.s_r2) + 1) + log_det + log(p.weight));
	p.slope = -0.5 * (df * q_slope / q + p.weight - sum_w2 / p.weight);
	return p;
}

/* Where the slope turns from up to down between lo and hi. */
static double climb(const struct layout *layout, double lo, double hi)
{
	while (hi - lo > 1e-15 * hi) {
		double middle = (lo + hi) / 2;
		if (middle <= lo || middle >= hi)
			break;
		if (profile_at(layout, middle).slope > 0)
			lo = middle;
		else
			hi = middle;
	}
	return (lo + hi) / 2;
}

/* Unbalanced layouts may have several maxima: scan a grid, climb each, keep the highest. */
static double best_lambda(const struct layout *layout, double scale)
{
	double best = 0;
	double best_likelihood = profile_at(layout, 0).log_likelihood;
	double lo = 0;
	double slope_lo = profile_at(layout, 0).slope;
	for (int i = -80; i <= 80; i++) {
		double hi = scale * pow(10, (double)i / 10);
		double slope_hi = profile_at(layout, hi).slope;
		if (slope_lo > 0 && slope_hi <= 0) {
			double lambda = climb(layout, lo, hi);
			double likelihood = profile_at(layout, lambda).log_likelihood;
			if (likelihood > best_likelihood) {
				best = lambda;
				best_likelihood = likelihood;
			}
		}
		lo = hi;
		slope_lo = slope_hi;
	}
	return best;
}

static struct variance_reml reml(const struct layout *layout, double first, double scale)
{
	double lambda = best_lambda(layout, scale);
	struct profile p = profile_at(layout, lambda);
	double sL2 = lambda * p.s_r2;
	return (struct variance_reml){
		.s_r = sqrt(p.s_r2),
		.sL2 = sL2,
		.s_L = sqrt(sL2),
		.s_R = sqrt(p.s_r2 + sL2),
		.icc_ratio = sL2 / (p.s_r2 + sL2),
		.mu = first + p.mu,
		.se_mu = sqrt(p.s_r2 / p.weight),
		.log_likelihood = p.log_likelihood,
	};
}

static void set_icc_interval(struct variance *v)
{
	v->icc_lo_ratio = v->icc_hi_ratio = NAN;
	if (!v->balanced || !isfinite(v->F))
		return;
	double df_b = (double)(v->k - 1);
	double n = v->n0;
	double f_lo = v->F / gsl_cdf_fdist_Qinv(ICC_TAIL, df_b, v->nu_r);
	double f_hi = v->F * gsl_cdf_fdist_Qinv(ICC_TAIL, v->nu_r, df_b);
	v->icc_lo_ratio = (f_lo - 1) / (f_lo + n - 1);
	v->icc_hi_ratio = (f_hi - 1) / (f_hi + n - 1);
}

/* What follows from the mean squares. */
static void set_moments(struct variance *v)
{
	double df_b = (double)(v->k - 1);
	double s_r2 = v->ms_within;
	v->s_r = sqrt(s_r2);
	v->sL2_raw = (v->ms_between - v->ms_within) / v->n0;
	v->sL2 = fmax(0, v->sL2_raw);
	v->s_L = sqrt(v->sL2);
	v->s_R = sqrt(s_r2 + v->sL2);
	v->limit_r = LIMIT_FACTOR * v->s_r;
	v->limit_R = LIMIT_FACTOR * v->s_R;
	v->icc_ratio = v->sL2 / (s_r2 + v->sL2);
	v->icc_raw_ratio = v->sL2_raw / (s_r2 + v->sL2_raw);

	double part_b = v->ms_between / v->n0;
	double part_w = (1 - 1 / v->n0) * v->ms_within;
	double sum = part_b + part_w;
	v->df_R_satterthwaite = sum * sum / (part_b * part_b / df_b + part_w * part_w / v->nu_r);

	v->F = v->ms_within > 0 ? v->ms_between / v->ms_within : NAN;
	v->p_F = isnan(v->F) ? NAN : gsl_cdf_fdist_Q(v->F, df_b, v->nu_r);
	set_icc_interval(v);
}

int variance_oneway(const double *values, const size_t *sizes, size_t k, struct variance *ret, struct error *err)
{
	if (k < 2)
		return error_set(err, ERROR_DATA, "fewer than two groups: no between-group component");
	CLEANUP(layout_release) struct layout layout;
	int r = layout_init(&layout, values, sizes, k, err);
	if (r < 0)
		return r;

	struct variance v = {.k = k, .N = layout.N, .balanced = true, .ss_within = layout.ss_within};
	double total = (double)v.N;
	double sum = 0;
	double sum_n2 = 0;
	for (size_t i = 0; i < k; i++) {
		double n = (double)sizes[i];
		sum += n * layout.means[i];
		sum_n2 += n * n;
		v.balanced = v.balanced && sizes[i] == sizes[0];
	}
	double grand = sum / total;
	for (size_t i = 0; i < k; i++) {
		double d = layout.means[i] - grand;
		v.ss_between += (double)sizes[i] * d * d;
	}
	v.mean = values[0] + grand;
	v.n0 = (total - sum_n2 / total) / (double)(k - 1);
	v.nu_r = (double)(v.N - k);
	v.ms_between = v.ss_between / (double)(k - 1);
	v.ms_within = v.ss_within / v.nu_r;
	set_moments(&v);
	if (v.ms_within > 0) {
		v.reml = reml(&layout, values[0], fmax(1, v.ms_between / v.ms_within));
	} else {
		v.reml = (struct variance_reml){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	}
	*ret = v;
	return 0;
}
