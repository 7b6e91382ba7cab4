#include "analyze/throughput.h"

#include "analyze/regime.h"
#include "analyze/stats/summary.h"
#include "analyze/validity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void throughput_unit_release(struct throughput_unit *unit)
{
	free(unit->name);
	*unit = (struct throughput_unit){0};
}

static bool has_number(const struct campaign_run *run, const struct plan_harness *harness)
{
	return run->harness == harness && run->record->role == RUN_ARM && !run->superseded &&
	       isfinite(run->response.y) && !campaign_contradicted(run);
}

static bool all_have(const struct campaign *campaign, const struct plan_harness *harness, enum work_kind kind)
{
	for (size_t i = 0; i < campaign->n_runs; i++)
		if (has_number(&campaign->runs[i], harness) &&
		    isnan(work_per_step(harness, campaign->runs[i].record, kind)))
			return false;
	return true;
}

/* What is made from the time of a step, best first. */
static const struct {
	enum work_kind kind;
	const char *name;
} derived[] = {{WORK_TOKENS, "tokens/s"}, {WORK_SAMPLES, "samples/s"}, {WORK_STEPS, "steps/s"}};

void throughput_unit_of_slice(const struct campaign *campaign, const struct plan_harness *harness,
			      struct throughput_unit *ret)
{
	const struct campaign_run *first = NULL;

	*ret = (struct throughput_unit){0};
	for (size_t i = 0; i < campaign->n_runs && !first; i++)
		if (has_number(&campaign->runs[i], harness))
			first = &campaign->runs[i];
	if (!first)
		return;
	struct work_unit own = work_unit_of(first->response.unit);
	if (own.kind != WORK_STEPS) {
		*ret = (struct throughput_unit){work_unit_whole(first->response.unit ? first->response.unit : "1"), own,
						true};
		return;
	}
	for (size_t i = 0; i < sizeof(derived) / sizeof(*derived); i++) {
		if (!all_have(campaign, harness, derived[i].kind))
			continue;
		*ret = (struct throughput_unit){mem_dup_string(derived[i].name), {derived[i].kind, false}, false};
		return;
	}
}

/* Whether a run was printed in the unit: a slice whose logs changed their unit is not pooled. */
static bool is_of_unit(const struct throughput_unit *unit, const struct campaign_run *run)
{
	struct work_unit own = work_unit_of(run->response.unit);

	if (!unit->printed)
		return own.kind == WORK_STEPS && !own.per_gpu;
	CLEANUP(mem_free) char *name = work_unit_whole(run->response.unit ? run->response.unit : "1");
	return own.per_gpu == unit->unit.per_gpu && strcmp(name, unit->name) == 0;
}

struct throughput throughput_of_run(const struct throughput_unit *unit, const struct campaign_run *run)
{
	struct throughput rate = {NAN, NAN};
	int64_t ranks = validity_ranks(run);

	if (!unit->name || !isfinite(run->response.y) || !is_of_unit(unit, run))
		return rate;
	double value = exp(-run->response.y);
	if (!unit->printed)
		value *= work_per_step(run->harness, run->record, unit->unit.kind);
	if (unit->unit.kind == WORK_STEPS) {
		rate.whole = value;
	} else if (unit->unit.per_gpu) {
		rate.per_gpu = value;
		rate.whole = ranks > 0 ? value * (double)ranks : NAN;
	} else {
		rate.whole = value;
		rate.per_gpu = ranks > 0 ? value / (double)ranks : NAN;
	}
	return rate;
}

size_t throughput_runs(const struct campaign *campaign, const struct plan_harness *harness, const char *setting,
		       const struct throughput_unit *unit, const struct campaign_run **ret_runs)
{
	size_t n = 0;

	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct campaign_run *run = &campaign->runs[i];
		if (!has_number(run, harness) || !setting || strcmp(run->observed, setting) != 0)
			continue;
		struct throughput rate = throughput_of_run(unit, run);
		if (isfinite(rate.whole) || isfinite(rate.per_gpu))
			ret_runs[n++] = run;
	}
	return n;
}

int64_t throughput_blocks(const struct campaign_run *const *runs, size_t n)
{
	int64_t blocks = 0;

	for (size_t i = 0; i < n; i++) {
		bool known = false;
		for (size_t j = 0; j < i && !known; j++)
			known = strcmp(runs[j]->record->block, runs[i]->record->block) == 0;
		blocks += !known;
	}
	return blocks;
}

/* Median, largest and smallest; NAN unless every value is known. */
static void range_of(const double *values, size_t n, double *ret_median, double *ret_best, double *ret_worst)
{
	struct summary summary;

	*ret_median = *ret_best = *ret_worst = NAN;
	if (summary_of(values, n, &summary, NULL) < 0)
		return;
	*ret_median = summary.median;
	*ret_best = summary.max;
	*ret_worst = summary.min;
}

