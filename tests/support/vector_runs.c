#include "tests/support/vector_runs.h"

#include <math.h>
#include <string.h>

#include "analyze/stats/interval.h"
#include "analyze/stats/multiple.h"
#include "analyze/stats/payload.h"
#include "analyze/stats/power.h"
#include "analyze/stats/rank.h"
#include "analyze/stats/ratio.h"
#include "analyze/stats/summary.h"
#include "analyze/stats/variance.h"
#include "base/mem.h"

double vector_number(const cJSON *item)
{
	if (cJSON_IsNumber(item))
		return item->valuedouble;
	if (cJSON_IsString(item) && strcmp(item->valuestring, "Inf") == 0)
		return INFINITY;
	if (cJSON_IsString(item) && strcmp(item->valuestring, "-Inf") == 0)
		return -INFINITY;
	return NAN;
}

double vector_field(const cJSON *input, const char *key)
{
	return vector_number(cJSON_GetObjectItemCaseSensitive(input, key));
}

struct vector_numbers vector_numbers_of(const cJSON *array)
{
	struct vector_numbers out = {0};
	out.v = mem_new((size_t)cJSON_GetArraySize(array) + 1, sizeof(*out.v));
	const cJSON *item;
	cJSON_ArrayForEach(item, array) out.v[out.n++] = vector_number(item);
	return out;
}

struct vector_numbers vector_numbers(const cJSON *input, const char *key)
{
	return vector_numbers_of(cJSON_GetObjectItemCaseSensitive(input, key));
}

void vector_put(cJSON *got, const char *key, double value)
{
	cJSON_AddNumberToObject(got, key, value);
}

static void put_bool(cJSON *got, const char *key, int value)
{
	cJSON_AddBoolToObject(got, key, value);
}

void vector_put_array(cJSON *got, const char *key, const double *v, size_t n)
{
	cJSON *array = cJSON_AddArrayToObject(got, key);
	for (size_t i = 0; i < n; i++)
		cJSON_AddItemToArray(array, cJSON_CreateNumber(v[i]));
}

static int run_summary(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	NUMBERS probs = vector_numbers(input, "probs");
	struct summary s;
	int r = summary_of(x.v, x.n, &s, err);
	if (r < 0)
		return r;
	vector_put(got, "n", (double)s.n);
	vector_put(got, "mean", s.mean);
	vector_put(got, "sd", s.sd);
	vector_put(got, "cv", s.cv_ratio);
	vector_put(got, "median", s.median);
	vector_put(got, "mad", s.mad);
	vector_put(got, "mad_raw", s.mad_raw);
	vector_put(got, "min", s.min);
	vector_put(got, "max", s.max);
	vector_put(got, "range", s.range);
	vector_put(got, "range_over_mean", s.range_over_mean_ratio);
	vector_put(got, "range_over_median", s.range_over_median_ratio);
	vector_put(got, "geomean", s.geometric_mean);
	vector_put(got, "lag1_autocorrelation", s.lag1_autocorrelation);

	cJSON *q7 = cJSON_AddArrayToObject(got, "quantile7");
	cJSON *q8 = cJSON_AddArrayToObject(got, "quantile8");
	for (size_t i = 0; i < probs.n; i++) {
		double q;
		r = summary_quantile(x.v, x.n, probs.v[i], SUMMARY_QUANTILE_7, &q, err);
		if (r < 0)
			return r;
		cJSON_AddItemToArray(q7, cJSON_CreateNumber(q));
		r = summary_quantile(x.v, x.n, probs.v[i], SUMMARY_QUANTILE_8, &q, err);
		if (r < 0)
			return r;
		cJSON_AddItemToArray(q8, cJSON_CreateNumber(q));
	}
	return 0;
}

static int run_mean(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	struct interval_mean m;
	int r = interval_mean(x.v, x.n, vector_field(input, "level"), &m, err);
	if (r < 0)
		return r;
	vector_put(got, "mean", m.mean);
	vector_put(got, "se", m.se);
	vector_put(got, "df", m.df);
	vector_put(got, "lo", m.lo);
	vector_put(got, "hi", m.hi);
	return 0;
}

static int run_sd(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	double mean;
	double sd;
	int r = summary_mean_sd(x.v, x.n, &mean, &sd, err);
	if (r < 0)
		return r;
	double ends[2];
	r = interval_sd(sd, (double)(x.n - 1), vector_field(input, "level"), ends, err);
	if (r < 0)
		return r;
	vector_put(got, "sd", sd);
	vector_put(got, "lo", ends[0]);
	vector_put(got, "hi", ends[1]);
	return 0;
}

