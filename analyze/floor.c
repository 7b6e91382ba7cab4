#include "analyze/floor.h"

#include "analyze/stats/interval.h"
#include "analyze/stats/summary.h"
#include "analyze/stats/variance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values in groups, in the form that variance_oneway takes. */
struct cells {
	double *values;
	size_t *sizes;
	size_t n_values, n_cells;
	size_t largest;
};

static void cells_release(struct cells *cells)
{
	free(cells->values);
	free(cells->sizes);
}
CLEANUP_VALUE(struct cells, cells_release)

void floors_release(struct floors *floors)
{
	free(floors->within.reason);
	free(floors->cross.reason);
	memset(floors, 0, sizeof(*floors));
}

static void cells_add(struct cells *cells, const struct arm *arm)
{
	size_t size = 0;

	for (size_t i = 0; i < arm->n; i++) {
		if (!isfinite(arm->runs[i]->response.y) || campaign_contradicted(arm->runs[i]))
			continue;
		cells->values[cells->n_values++] = arm->runs[i]->response.y;
		size++;
	}
	if (size == 0)
		return;
	cells->sizes[cells->n_cells++] = size;
	if (size > cells->largest)
		cells->largest = size;
}

static void cells_collect(const struct campaign *campaign, const struct plan_harness *harness, const char *setting,
			  struct cells *cells)
{
	size_t n_blocks;
	CLEANUP(mem_free) const char **blocks = campaign_blocks(campaign, harness, &n_blocks);

	for (size_t b = 0; b < n_blocks; b++) {
		CLEANUP(arm_release) struct arm arm;
		arm_collect(campaign, harness, blocks[b], &(struct arm_filter){.setting = setting}, &arm);
		cells_add(cells, &arm);
	}
}

static void cells_new(const struct campaign *campaign, struct cells *cells)
{
	memset(cells, 0, sizeof(*cells));
	cells->values = mem_new(campaign->n_runs + 1, sizeof(*cells->values));
	cells->sizes = mem_new(campaign->n_runs + 1, sizeof(*cells->sizes));
}

static void floor_within(const struct campaign *campaign, const struct plan_harness *harness, struct floor_within *ret)
{
	CLEANUP(cells_release) struct cells cells;

	cells_new(campaign, &cells);
	for (size_t i = 0; i < campaign->plan->n_settings; i++)
		cells_collect(campaign, harness, campaign->plan->settings[i].name, &cells);
	*ret = (struct floor_within){.s_r = NAN, .df = NAN, .percent = NAN, .cells = 0, .runs = 0};
	if (cells.largest < 2) {
		ret->reason = mem_dup_string("no block holds two runs of one setting");
		return;
	}
	for (size_t i = 0; i < cells.n_cells; i++) {
		ret->cells += cells.sizes[i] >= 2;
		ret->runs += cells.sizes[i] >= 2 ? (int64_t)cells.sizes[i] : 0;
	}
	if (variance_within(cells.values, cells.sizes, cells.n_cells, &ret->s_r, &ret->df, NULL) < 0) {
		ret->reason = mem_dup_string("the repeatability SD cannot be computed");
		return;
	}
	ret->percent = interval_percent_of_log(interval_t_quantile(0.975, ret->df) * ret->s_r * sqrt(2));
}

static void cross_single(const struct cells *cells, struct floor_cross *ret)
{
	double mean;

	if (summary_mean_sd(cells->values, cells->n_values, &mean, &ret->s_R, NULL) < 0) {
		ret->reason = mem_dup_string("the reproducibility SD cannot be computed");
		return;
	}
	ret->mean_of_blocks = mean;
	ret->df = (double)cells->n_cells - 1;
}

