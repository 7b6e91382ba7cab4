#include "analyze/findings.h"

#include "analyze/adoption.h"
#include "analyze/comm_fraction.h"
#include "analyze/inference.h"
#include "analyze/loss_pair.h"
#include "analyze/parity.h"
#include "analyze/regime.h"
#include "analyze/scaling.h"
#include "analyze/spread.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct doc_finding *findings_row(struct analysis_doc *doc, const char *code, char *text)
{
	struct doc_finding *row = analysis_doc_add_finding(doc);

	row->code = mem_dup_string(code);
	row->text = text;
	return row;
}

void findings_path(struct doc_finding *finding, const char *list, size_t index)
{
	CLEANUP(mem_free) char *path = campaign_format("/%s/%zu", list, index);

	string_list_add(&finding->paths, path);
}

/* "setup4 on resnet50-n2: +138.8 % [+131.2, +146.5], 4 blocks" */
static char *gain_text(const struct doc_effect *effect)
{
	CLEANUP(text_release) struct text text = {0};

	text_format(&text, "%s on %s: %+.1f %%", effect->setting, effect->harness, effect->gain_percent);
	if (!isnan(effect->ci95_percent.lo))
		text_format(&text, ", 95 %% interval [%+.1f, %+.1f] %%", effect->ci95_percent.lo,
			    effect->ci95_percent.hi);
	text_format(&text, ", %" PRId64 " block%s", effect->blocks, effect->blocks == 1 ? "" : "s");
	return text_take(&text);
}

static void find_harms(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		if (!doc_effect_is_declared(effect) || strncmp(effect->verdict, "harm", 4) != 0)
			continue;
		CLEANUP(mem_free) char *gain = gain_text(effect);
		findings_path(findings_row(doc, "harm", campaign_format("%s: slower than %s", gain, effect->control)),
			      "effects", i);
	}
}

/* The worst of several, by slice. */
static void find_largest_loss(struct analysis_doc *doc)
{
	for (size_t h = 0; h < doc->n_harnesses; h++) {
		size_t n = 0, worst = 0;
		for (size_t i = 0; i < doc->n_effects; i++) {
			const struct doc_effect *effect = &doc->effects[i];
			if (!doc_effect_is_declared(effect) || strncmp(effect->verdict, "harm", 4) != 0 ||
			    !text_equal(effect->harness, doc->harnesses[h].name))
				continue;
			worst = n++ == 0 || effect->log_gain < doc->effects[worst].log_gain ? i : worst;
		}
		if (n >= 2)
			findings_path(
				findings_row(doc, "largest_loss",
					     campaign_format("%s is the largest of %zu losses on %s",
							     doc->effects[worst].setting, n, doc->harnesses[h].name)),
				"effects", worst);
	}
}

static void find_crashes(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		if (!doc_effect_is_declared(effect) || effect->attempted == 0 ||
		    effect->completed >= effect->attempted || adoption_never_finished(effect))
			continue;
		const char *when = string_list_has(&effect->qualifiers, "when_it_finishes")
					   ? "; its gain holds when it finishes"
					   : "";
		CLEANUP(text_release) struct text p = {0};
		if (isfinite(effect->mcnemar_p))
			text_format(&p, ", McNemar p = %.3g against %s", effect->mcnemar_p, effect->control);
		findings_path(findings_row(doc, "does_not_always_finish",
					   campaign_format("%s on %s completed %" PRId64 " of %" PRId64
							   " [%.0f, %.0f] %%%s%s",
							   effect->setting, effect->harness, effect->completed,
							   effect->attempted, 100 * effect->completed_ci95.lo,
							   100 * effect->completed_ci95.hi, text_string(&p), when)),
			      "effects", i);
	}
}

/* A void loss reading leaves the throughput: it is told by its loss pair. */
static bool voids_throughput(const struct doc_void *entry)
{
	return !text_equal(entry->check, "untrained_loss");
}

static void find_void(struct analysis_doc *doc)
{
	const struct doc_void *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < doc->n_voids; i++) {
		if (!voids_throughput(&doc->voids[i]))
			continue;
		n++;
		first = first ? first : &doc->voids[i];
	}
	if (n == 0)
		return;
	struct doc_finding *row =
		findings_row(doc, "void_pairs",
			     campaign_format("%zu pair%s void; the first: %s on %s in %s: %s", n,
					     n == 1 ? " is" : "s are", first->setting, first->harness, first->block,
					     first->reason ? first->reason : "a check failed"));
	for (size_t i = 0; i < doc->n_voids; i++)
		if (voids_throughput(&doc->voids[i]))
			findings_path(row, "void", i);
}