static int run_cv(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	struct interval_cv cv;
	int r = interval_cv(x.v, x.n, vector_field(input, "level"), &cv, err);
	if (r < 0)
		return r;
	vector_put(got, "cv", cv.cv_ratio);
	vector_put(got, "mckay_lo", cv.mckay_lo);
	vector_put(got, "mckay_hi", cv.mckay_hi);
	vector_put(got, "vangel_lo", cv.vangel_lo);
	vector_put(got, "vangel_hi", cv.vangel_hi);
	return 0;
}

static int run_gain(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS control = vector_numbers(input, "control");
	NUMBERS treated = vector_numbers(input, "treated");
	struct interval_gain g;
	int r = interval_gain(control.v, treated.v, control.n, vector_field(input, "level"), &g, err);
	if (r < 0)
		return r;
	vector_put(got, "mean_log_ratio", g.mean_log_ratio);
	vector_put(got, "se", g.se);
	vector_put(got, "df", g.df);
	vector_put(got, "lo", g.lo);
	vector_put(got, "hi", g.hi);
	vector_put(got, "gain_pct", g.gain_percent);
	vector_put(got, "gain_lo_pct", g.gain_lo_percent);
	vector_put(got, "gain_hi_pct", g.gain_hi_percent);
	return 0;
}

static void put_variance(cJSON *got, const struct variance *v)
{
	vector_put(got, "k", (double)v->k);
	vector_put(got, "N", (double)v->N);
	vector_put(got, "mean", v->mean);
	vector_put(got, "ss_between", v->ss_between);
	vector_put(got, "ss_within", v->ss_within);
	vector_put(got, "ms_between", v->ms_between);
	vector_put(got, "ms_within", v->ms_within);
	vector_put(got, "df_between", (double)(v->k - 1));
	vector_put(got, "df_within", v->nu_r);
	vector_put(got, "n0", v->n0);
	vector_put(got, "nu_r", v->nu_r);
	vector_put(got, "s_r", v->s_r);
	vector_put(got, "sL2_raw", v->sL2_raw);
	vector_put(got, "sL2", v->sL2);
	vector_put(got, "s_L", v->s_L);
	vector_put(got, "s_R", v->s_R);
	vector_put(got, "limit_r", v->limit_r);
	vector_put(got, "limit_R", v->limit_R);
	vector_put(got, "icc", v->icc_ratio);
	vector_put(got, "icc_raw", v->icc_raw_ratio);
	vector_put(got, "df_R_satterthwaite", v->df_R_satterthwaite);
	vector_put(got, "F", v->F);
	vector_put(got, "p_F", v->p_F);
	vector_put(got, "icc_lo", v->icc_lo_ratio);
	vector_put(got, "icc_hi", v->icc_hi_ratio);

	cJSON *reml = cJSON_AddObjectToObject(got, "reml");
	vector_put(reml, "s_r", v->reml.s_r);
	vector_put(reml, "sL2", v->reml.sL2);
	vector_put(reml, "s_L", v->reml.s_L);
	vector_put(reml, "s_R", v->reml.s_R);
	vector_put(reml, "icc", v->reml.icc_ratio);
	vector_put(reml, "mu", v->reml.mu);
	vector_put(reml, "se_mu", v->reml.se_mu);
	vector_put(reml, "reml_loglik", v->reml.log_likelihood);
}

static int run_oneway(const cJSON *input, cJSON *got, struct error *err)
{
	const cJSON *groups = cJSON_GetObjectItemCaseSensitive(input, "groups");
	size_t total = 0;
	const cJSON *group;
	cJSON_ArrayForEach(group, groups) total += (size_t)cJSON_GetArraySize(group);

	CLEANUP(mem_free) double *values = mem_new(total + 1, sizeof(*values));
	CLEANUP(mem_free) size_t *sizes = mem_new((size_t)cJSON_GetArraySize(groups) + 1, sizeof(*sizes));
	size_t k = 0;
	size_t at = 0;
	cJSON_ArrayForEach(group, groups)
	{
		NUMBERS x = vector_numbers_of(group);
		if (x.n > 0)
			memcpy(values + at, x.v, x.n * sizeof(*values));
		at += x.n;
		sizes[k++] = x.n;
	}
	struct variance v;
	int r = variance_oneway(values, sizes, k, &v, err);
	if (r < 0)
		return r;
	put_variance(got, &v);
	return 0;
}

