#include <math.h>
#include <string.h>

#include "analyze/stats/control.h"
#include "analyze/stats/line.h"
#include "analyze/stats/ring.h"
#include "analyze/stats/series.h"
#include "base/mem.h"
#include "tests/support/vector_runs.h"

static int run_line(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	NUMBERS y = vector_numbers(input, "y");
	NUMBERS sigma = vector_numbers(input, "sigma");
	struct line line;
	int r = line_weighted(x.v, y.v, sigma.v, x.n, &line, err);
	if (r < 0)
		return r;
	vector_put(got, "a", line.intercept);
	vector_put(got, "b", line.slope);
	vector_put_array(got, "cov_unscaled", line.covariance, 3);
	vector_put(got, "chi2", line.chi2);
	vector_put(got, "df", line.df);
	if (line.df > 0)
		vector_put_array(got, "cov_scaled", line.covariance_scaled, 3);
	else
		vector_put(got, "cov_scaled", NAN);
	return 0;
}

static int run_origin(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	NUMBERS y = vector_numbers(input, "y");
	NUMBERS sigma = vector_numbers(input, "sigma");
	struct line line;
	int r = line_through_origin(x.v, y.v, sigma.v, x.n, &line, err);
	if (r < 0)
		return r;
	vector_put(got, "b", line.slope);
	vector_put(got, "var_unscaled", line.covariance[2]);
	vector_put(got, "chi2", line.chi2);
	vector_put(got, "df", line.df);
	vector_put(got, "var_scaled", line.covariance_scaled[2]);
	return 0;
}

static void put_both(cJSON *got, const struct line_both *line)
{
	vector_put(got, "a", line->intercept);
	vector_put(got, "b", line->slope);
	vector_put(got, "se_a", line->se_intercept);
	vector_put(got, "se_b", line->se_slope);
	vector_put(got, "S", line->chi2);
	vector_put(got, "df", line->df);
	vector_put(got, "se_a_scaled", line->se_intercept_scaled);
	vector_put(got, "se_b_scaled", line->se_slope_scaled);
}

static int run_deming(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	NUMBERS y = vector_numbers(input, "y");
	double lambda = vector_number(cJSON_GetObjectItemCaseSensitive(input, "lambda"));
	struct line_both line;
	int r = line_deming(x.v, y.v, x.n, lambda, &line, err);
	if (r < 0)
		return r;
	put_both(got, &line);
	return 0;
}

static int run_york(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	NUMBERS y = vector_numbers(input, "y");
	NUMBERS weight_x = vector_numbers(input, "wx");
	NUMBERS weight_y = vector_numbers(input, "wy");
	struct line_both line;
	int r = line_york(x.v, y.v, weight_x.v, weight_y.v, x.n, &line, err);
	if (r < 0)
		return r;
	put_both(got, &line);
	return 0;
}

static int run_theil_sen(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	NUMBERS y = vector_numbers(input, "y");
	double level = vector_number(cJSON_GetObjectItemCaseSensitive(input, "level"));
	struct line_theil_sen line;
	int r = line_theil_sen(x.v, y.v, x.n, level, &line, err);
	if (r < 0)
		return r;
	vector_put(got, "slope", line.slope);
	vector_put(got, "intercept", line.intercept);
	vector_put(got, "intercept_joint", line.intercept_joint);
	vector_put(got, "lo", line.lo);
	vector_put(got, "hi", line.hi);
	vector_put(got, "n_slopes", (double)line.n_slopes);
	vector_put(got, "index_lo", (double)line.index_lo);
	vector_put(got, "index_hi", (double)line.index_hi);
	return 0;
}

/* Zero-based indices of v[n] strictly outside [lo, hi], each plus offset. */
static void put_outside(cJSON *got, const char *key, const double *v, size_t n, const double ends[2], size_t offset)
{
	cJSON *array = cJSON_AddArrayToObject(got, key);
	for (size_t i = 0; i < n; i++) {
		if (v[i] < ends[0] || v[i] > ends[1])
			cJSON_AddItemToArray(array, cJSON_CreateNumber((double)(i + offset)));
	}
}

static int put_xmr(const struct vector_numbers *x, cJSON *got, struct error *err)
{
	struct control_xmr c;
	int r = control_xmr(x->v, x->n, &c, err);
	if (r < 0)
		return r;
	vector_put(got, "centre", c.centre);
	vector_put(got, "mr_bar", c.mean_moving_range);
	vector_put(got, "lcl", c.lo);
	vector_put(got, "ucl", c.hi);
	vector_put(got, "mr_ucl", c.moving_range_hi);
	const double limits[2] = {c.lo, c.hi};
	const double range_limits[2] = {0, c.moving_range_hi};
	CLEANUP(mem_free) double *ranges = mem_new(x->n, sizeof(*ranges));
	for (size_t i = 1; i < x->n; i++)
		ranges[i - 1] = fabs(x->v[i] - x->v[i - 1]);
	put_outside(got, "xmr_out", x->v, x->n, limits, 0);
	put_outside(got, "mr_out", ranges, x->n - 1, range_limits, 1);
	return 0;
}