static bool same_relabelling(const struct doc_relabelled *a, const struct doc_relabelled *b)
{
	return text_equal(a->declared, b->declared) && text_equal(a->named, b->named) &&
	       text_equal(a->evidence, b->evidence);
}

/* Runs renamed alike, on the same evidence, are one finding. */
static void find_relabelled(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_relabelled; i++) {
		const struct doc_relabelled *entry = &doc->relabelled[i];
		size_t runs = 0, first = doc->n_relabelled;
		for (size_t j = 0; j < doc->n_relabelled; j++)
			if (same_relabelling(entry, &doc->relabelled[j])) {
				runs++;
				first = j < first ? j : first;
			}
		if (first < i)
			continue;
		CLEANUP(mem_free)
		char *subject = runs == 1 ? campaign_format("run %s", entry->run) : campaign_format("%zu runs", runs);
		struct doc_finding *row = findings_row(doc, "relabelled",
						       campaign_format("%s declared %s and ran %s: read as %s", subject,
								       entry->declared, entry->evidence, entry->named));
		for (size_t j = i; j < doc->n_relabelled; j++)
			if (same_relabelling(entry, &doc->relabelled[j]))
				findings_path(row, "relabelled", j);
	}
}

static void find_drift(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_drifts; i++) {
		const struct doc_drift *drift = &doc->drifts[i];
		if (drift->flagged)
			findings_path(
				findings_row(
					doc, "drift",
					campaign_format("%s drifts inside its blocks: %+.2f %% in time from first to "
							"last sentinel, %" PRId64 " blocks, p = %.2g",
							drift->harness, 100 * expm1(drift->mean_log_change),
							drift->blocks, drift->p)),
				"drift", i);
	}
}

static const struct plan_setting *setting_of(const struct campaign *campaign, const struct doc_effect *effect)
{
	return plan_setting_find(campaign->plan, effect->setting);
}

static void find_wins(const struct campaign *campaign, struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		if (!doc_effect_is_declared(effect) || strncmp(effect->verdict, "win", 3) != 0)
			continue;
		CLEANUP(mem_free) char *gain = gain_text(effect);
		CLEANUP(mem_free) char *held = string_list_join(&effect->qualifiers);
		const struct plan_setting *setting = setting_of(campaign, effect);
		bool defect = setting && setting->nature == PLAN_DEFECT;
		const struct plan_harness *harness = plan_harness_find(campaign->plan, effect->harness);
		if (harness && harness->kind == PLAN_BENCH)
			findings_path(
				findings_row(doc, "benchmark_win",
					     campaign_format("%s: a win of the benchmark, which ranks and cannot price",
							     gain)),
				"effects", i);
		else if (effect->adoptable)
			findings_path(findings_row(doc, defect ? "defect_set_right" : "adoptable_win",
						   campaign_format(defect ? "%s: a wrong default set right, adoptable"
									  : "%s: a win, adoptable",
								   gain)),
				      "effects", i);
		else if (effect->qualifiers.n > 0)
			findings_path(
				findings_row(
					doc, "win_held",
					campaign_format("%s: a %s, held by %s", gain,
							text_equal(effect->verdict, "win") ? "win" : "win of open size",
							held)),
				"effects", i);
		else
			findings_path(
				findings_row(doc, "win_size_open",
					     campaign_format("%s: faster, but the interval holds the margin", gain)),
				"effects", i);
	}
}

static void find_counted(struct analysis_doc *doc, const char *verdict, const char *code, const char *what)
{
	struct doc_finding *row = NULL;
	size_t n = 0;

	for (size_t i = 0; i < doc->n_effects; i++)
		n += doc_effect_is_declared(&doc->effects[i]) && text_equal(doc->effects[i].verdict, verdict);
	if (n == 0)
		return;
	row = findings_row(doc, code, campaign_format("%zu %s %s", n, n == 1 ? "effect is" : "effects are", what));
	for (size_t i = 0; i < doc->n_effects; i++)
		if (doc_effect_is_declared(&doc->effects[i]) && text_equal(doc->effects[i].verdict, verdict))
			findings_path(row, "effects", i);
}