static bool same_ranks(const struct campaign_run *const *runs, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (validity_ranks(runs[i]) != validity_ranks(runs[0]))
			return false;
	return true;
}

static void add_row(const struct campaign *campaign, const struct plan_harness *harness, const char *setting,
		    const struct throughput_unit *unit, struct analysis_doc *doc)
{
	CLEANUP(mem_free) const struct campaign_run **runs = mem_new(campaign->n_runs + 1, sizeof(*runs));
	CLEANUP(mem_free) double *whole = mem_new(campaign->n_runs + 1, sizeof(*whole));
	CLEANUP(mem_free) double *per_gpu = mem_new(campaign->n_runs + 1, sizeof(*per_gpu));
	size_t n = throughput_runs(campaign, harness, setting, unit, runs);

	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		struct throughput rate = throughput_of_run(unit, runs[i]);
		whole[i] = rate.whole;
		per_gpu[i] = rate.per_gpu;
	}
	struct doc_throughput *row = analysis_doc_add_throughput(doc);
	row->harness = mem_dup_string(harness->name);
	row->setting = mem_dup_string(setting);
	row->unit = mem_dup_string(unit->name);
	row->ranks = same_ranks(runs, n) ? validity_ranks(runs[0]) : RECORD_UNSET;
	row->runs = (int64_t)n;
	row->blocks = throughput_blocks(runs, n);
	range_of(per_gpu, n, &row->median_per_gpu, &row->best_per_gpu, &row->worst_per_gpu);
	range_of(whole, n, &row->median, &row->best, &row->worst);
	/* Whole jobs of different size are not put beside each other. */
	if (!same_ranks(runs, n))
		row->median = row->best = row->worst = NAN;
}

static const struct doc_throughput *find_row(const struct analysis_doc *doc, const char *harness, const char *setting)
{
	for (size_t i = 0; setting && i < doc->n_throughputs; i++)
		if (strcmp(doc->throughputs[i].harness, harness) == 0 &&
		    strcmp(doc->throughputs[i].setting, setting) == 0)
			return &doc->throughputs[i];
	return NULL;
}

static void compare(const struct plan *plan, const struct analysis_doc *doc, struct doc_throughput *row)
{
	const struct plan_setting *setting = plan_setting_find(plan, row->setting);
	const struct doc_throughput *control =
		setting ? find_row(doc, row->harness, plan_control_of(plan, setting)) : NULL;

	if (!control || control == row)
		return;
	if (isfinite(row->median) && isfinite(control->median) && row->ranks == control->ranks)
		row->change_percent = 100 * (row->median / control->median - 1);
	else if (isfinite(row->median_per_gpu) && row->ranks == control->ranks)
		row->change_percent = 100 * (row->median_per_gpu / control->median_per_gpu - 1);
}

static void find_ceiling(const struct campaign *campaign, const struct analysis_doc *doc, struct doc_throughput *row)
{
	const struct plan *plan = campaign->plan;

	for (size_t s = 0; s < plan->n_scaling; s++) {
		const struct plan_scaling *series = &plan->scaling[s];
		const struct plan_harness *reference = plan_harness_find(plan, series->reference);
		const struct plan_setting *setting = plan_setting_find(plan, row->setting);
		if (!reference || strcmp(reference->name, row->harness) == 0 ||
		    !string_list_has(&series->harnesses, row->harness) || regime_of(campaign, reference).nodes != 1)
			continue;
		const struct doc_throughput *ceiling = find_row(doc, reference->name, row->setting);
		if (!ceiling)
			ceiling = find_row(doc, reference->name, setting ? plan_control_of(plan, setting) : NULL);
		if (!ceiling || strcmp(ceiling->unit, row->unit) != 0 || !isfinite(ceiling->median_per_gpu))
			continue;
		row->ceiling_per_gpu = ceiling->median_per_gpu;
		row->ceiling_harness = mem_dup_string(reference->name);
		return;
	}
}

void throughput_add(const struct campaign *campaign, struct analysis_doc *doc)
{
	const struct plan *plan = campaign->plan;

	for (size_t h = 0; h < plan->n_harnesses; h++) {
		if (plan->harnesses[h].kind != PLAN_SLICE)
			continue;
		CLEANUP(throughput_unit_release) struct throughput_unit unit;
		throughput_unit_of_slice(campaign, &plan->harnesses[h], &unit);
		for (size_t s = 0; s < plan->n_settings; s++)
			add_row(campaign, &plan->harnesses[h], plan->settings[s].name, &unit, doc);
	}
	for (size_t i = 0; i < doc->n_throughputs; i++) {
		compare(plan, doc, &doc->throughputs[i]);
		find_ceiling(campaign, doc, &doc->throughputs[i]);
	}
}
