#include "analyze/regime.h"

#include "analyze/findings.h"
#include "analyze/validity.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int64_t regime_micro_steps(int64_t global_batch, int64_t ranks, int64_t micro_batch)
{
	if (global_batch <= 0 || ranks <= 0 || micro_batch <= 0 || global_batch % (ranks * micro_batch) != 0)
		return RECORD_UNSET;
	return global_batch / (ranks * micro_batch);
}

int64_t regime_of_run(const struct campaign_run *run)
{
	const struct run_factors *factors = &run->record->factors;

	if (factors->micro_steps >= 0)
		return factors->micro_steps;
	return regime_micro_steps(factors->global_batch, validity_ranks(run),
				  factors->micro_batch > 0 ? factors->micro_batch : run->harness->micro_batch);
}

struct regime regime_planned(const struct plan_harness *harness)
{
	struct regime regime = {.nodes = harness->nodes,
				.ranks = harness->ranks,
				.micro_batch = harness->micro_batch,
				.global_batch = harness->global_batch,
				.micro_steps = harness->micro_steps};

	if (regime.micro_steps < 0)
		regime.micro_steps = regime_micro_steps(regime.global_batch, regime.ranks, regime.micro_batch);
	return regime;
}

/* What every run says that says anything. */
static int64_t unanimous(int64_t planned, const int64_t *reported, size_t n)
{
	int64_t value = RECORD_UNSET;

	if (planned >= 0)
		return planned;
	for (size_t i = 0; i < n; i++) {
		if (reported[i] < 0)
			continue;
		if (value >= 0 && value != reported[i])
			return RECORD_UNSET;
		value = reported[i];
	}
	return value;
}

struct regime regime_of(const struct campaign *campaign, const struct plan_harness *harness)
{
	enum { NODES, RANKS, MICRO_BATCH, GLOBAL_BATCH, MICRO_STEPS, N_PARTS };
	CLEANUP(mem_free) int64_t *reported = mem_new((campaign->n_runs + 1) * N_PARTS, sizeof(*reported));
	struct regime regime = regime_planned(harness);
	int64_t *parts[N_PARTS] = {
		[NODES] = &regime.nodes,
		[RANKS] = &regime.ranks,
		[MICRO_BATCH] = &regime.micro_batch,
		[GLOBAL_BATCH] = &regime.global_batch,
		[MICRO_STEPS] = &regime.micro_steps,
	};
	size_t n = 0, stride = campaign->n_runs + 1;

	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct campaign_run *run = &campaign->runs[i];
		const struct run_factors *factors = &run->record->factors;
		if (run->harness != harness || run->record->status == RUN_LAUNCH_FAILED)
			continue;
		const int64_t values[N_PARTS] = {
			[NODES] = factors->nodes,
			[RANKS] = factors->ranks,
			[MICRO_BATCH] = factors->micro_batch,
			[GLOBAL_BATCH] = factors->global_batch,
			[MICRO_STEPS] = regime_of_run(run),
		};
		for (size_t p = 0; p < N_PARTS; p++)
			reported[p * stride + n] = values[p];
		n++;
	}
	for (size_t p = 0; p < N_PARTS; p++)
		*parts[p] = unanimous(*parts[p], &reported[p * stride], n);
	return regime;
}

/* "8 GPUs at global batch 88" */
static void size_words(const struct regime *regime, struct text *out)
{
	text_format(out, "%" PRId64 " GPUs", regime->ranks);
	if (regime->global_batch > 0)
		text_format(out, " at global batch %" PRId64, regime->global_batch);
}

static void add_harness_path(struct analysis_doc *doc, struct doc_finding *finding, const char *harness)
{
	const struct doc_harness *row = analysis_doc_find_harness(doc, harness);

	if (row)
		findings_path(finding, "harnesses", (size_t)(row - doc->harnesses));
}

static bool has_runs(const struct analysis_doc *doc, const char *harness)
{
	const struct doc_harness *row = analysis_doc_find_harness(doc, harness);

	return row && row->runs > 0;
}

static void share_with_slice(const struct campaign *campaign, const struct plan_harness *a,
			     const struct plan_harness *b, struct analysis_doc *doc)
{
	struct regime left = regime_of(campaign, a), right = regime_of(campaign, b);
	CLEANUP(text_release) struct text of_left = {0};
	CLEANUP(text_release) struct text of_right = {0};

	if (left.micro_steps <= 0 || left.micro_steps != right.micro_steps || left.ranks <= 0 || right.ranks <= 0 ||
	    left.ranks == right.ranks || !has_runs(doc, a->name) || !has_runs(doc, b->name))
		return;
	bool swap = left.ranks > right.ranks;
	size_words(swap ? &right : &left, &of_left);
	size_words(swap ? &left : &right, &of_right);
	struct doc_finding *row = findings_row(
		doc, "same_regime",
		campaign_format("%s and %s share a regime: %s take %" PRId64 " micro-steps, as %s; ring latency and "
				"stragglers do not follow",
				swap ? b->name : a->name, swap ? a->name : b->name, text_string(&of_left),
				left.micro_steps, text_string(&of_right)));
	add_harness_path(doc, row, a->name);
	add_harness_path(doc, row, b->name);
}

static void share_with_target(const struct campaign *campaign, const struct plan_harness *harness,
			      struct analysis_doc *doc)
{
	const struct plan *plan = campaign->plan;
	struct regime regime = regime_of(campaign, harness);
	CLEANUP(text_release) struct text words = {0};

	if (plan->target_ranks <= 0 || plan->target_micro_steps <= 0 || regime.ranks <= 0 ||
	    regime.micro_steps != plan->target_micro_steps || regime.ranks == plan->target_ranks ||
	    !has_runs(doc, harness->name))
		return;
	size_words(&regime, &words);
	struct doc_finding *row = findings_row(
		doc, "same_regime",
		campaign_format("%s is in the regime of the target: %s take %" PRId64 " micro-steps, as its %" PRId64
				" GPUs do; ring latency and stragglers do not follow",
				harness->name, text_string(&words), regime.micro_steps, plan->target_ranks));
	add_harness_path(doc, row, harness->name);
}

void regime_add(const struct campaign *campaign, struct analysis_doc *doc)
{
	const struct plan *plan = campaign->plan;

	for (size_t a = 0; a < plan->n_harnesses; a++) {
		if (plan->harnesses[a].kind != PLAN_SLICE)
			continue;
		share_with_target(campaign, &plan->harnesses[a], doc);
		for (size_t b = a + 1; b < plan->n_harnesses; b++)
			if (plan->harnesses[b].kind == PLAN_SLICE)
				share_with_slice(campaign, &plan->harnesses[a], &plan->harnesses[b], doc);
	}
}