static int run_control(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	int r = put_xmr(&x, got, err);
	if (r < 0)
		return r;

	CLEANUP(mem_free) double *z = mem_new(x.n, sizeof(*z));
	r = control_modified_z(x.v, x.n, z, err);
	if (r < 0)
		return r;
	if (isnan(z[0])) {
		vector_put(got, "mz", NAN);
		vector_put(got, "mz_out", NAN);
	} else {
		const double limits[2] = {-CONTROL_MODIFIED_Z_MAX, CONTROL_MODIFIED_Z_MAX};
		vector_put_array(got, "mz", z, x.n);
		put_outside(got, "mz_out", z, x.n, limits, 0);
	}

	struct control_fences f;
	r = control_fences(x.v, x.n, &f, err);
	if (r < 0)
		return r;
	vector_put(got, "q1", f.q1);
	vector_put(got, "q3", f.q3);
	vector_put_array(got, "inner", f.inner, 2);
	vector_put_array(got, "outer", f.outer, 2);
	put_outside(got, "inner_out", x.v, x.n, f.inner, 0);
	put_outside(got, "outer_out", x.v, x.n, f.outer, 0);
	return 0;
}

static int run_series(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	size_t max_lag = x.n > 5 ? 5 : x.n - 1;
	double acf[6];
	struct series_size size;
	struct series_trend trend;
	struct series_change change;
	int r = series_trend(x.v, x.n, &trend, err);
	if (r < 0)
		return r;
	r = series_autocorrelation(x.v, x.n, max_lag, acf, err);
	if (r < 0)
		return r;
	r = series_effective_size(x.v, x.n, &size, err);
	if (r < 0)
		return r;
	r = series_change(x.v, x.n, &change, err);
	if (r < 0)
		return r;
	if (isnan(acf[0]))
		vector_put(got, "acf", NAN);
	else
		vector_put_array(got, "acf", acf, max_lag + 1);
	vector_put(got, "n", (double)x.n);
	vector_put(got, "tau_ips", size.tau);
	vector_put(got, "tau_ims", size.tau_monotone);
	vector_put(got, "ess_raw", size.n_raw);
	vector_put(got, "ess", size.n_effective);
	vector_put(got, "mk_S", trend.s);
	vector_put(got, "mk_var", trend.variance);
	vector_put(got, "mk_z", trend.z);
	vector_put(got, "mk_p", trend.p);
	vector_put(got, "mk_p_exact", trend.p_exact);
	vector_put(got, "sen_slope", trend.sen_slope);
	vector_put(got, "pettitt_K", change.pettitt_k);
	vector_put(got, "pettitt_t", (double)change.pettitt_at);
	vector_put(got, "pettitt_p", change.pettitt_p);
	vector_put(got, "cusum_max", change.cusum_max);
	vector_put(got, "cusum_t", isnan(change.cusum_max) ? NAN : (double)change.cusum_at);
	return 0;
}

static void put_ring(cJSON *got, const struct ring *ring)
{
	vector_put(got, "inv_B", ring->inverse_bandwidth_s_per_byte);
	vector_put(got, "B", ring->bandwidth_bytes_per_s);
	vector_put(got, "alpha", ring->latency_s);
	vector_put_array(got, "cov_unscaled", ring->covariance, 3);
	vector_put(got, "chi2", ring->chi2);
	vector_put(got, "df", ring->df);
	vector_put(got, "se_inv_B", ring->se_inverse);
	vector_put(got, "se_alpha", ring->se_latency);
	vector_put(got, "se_B", ring->se_bandwidth);
	vector_put(got, "B_lo", ring->bandwidth[0]);
	vector_put(got, "B_hi", ring->bandwidth[1]);
	vector_put(got, "alpha_lo", ring->latency[0]);
	vector_put(got, "alpha_hi", ring->latency[1]);
	vector_put(got, "B_lo_z", ring->bandwidth_z[0]);
	vector_put(got, "B_hi_z", ring->bandwidth_z[1]);
	cJSON_AddBoolToObject(got, "at_bound", ring->at_bound);
	cJSON *bounded = cJSON_AddObjectToObject(got, "bounded_fit");
	vector_put(bounded, "inv_B", ring->bounded_inverse);
	vector_put(bounded, "B", ring->bounded_bandwidth);
	vector_put(bounded, "alpha", 0);
	vector_put(bounded, "chi2", ring->bounded_chi2);
	vector_put(bounded, "df", ring->bounded_df);
	if (isnan(ring->lack_F)) {
		vector_put(got, "lack_of_fit", NAN);
		return;
	}
	cJSON *lack = cJSON_AddObjectToObject(got, "lack_of_fit");
	vector_put(lack, "F", ring->lack_F);
	vector_put(lack, "df1", ring->lack_df[0]);
	vector_put(lack, "df2", ring->lack_df[1]);
	vector_put(lack, "p", ring->lack_p);
}

static int run_ring(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS size = vector_numbers(input, "S");
	NUMBERS ranks = vector_numbers(input, "N");
	NUMBERS time = vector_numbers(input, "T");
	NUMBERS sigma = vector_numbers(input, "sigma");
	CLEANUP(mem_free) struct ring_point *points = mem_new(size.n + 1, sizeof(*points));
	for (size_t i = 0; i < size.n; i++)
		points[i] = (struct ring_point){size.v[i], ranks.v[i], time.v[i], sigma.v[i]};
	struct ring ring;
	int r = ring_fit(points, size.n, 0.95, &ring, err);
	if (r < 0)
		return r;
	put_ring(got, &ring);
	return 0;
}

const struct vector_run vector_runs_line[] = {
	{"regression", "wls", run_line},
	{"regression", "origin", run_origin},
	{"regression", "deming", run_deming},
	{"regression", "york", run_york},
	{"regression", "theil_sen", run_theil_sen},
	{"control_outliers", NULL, run_control},
	{"series", NULL, run_series},
	{"ring_model", NULL, run_ring},
	{NULL, NULL, NULL},
};
