#include "analyze/spread.h"

#include "analyze/findings.h"
#include "analyze/stats/summary.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs that make dots: their y less the median of those they are compared with. */
struct dots {
	double *log_times; /* relative to the median, logs */
	size_t n;
	int64_t blocks;
};

static void dots_release(struct dots *dots)
{
	free(dots->log_times);
}
CLEANUP_VALUE(struct dots, dots_release)

/* The numbers of one setting, in one block or (block NULL) in all: how many. Those that ran something else stay out. */
static size_t collect(const struct campaign *campaign, const struct plan_harness *harness, const char *block,
		      const char *setting, double *ret_y)
{
	CLEANUP(arm_release) struct arm arm;
	size_t n = 0;

	arm_collect(campaign, harness, block, &(struct arm_filter){.setting = setting}, &arm);
	for (size_t i = 0; i < arm.n; i++)
		if (isfinite(arm.runs[i]->response.y) && !campaign_contradicted(arm.runs[i]))
			ret_y[n++] = arm.runs[i]->response.y;
	return n;
}

static void add_cell(const double *y, size_t n, struct dots *dots)
{
	double median;

	if (summary_median(y, n, &median, NULL) < 0)
		return;
	for (size_t i = 0; i < n; i++)
		dots->log_times[dots->n++] = y[i] - median;
}

static void dots_within(const struct campaign *campaign, const struct plan_harness *harness, struct dots *ret)
{
	CLEANUP(mem_free) double *y = mem_new(campaign->n_runs + 1, sizeof(*y));
	size_t n_blocks;
	CLEANUP(mem_free) const char **blocks = campaign_blocks(campaign, harness, &n_blocks);

	for (size_t b = 0; b < n_blocks; b++) {
		size_t before = ret->n;
		for (size_t s = 0; s < campaign->plan->n_settings; s++) {
			size_t n = collect(campaign, harness, blocks[b], campaign->plan->settings[s].name, y);
			if (n >= 2)
				add_cell(y, n, ret);
		}
		ret->blocks += ret->n > before;
	}
}

static void dots_cross(const struct campaign *campaign, const struct plan_harness *harness, struct dots *ret)
{
	CLEANUP(mem_free) double *y = mem_new(campaign->n_runs + 1, sizeof(*y));
	CLEANUP(mem_free) double *one = mem_new(campaign->n_runs + 1, sizeof(*one));
	size_t n_blocks;
	CLEANUP(mem_free) const char **blocks = campaign_blocks(campaign, harness, &n_blocks);
	size_t n = collect(campaign, harness, NULL, campaign->plan->control, y);

	add_cell(y, n, ret);
	for (size_t b = 0; b < n_blocks; b++)
		ret->blocks += collect(campaign, harness, blocks[b], campaign->plan->control, one) > 0;
}

/* (max - min) / median of the times, each relative to its median. */
static double spread_percent(const struct dots *dots)
{
	CLEANUP(mem_free) double *times = mem_new(dots->n + 1, sizeof(*times));
	struct summary summary;

	for (size_t i = 0; i < dots->n; i++)
		times[i] = exp(dots->log_times[i]);
	if (dots->n < 2 || summary_of(times, dots->n, &summary, NULL) < 0)
		return NAN;
	return 100 * summary.range_over_median_ratio;
}

static void count_effects(const struct analysis_doc *doc, struct doc_spread *row)
{
	bool floored = isfinite(row->floor_percent);

	row->effects = 0;
	row->above_floor = floored ? 0 : RECORD_UNSET;
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		if (strcmp(effect->harness, row->harness) != 0 || !doc_effect_is_declared(effect) ||
		    !isfinite(effect->log_gain))
			continue;
		row->effects++;
		if (floored && fabs(effect->log_gain) > log1p(row->floor_percent / 100))
			row->above_floor++;
	}
}

struct own_floor {
	double percent, df;
	const char *reason;
};

static void add_row(const char *harness, const char *kind, const struct dots *dots, struct own_floor floor,
		    struct analysis_doc *doc)
{
	struct doc_spread *row = analysis_doc_add_spread(doc);