static int run_multiple(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS p = vector_numbers(input, "p");
	CLEANUP(mem_free) double *adjusted = mem_new(p.n + 1, sizeof(*adjusted));
	int r = multiple_holm(p.v, p.n, p.n, adjusted, err);
	if (r < 0)
		return r;
	vector_put_array(got, "holm", adjusted, p.n);
	r = multiple_bh(p.v, p.n, adjusted, err);
	if (r < 0)
		return r;
	vector_put_array(got, "bh", adjusted, p.n);
	r = multiple_bonferroni(p.v, p.n, adjusted, err);
	if (r < 0)
		return r;
	vector_put_array(got, "bonferroni", adjusted, p.n);
	return 0;
}

static struct power_test power_test_of(const cJSON *input)
{
	const cJSON *type = cJSON_GetObjectItemCaseSensitive(input, "type");
	return (struct power_test){
		.design = strcmp(type->valuestring, "two.sample") == 0 ? POWER_TWO_SAMPLE : POWER_PAIRED,
		.sd = vector_field(input, "sd"),
		.alpha = vector_field(input, "alpha"),
	};
}

static int run_power(const cJSON *input, cJSON *got, struct error *err)
{
	struct power_test test = power_test_of(input);
	double power;
	double upper;
	int r = power_at(&test, vector_field(input, "n"), vector_field(input, "delta"), &power, &upper, err);
	if (r < 0)
		return r;
	vector_put(got, "power", power);
	vector_put(got, "power_upper_tail", upper);
	return 0;
}

static int run_sample_size(const cJSON *input, cJSON *got, struct error *err)
{
	struct power_test test = power_test_of(input);
	double n;
	double n_real;
	double power;
	int r = power_sample_size(&test, vector_field(input, "delta"), vector_field(input, "power"), &n, &n_real, err);
	if (r < 0)
		return r;
	r = power_at(&test, n, vector_field(input, "delta"), &power, NULL, err);
	if (r < 0)
		return r;
	vector_put(got, "n", n);
	vector_put(got, "n_real", n_real);
	vector_put(got, "power_at_n", power);
	return 0;
}

static int run_detectable(const cJSON *input, cJSON *got, struct error *err)
{
	struct power_test test = power_test_of(input);
	double effect;
	double power;
	int r = power_detectable_effect(&test, vector_field(input, "n"), vector_field(input, "power"), &effect, err);
	if (r < 0)
		return r;
	r = power_at(&test, vector_field(input, "n"), effect, &power, NULL, err);
	if (r < 0)
		return r;
	vector_put(got, "mde", effect);
	vector_put(got, "power_at_mde", power);
	return 0;
}

static void put_ratio(cJSON *got, const struct ratio *f)
{
	vector_put(got, "theta", f->estimate);
	vector_put(got, "t_quantile", f->multiplier);
	vector_put(got, "A", f->quadratic[0]);
	vector_put(got, "Bq", f->quadratic[1]);
	vector_put(got, "C", f->quadratic[2]);
	vector_put(got, "delta_se", f->delta_se);
	vector_put(got, "lo", f->lo);
	vector_put(got, "hi", f->hi);
	cJSON_AddStringToObject(got, "type", ratio_set_name(f->set));
}

static int run_fieller(const cJSON *input, cJSON *got, struct error *err)
{
	struct ratio_input in = {
		.num = vector_field(input, "a"),
		.den = vector_field(input, "b"),
		.var_num = vector_field(input, "v11"),
		.var_den = vector_field(input, "v22"),
		.covariance = vector_field(input, "v12"),
		.df = vector_field(input, "df"),
	};
	struct ratio f;
	int r = ratio_fieller(&in, vector_field(input, "level"), &f, err);
	if (r < 0)
		return r;
	put_ratio(got, &f);
	return 0;
}

static int run_fieller_paired(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS num = vector_numbers(input, "y");
	NUMBERS den = vector_numbers(input, "x");
	struct ratio f;
	int r = ratio_fieller_paired(num.v, den.v, num.n, vector_field(input, "level"), &f, err);
	if (r < 0)
		return r;
	put_ratio(got, &f);
	return 0;
}

static void put_payload(cJSON *got, const struct payload *p)
{
	vector_put(got, "f", p->f_ratio);
	vector_put(got, "recovered", p->recovered_ratio);
	vector_put(got, "comm_left", p->left_ratio);
	put_bool(got, "in_range", p->in_range);
}

static int run_payload(const cJSON *input, cJSON *got, struct error *err)
{
	struct payload p;
	int r = payload_point(vector_field(input, "g"), vector_field(input, "r"), &p, err);
	if (r < 0)
		return r;
	put_payload(got, &p);
	return 0;
}

