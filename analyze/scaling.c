#include "analyze/scaling.h"

#include "analyze/scaling_series.h"
#include "analyze/stats/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void scaling_member_release(struct scaling_member *member)
{
	free(member->runs);
	free(member->per_gpu);
}

static void series_release(struct scaling_series *series)
{
	for (size_t i = 0; i < series->n; i++)
		scaling_member_release(&series->members[i]);
	free(series->members);
	throughput_unit_release(&series->unit);
}
CLEANUP_VALUE(struct scaling_series, series_release)

static const char *cluster_of(const struct campaign *campaign, const struct plan_harness *harness)
{
	const char *cluster = NULL;

	for (size_t i = 0; i < campaign->n_runs; i++) {
		const char *own = campaign->runs[i].record->factors.cluster;
		if (campaign->runs[i].harness != harness || !own || !*own)
			continue;
		if (cluster && strcmp(cluster, own) != 0)
			return NULL;
		cluster = own;
	}
	return cluster;
}

static bool started(const struct campaign *campaign, const struct plan_harness *harness)
{
	for (size_t i = 0; i < campaign->n_runs; i++)
		if (campaign->runs[i].harness == harness && campaign->runs[i].record->status != RUN_LAUNCH_FAILED)
			return true;
	return false;
}

static bool is_counted(const struct throughput_unit *unit)
{
	return unit->name && unit->unit.kind != WORK_STEPS;
}

/* In the reference's unit, whichever way the point's own logs give it. */
void scaling_member_read(const struct scaling_series *series, struct scaling_member *member)
{
	const struct campaign *campaign = series->campaign;
	CLEANUP(throughput_unit_release) struct throughput_unit own;
	const struct throughput_unit *unit = &series->unit;

	member->runs = mem_new(campaign->n_runs + 1, sizeof(*member->runs));
	member->per_gpu = mem_new(campaign->n_runs + 1, sizeof(*member->per_gpu));
	throughput_unit_of_slice(campaign, member->harness, &own);
	if (!is_counted(unit) || !series->setting)
		return;
	if (own.name && strcmp(own.name, unit->name) == 0)
		unit = &own;
	size_t n = throughput_runs(campaign, member->harness, series->setting->name, unit, member->runs);
	for (size_t i = 0; i < n; i++) {
		double per_gpu = throughput_of_run(unit, member->runs[i]).per_gpu;
		if (!isfinite(per_gpu))
			continue;
		member->runs[member->n] = member->runs[i];
		member->per_gpu[member->n++] = per_gpu;
	}
}

/* Unknown sizes last. */
static int64_t size_key(int64_t size)
{
	return size < 0 ? INT64_MAX : size;
}

static bool is_smaller(const struct regime *a, const struct regime *b)
{
	if (a->nodes != b->nodes)
		return size_key(a->nodes) < size_key(b->nodes);
	return size_key(a->ranks) < size_key(b->ranks);
}

/* By nodes; those of one size in the order of the plan. */
static void add_member(struct scaling_series *series, const struct plan_harness *harness)
{
	struct scaling_member member = {.harness = harness};
	size_t at = series->n;

	for (size_t i = 0; i < series->n; i++)
		if (series->members[i].harness == harness)
			return;
	member.regime = regime_of(series->campaign, harness);
	member.cluster = cluster_of(series->campaign, harness);
	member.tried = started(series->campaign, harness);
	scaling_member_read(series, &member);
	while (at > 0 && is_smaller(&member.regime, &series->members[at - 1].regime)) {
		series->members[at] = series->members[at - 1];
		at--;
	}
	series->members[at] = member;
	series->n++;
}

/* False when the reference is no slice of the plan. */
static bool series_of(const struct campaign *campaign, const struct plan_scaling *planned, struct scaling_series *ret)
{
	const struct plan *plan = campaign->plan;
	const struct plan_harness *reference = plan_harness_find(plan, planned->reference);

	*ret = (struct scaling_series){.campaign = campaign};
	if (!reference || reference->kind != PLAN_SLICE)
		return false;
	ret->setting = plan_setting_find(plan, planned->setting ? planned->setting : plan->control);
	throughput_unit_of_slice(campaign, reference, &ret->unit);
	ret->members = mem_new(planned->harnesses.n + 1, sizeof(*ret->members));
	add_member(ret, reference);
	for (size_t i = 0; i < planned->harnesses.n; i++) {
		const struct plan_harness *harness = plan_harness_find(plan, planned->harnesses.items[i]);
		if (harness && harness->kind == PLAN_SLICE)
			add_member(ret, harness);
	}
	for (size_t i = 0; i < ret->n; i++)
		if (ret->members[i].harness == reference)
			ret->reference = i;
	return true;
}

static void fill_point(const struct scaling_member *member, struct doc_scaling_point *point)
{
	struct summary summary;

	point->harness = mem_dup_string(member->harness->name);
	point->cluster = mem_dup_string(member->cluster);
	point->nodes = member->regime.nodes;
	point->ranks = member->regime.ranks;
	point->micro_steps = member->regime.micro_steps;
	point->global_batch = member->regime.global_batch;
	point->runs = (int64_t)member->n;
	point->blocks = throughput_blocks(member->runs, member->n);
	for (size_t i = 0; i < member->n; i++)
		doc_add_double(&point->values, &point->n_values, member->per_gpu[i]);
	if (summary_of(member->per_gpu, member->n, &summary, NULL) < 0)
		return;
	point->median = summary.median;
	point->best = summary.max;
	point->worst = summary.min;
}

static char *why_no_curve(const struct scaling_series *series)
{
	const struct scaling_member *reference = &series->members[series->reference];
	size_t with_values = 0;

	for (size_t i = 0; i < series->n; i++)
		with_values += series->members[i].n > 0;
	if (series->unit.name && !is_counted(&series->unit))
		return mem_dup_string("the work of a step is not known: no global batch, no tokens_per_step and no "
				      "throughput in the logs");
	if (reference->n == 0)
		return campaign_format("the reference %s has no throughput a GPU of %s", reference->harness->name,
				       series->setting ? series->setting->name : "the setting");
	return with_values < 2 ? mem_dup_string("only the reference has a throughput a GPU") : NULL;
}

static void add_points(const struct scaling_series *series, struct doc_scaling *row, struct analysis_doc *doc)
{
	for (size_t i = 0; i < series->n; i++)
		fill_point(&series->members[i], doc_scaling_add_point(row));
	struct doc_scaling_point *reference = &row->points[series->reference];
	reference->reference = true;
	for (size_t i = 0; i < series->n; i++) {
		struct doc_scaling_point *point = &row->points[i];
		point->lost_percent = 100 * (1 - point->median / reference->median);
		if (point->reference || !series->members[i].tried)
			continue;
		scaling_confound(series, i, row, doc);
	}
}

void scaling_add(const struct campaign *campaign, struct analysis_doc *doc)
{
	const struct plan *plan = campaign->plan;

	for (size_t s = 0; s < plan->n_scaling; s++) {
		CLEANUP(series_release) struct scaling_series series;
		if (!series_of(campaign, &plan->scaling[s], &series))
			continue;
		struct doc_scaling *row = analysis_doc_add_scaling(doc);
		row->setting = mem_dup_string(plan->scaling[s].setting ? plan->scaling[s].setting : plan->control);
		row->reference = mem_dup_string(plan->scaling[s].reference);
		row->unit = is_counted(&series.unit) ? mem_dup_string(series.unit.name) : NULL;
		row->reason = why_no_curve(&series);
		add_points(&series, row, doc);
	}
}