	row->harness = mem_dup_string(harness);
	row->kind = mem_dup_string(kind);
	row->runs = (int64_t)dots->n;
	row->blocks = dots->blocks;
	for (size_t i = 0; i < dots->n; i++)
		doc_add_double(&row->deviations_percent, &row->n_deviations, 100 * expm1(-dots->log_times[i]));
	row->spread_percent = spread_percent(dots);
	row->floor_percent = floor.percent;
	row->floor_low_percent = 100 * expm1(-log1p(floor.percent / 100));
	row->df = floor.df;
	if (!isfinite(floor.percent))
		row->floor_percent_reason = mem_dup_string(floor.reason);
	count_effects(doc, row);
}

/* Runs of any setting that have a number. */
static size_t count_runs(const struct campaign *campaign, const struct plan_harness *harness)
{
	CLEANUP(mem_free) double *y = mem_new(campaign->n_runs + 1, sizeof(*y));

	return collect(campaign, harness, NULL, NULL, y);
}

void spread_add(const struct campaign *campaign, const struct plan_harness *harness, const struct floors *floors,
		struct analysis_doc *doc)
{
	CLEANUP(dots_release) struct dots within = {.log_times = mem_new(campaign->n_runs + 1, sizeof(double))};
	CLEANUP(dots_release) struct dots cross = {.log_times = mem_new(campaign->n_runs + 1, sizeof(double))};

	if (count_runs(campaign, harness) < 2)
		return;
	dots_within(campaign, harness, &within);
	dots_cross(campaign, harness, &cross);
	add_row(harness->name, "within_job", &within,
		(struct own_floor){floors->within.percent, floors->within.df, floors->within.reason}, doc);
	add_row(harness->name, "cross_job", &cross,
		(struct own_floor){floors->cross.percent, floors->cross.df, floors->cross.reason}, doc);
}

static bool is_bench(const struct analysis_doc *doc, const char *harness)
{
	const struct doc_harness *row = analysis_doc_find_harness(doc, harness);

	return row && text_equal(row->kind, "bench");
}

/* The floor that the effects of a harness stand against: within the job, across jobs where none is known within. */
static bool is_telling(const struct analysis_doc *doc, size_t row)
{
	const struct doc_spread *spread = &doc->spreads[row];

	if (!isfinite(spread->floor_percent) || !is_bench(doc, spread->harness))
		return false;
	for (size_t i = 0; i < row; i++)
		if (strcmp(doc->spreads[i].harness, spread->harness) == 0 && isfinite(doc->spreads[i].floor_percent))
			return false;
	return true;
}

/* Up to four of the effects that a floor hides: ": memreg +1.6 %, channels -0.4 % and 3 more". */
static void hidden_words(const struct analysis_doc *doc, const struct doc_spread *row, struct text *out)
{
	enum { NAMED = 4 };
	size_t n = 0;

	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		if (strcmp(effect->harness, row->harness) != 0 || !doc_effect_is_declared(effect) ||
		    !isfinite(effect->log_gain) || fabs(effect->log_gain) > log1p(row->floor_percent / 100))
			continue;
		if (n++ < NAMED)
			text_format(out, "%s%s %+.1f %%", n == 1 ? ": " : ", ", effect->setting, effect->gain_percent);
	}
	if (n > NAMED)
		text_format(out, " and %zu more", n - NAMED);
}

void spread_tell(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_spreads; i++) {
		const struct doc_spread *row = &doc->spreads[i];
		int64_t hidden = row->effects - row->above_floor;
		if (!is_telling(doc, i) || row->effects == 0 || 2 * hidden < row->effects)
			continue;
		const char *kind = strcmp(row->kind, "within_job") == 0 ? "within-job" : "cross-job";
		CLEANUP(text_release) struct text names = {0};
		hidden_words(doc, row, &names);
		findings_path(findings_row(doc, "floor_wider_than_effects",
					   campaign_format("the %s floor of %s, %.1f %%, is wider than %" PRId64
							   " of its %" PRId64 " effect%s%s",
							   kind, row->harness, row->floor_percent, hidden, row->effects,
							   row->effects == 1 ? "" : "s", text_string(&names))),
			      "spread", i);
	}
}