static void find_unfloored(struct analysis_doc *doc, const char *kind, const char *code, const char *consequence)
{
	CLEANUP(text_release) struct text names = {0};
	size_t n = 0;

	for (size_t i = 0; i < doc->n_harnesses; i++) {
		const struct doc_harness *harness = &doc->harnesses[i];
		if (harness->unfloored && harness->completed > 0 && text_equal(harness->kind, kind))
			text_format(&names, "%s%s", n++ > 0 ? ", " : "", harness->name);
	}
	if (n == 0)
		return;
	struct doc_finding *row =
		findings_row(doc, code, campaign_format("no floor on %s: %s", text_string(&names), consequence));
	for (size_t i = 0; i < doc->n_harnesses; i++)
		if (doc->harnesses[i].unfloored && doc->harnesses[i].completed > 0 &&
		    text_equal(doc->harnesses[i].kind, kind))
			findings_path(row, "harnesses", i);
}

static void find_launches(struct analysis_doc *doc)
{
	struct doc_finding *row = NULL;
	size_t n = 0;

	for (size_t i = 0; i < doc->n_lost_runs; i++)
		n += text_equal(doc->lost_runs[i].status, "launch_failed");
	if (n == 0)
		return;
	row = findings_row(doc, "launch_failures", campaign_format("%zu of %zu runs did not start", n, doc->n_runs));
	for (size_t i = 0; i < doc->n_lost_runs; i++)
		if (text_equal(doc->lost_runs[i].status, "launch_failed"))
			findings_path(row, "lost_runs", i);
}

/* Whether the control stands before every other arm in each of two or more blocks. */
static bool control_always_first(const struct campaign *campaign, const struct plan_harness *harness)
{
	size_t n_blocks, seen = 0;
	CLEANUP(mem_free) const char **blocks = campaign_blocks(campaign, harness, &n_blocks);

	for (size_t b = 0; b < n_blocks; b++) {
		int64_t control = INT64_MAX, other = INT64_MAX;
		for (size_t i = 0; i < campaign->n_runs; i++) {
			const struct campaign_run *run = &campaign->runs[i];
			if (run->harness != harness || run->record->role != RUN_ARM ||
			    strcmp(run->record->block, blocks[b]) != 0)
				continue;
			int64_t *slot = text_equal(run->record->setting, campaign->plan->control) ? &control : &other;
			*slot = run->record->position < *slot ? run->record->position : *slot;
		}
		if (control == INT64_MAX || other == INT64_MAX)
			continue;
		if (control > other)
			return false;
		seen++;
	}
	return seen >= 2;
}

static void find_design_limits(const struct campaign *campaign, struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_harnesses; i++) {
		const struct doc_harness *harness = &doc->harnesses[i];
		const struct plan_harness *planned = plan_harness_find(campaign->plan, harness->name);
		if (planned && control_always_first(campaign, planned))
			findings_path(
				findings_row(
					doc, "fixed_order",
					campaign_format("in every block of %s the control ran first: order and setting "
							"cannot be told apart",
							harness->name)),
				"harnesses", i);
		if (harness->note)
			findings_path(findings_row(doc, "throughput_print",
						   campaign_format("%s: %s", harness->name, harness->note)),
				      "harnesses", i);
	}
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		if (doc_effect_is_declared(effect) && string_list_has(&effect->qualifiers, "mixed_versions"))
			findings_path(findings_row(doc, "mixed_versions",
						   campaign_format("%s on %s pools runs of different versions",
								   effect->setting, effect->harness)),
				      "effects", i);
	}
}

void findings_add(const struct campaign *campaign, struct analysis_doc *doc)
{
	find_harms(doc);
	find_largest_loss(doc);
	adoption_tell_losses(campaign, doc);
	find_crashes(doc);
	find_void(doc);
	loss_pairs_tell(doc);
	parity_tell(doc);
	find_relabelled(doc);
	find_drift(doc);
	find_launches(doc);
	find_unfloored(doc, "bench", "unfloored_benchmark",
		       "a benchmark without floor may rank, it cannot price a setting");
	find_unfloored(doc, "slice", "unfloored_slice", "no difference from it is a result");
	spread_tell(doc);
	find_counted(doc, "unreadable", "unreadable", "unreadable: the data allow no reading");
	find_counted(doc, "no_number", "no_number", "without a number");
	find_counted(doc, "null", "nulls", "null: inside the margin");
	find_counted(doc, "immaterial", "immaterial", "real and smaller than the margin");
	adoption_tell(campaign, doc);
	find_wins(campaign, doc);
	inference_tell(doc);
	comm_fraction_tell(doc);
	scaling_tell(doc);
	regime_add(campaign, doc);
	find_design_limits(campaign, doc);
	adoption_tell_open(doc);
}