static void cross_components(const struct cells *cells, struct floor_cross *ret)
{
	struct variance v;
	size_t at = 0;
	double sum = 0;

	if (variance_oneway(cells->values, cells->sizes, cells->n_cells, &v, NULL) < 0) {
		ret->reason = mem_dup_string("the variance components cannot be computed");
		return;
	}
	for (size_t i = 0; i < cells->n_cells; i++) {
		double cell = 0;
		for (size_t j = 0; j < cells->sizes[i]; j++)
			cell += cells->values[at++] - cells->values[0];
		sum += cell / (double)cells->sizes[i];
	}
	ret->mean_of_blocks = cells->values[0] + sum / (double)cells->n_cells;
	bool reml = !v.balanced && isfinite(v.reml.s_R);
	ret->s_r = reml ? v.reml.s_r : v.s_r;
	ret->s_L = reml ? v.reml.s_L : v.s_L;
	ret->s_R = reml ? v.reml.s_R : v.s_R;
	ret->s_L2_raw = v.sL2_raw;
	ret->df = v.df_R_satterthwaite;
	ret->ms_between = v.ms_between;
	ret->ms_within = v.ms_within;
	ret->n0 = v.n0;
}

static void floor_cross(const struct cells *cells, struct floor_cross *ret)
{
	*ret = (struct floor_cross){.s_R = NAN,
				    .df = NAN,
				    .percent = NAN,
				    .s_r = NAN,
				    .s_L = NAN,
				    .s_L2_raw = NAN,
				    .blocks = (int64_t)cells->n_cells,
				    .runs = (int64_t)cells->n_values,
				    .mean_of_blocks = NAN,
				    .ms_between = NAN,
				    .ms_within = NAN,
				    .n0 = NAN};
	ret->inverse_runs = cells->n_values > 0 ? 1 / (double)cells->n_values : NAN;
	if (cells->n_cells < 2) {
		ret->reason = mem_dup_string(cells->n_cells == 0 ? "no control completed"
								 : "controls of one block only: s_L is not known");
		return;
	}
	if (cells->largest < 2)
		cross_single(cells, ret);
	else
		cross_components(cells, ret);
	if (isfinite(ret->s_R) && ret->df > 0)
		ret->percent = interval_percent_of_log(interval_t_quantile(0.975, ret->df) * ret->s_R * sqrt(2));
	if (!isfinite(ret->percent) && !ret->reason)
		ret->reason = mem_dup_string("the reproducibility SD has no degrees of freedom");
}

static void spread_of(const struct cells *cells, struct floors *ret)
{
	CLEANUP(mem_free) double *times = mem_new(cells->n_values + 1, sizeof(*times));
	struct summary summary;
	struct interval_cv cv;

	ret->spread_percent = ret->cv_percent = ret->cv_lo_percent = ret->cv_hi_percent = NAN;
	ret->spread_n = (int64_t)cells->n_values;
	for (size_t i = 0; i < cells->n_values; i++)
		times[i] = exp(cells->values[i]);
	if (cells->n_values < 2 || summary_of(times, cells->n_values, &summary, NULL) < 0)
		return;
	ret->spread_percent = 100 * summary.range_over_median_ratio;
	if (summary.sd == 0) {
		ret->cv_percent = ret->cv_lo_percent = ret->cv_hi_percent = 0;
		return;
	}
	if (interval_cv(times, cells->n_values, 0.95, &cv, NULL) < 0)
		return;
	ret->cv_percent = 100 * cv.cv_ratio;
	ret->cv_lo_percent = 100 * cv.vangel_lo;
	ret->cv_hi_percent = 100 * cv.vangel_hi;
}

void floors_of(const struct campaign *campaign, const struct plan_harness *harness, const char *control,
	       struct floors *ret)
{
	CLEANUP(cells_release) struct cells cells;

	memset(ret, 0, sizeof(*ret));
	floor_within(campaign, harness, &ret->within);
	cells_new(campaign, &cells);
	cells_collect(campaign, harness, control, &cells);
	floor_cross(&cells, &ret->cross);
	spread_of(&cells, ret);
}