static int run_payload_log(const cJSON *input, cJSON *got, struct error *err)
{
	struct payload_interval p;
	int r = payload_from_log_ratio(vector_field(input, "d"), vector_field(input, "se_d"), vector_field(input, "df"),
				       vector_field(input, "r"), vector_field(input, "level"), &p, err);
	if (r < 0)
		return r;
	put_payload(got, &p.point);
	vector_put(got, "se_f", p.se);
	vector_put(got, "f_lo", p.lo);
	vector_put(got, "f_hi", p.hi);
	vector_put(got, "f_lo_delta", p.lo_delta);
	vector_put(got, "f_hi_delta", p.hi_delta);
	return 0;
}

static int run_payload_several(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS ratio = vector_numbers(input, "r");
	NUMBERS time_s = vector_numbers(input, "T");
	NUMBERS sigma_s = vector_numbers(input, "sigma");
	struct payload_fit p;
	int r = payload_from_several(ratio.v, time_s.v, sigma_s.v, ratio.n, vector_field(input, "level"), &p, err);
	if (r < 0)
		return r;
	vector_put(got, "C", p.line.intercept);
	vector_put(got, "X", p.line.slope);
	vector_put_array(got, "cov_scaled", p.line.covariance_scaled, 3);
	vector_put(got, "df", p.line.df);
	vector_put(got, "chi2", p.line.chi2);
	vector_put(got, "f", p.f.estimate);
	vector_put(got, "se_f", p.f.delta_se);
	vector_put(got, "f_lo", p.f.lo);
	vector_put(got, "f_hi", p.f.hi);
	cJSON_AddStringToObject(got, "type", ratio_set_name(p.f.set));
	return 0;
}

static int run_rank(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	NUMBERS y = vector_numbers(input, "y");
	struct rank_kendall k;
	struct rank_spearman s;
	int r = rank_kendall(x.v, y.v, x.n, &k, err);
	if (r < 0)
		return r;
	r = rank_spearman(x.v, y.v, x.n, &s, err);
	if (r < 0)
		return r;
	double tau;
	r = rank_weighted_tau(x.v, y.v, x.n, &tau, err);
	if (r < 0)
		return r;
	vector_put(got, "weighted_tau", tau);
	vector_put(got, "kendall_p_perm", k.p_permutation);
	vector_put(got, "n", (double)k.n);
	vector_put(got, "concordant", (double)k.concordant);
	vector_put(got, "discordant", (double)k.discordant);
	vector_put(got, "ties_x", (double)k.ties_x);
	vector_put(got, "ties_y", (double)k.ties_y);
	vector_put(got, "ties_xy", (double)k.ties_xy);
	vector_put(got, "tau_b", k.tau_b);
	vector_put(got, "kendall_p_exact", k.p_exact);
	vector_put(got, "kendall_z", k.z);
	vector_put(got, "kendall_p_asymptotic", k.p_asymptotic);
	vector_put(got, "spearman_rho", s.rho);
	vector_put(got, "spearman_S", s.s);
	vector_put(got, "spearman_p_exact", s.p_exact);
	vector_put(got, "spearman_p_t", s.p_t);
	return 0;
}

static const struct vector_run runs[] = {
	{"summary", NULL, run_summary},
	{"intervals", "mean", run_mean},
	{"intervals", "sd", run_sd},
	{"intervals", "cv", run_cv},
	{"intervals", "log_ratio_paired", run_gain},
	{"variance_components", "oneway", run_oneway},
	{"multiple_testing", NULL, run_multiple},
	{"power", "power", run_power},
	{"power", "n", run_sample_size},
	{"power", "mde", run_detectable},
	{"fieller", "summary", run_fieller},
	{"fieller", "paired", run_fieller_paired},
	{"comm_fraction", "point", run_payload},
	{"comm_fraction", "log_ratio", run_payload_log},
	{"comm_fraction", "multi_r", run_payload_several},
	{"rank_correlation", NULL, run_rank},
	{NULL, NULL, NULL},
};

static const struct vector_run *find_in(const struct vector_run *table, const char *file, const char *kind)
{
	for (const struct vector_run *run = table; run->file; run++) {
		if (strcmp(run->file, file) != 0)
			continue;
		if (!run->kind == !kind && (!kind || strcmp(run->kind, kind) == 0))
			return run;
	}
	return NULL;
}

const struct vector_run *vector_run_find(const char *file, const char *kind)
{
	const struct vector_run *const tables[] = {runs, vector_runs_line, vector_runs_tests};
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		const struct vector_run *run = find_in(tables[i], file, kind);
		if (run)
			return run;
	}
	return NULL;
}
