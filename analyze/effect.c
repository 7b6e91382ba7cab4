#include "analyze/effect.h"

#include "analyze/regime.h"
#include "analyze/stats/interval.h"
#include "analyze/stats/multiple.h"
#include "analyze/stats/two_sample.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void judge_pair(const struct campaign *campaign, const struct effect_request *request, struct pair *pair)
{
	const char *side = NULL;
	const struct campaign_run *run = NULL;

	if (!pair_started(pair))
		return;
	validity_confounds(campaign->plan, request->setting, &pair->control, &pair->treatment, pair->confounds);
	if (request->role == EFFECT_FAMILY && pair->control.contradictor) {
		side = "control";
		run = pair->control.contradictor;
	} else if (request->role == EFFECT_FAMILY && pair->treatment.contradictor) {
		side = "treatment";
		run = pair->treatment.contradictor;
	}
	for (size_t i = 0; i < pair->confounds->n; i++)
		pair->batch_differs = pair->batch_differs || pair->confounds->items[i].batch;
	if (run) {
		pair->void_check = "network";
		pair->void_reason = validity_contradiction(campaign->plan, side, run);
		return;
	}
	const char *control = validity_unsteady(&pair->control);
	const char *unsteady = control ? control : validity_unsteady(&pair->treatment);
	if (unsteady) {
		pair->void_check = "steady";
		pair->void_reason = campaign_format("%s arm: %s", control ? "control" : "treatment", unsteady);
		return;
	}
	CLEANUP(text_release) struct text why = {0};
	for (size_t i = 0; i < pair->confounds->n; i++) {
		const struct factor_difference *item = &pair->confounds->items[i];
		if (item->voids)
			text_format(&why, "%s%s %s against %s", why.length > 0 ? ", " : "", item->factor, item->control,
				    item->treatment);
	}
	if (why.length > 0) {
		pair->void_check = "confound";
		pair->void_reason = text_take(&why);
	}
}

void effect_pairs_of(const struct campaign *campaign, const struct effect_request *request, struct effect_pairs *ret)
{
	size_t n_blocks;
	CLEANUP(mem_free) const char **blocks = campaign_blocks(campaign, request->harness, &n_blocks);

	ret->items = mem_new(n_blocks + 1, sizeof(*ret->items));
	ret->n = n_blocks;
	for (size_t b = 0; b < n_blocks; b++) {
		struct pair *pair = &ret->items[b];
		pair->block = blocks[b];
		pair->confounds = mem_new(1, sizeof(*pair->confounds));
		arm_collect(campaign, request->harness, blocks[b], &request->control, &pair->control);
		arm_collect(campaign, request->harness, blocks[b], &request->treatment, &pair->treatment);
		judge_pair(campaign, request, pair);
	}
}

void effect_pairs_release(struct effect_pairs *pairs)
{
	for (size_t i = 0; i < pairs->n; i++) {
		arm_release(&pairs->items[i].control);
		arm_release(&pairs->items[i].treatment);
		factor_differences_release(pairs->items[i].confounds);
		free(pairs->items[i].confounds);
		free(pairs->items[i].void_reason);
	}
	free(pairs->items);
	memset(pairs, 0, sizeof(*pairs));
}

static void effect_init(const struct campaign *campaign, const struct effect_request *request, struct effect *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->harness = request->harness;
	ret->setting = request->setting;
	ret->role = request->role;
	ret->verdict_case = VERDICT_NO_NUMBER;
	ret->lo95 = ret->hi95 = ret->lo90 = ret->hi90 = ret->paired_sd = NAN;
	struct doc_effect *row = &ret->row;
	row->harness = mem_dup_string(request->harness->name);
	row->setting = mem_dup_string(request->setting_name);
	row->control = mem_dup_string(request->control_name);
	row->relabelled = request->role == EFFECT_RELABELLED;
	row->blocks_planned = plan_blocks(campaign->plan, request->harness);
	row->completed_ci95 = row->ci95_percent = row->ci90_percent = (struct doc_interval){NAN, NAN};
	row->mcnemar_p = row->mcnemar_p_with_void = NAN;
	row->log_gain = row->gain_percent = row->df = row->p = row->p_holm = row->blocks_to_settle = NAN;
	row->floor = (struct doc_floor){.percent = NAN,
					.sd_log = NAN,
					.df = NAN,
					.blocks = RECORD_UNSET,
					.runs = RECORD_UNSET,
					.s_r = NAN,
					.s_l = NAN,
					.s_l2_raw = NAN};
}

static void count_completion(const struct effect_pairs *pairs, struct effect *effect)
{
	size_t control_only = 0, treatment_only = 0, control_only_void = 0, treatment_only_void = 0;
	struct doc_effect *row = &effect->row;
	double ci[2];

	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *pair = &pairs->items[i];
		const struct arm *c = &pair->control, *t = &pair->treatment;
		effect->tried += pair_started(pair);
		if (t->n == 0 || (effect->role == EFFECT_FAMILY && t->contradictor))
			continue;
		if (t->external || !t->started) {
			row->external++;
			continue;
		}
		row->attempted++;
		row->completed += t->completed;
		if (!c->started || c->external)
			continue;
		if (c->completed && !t->completed) {
			effect->when_it_finishes = true;
			*(pair->void_check ? &control_only_void : &control_only) += 1;
		}
		if (t->completed && !c->completed)
			*(pair->void_check ? &treatment_only_void : &treatment_only) += 1;
	}
	if (row->attempted > 0 &&
	    interval_binomial((size_t)row->completed, (size_t)row->attempted, 0.95, ci, NULL) == 0)
		row->completed_ci95 = (struct doc_interval){ci[0], ci[1]};
	if (control_only + treatment_only > 0)
		row->mcnemar_p = two_sample_mcnemar_p(control_only, treatment_only);
	if (control_only + treatment_only + control_only_void + treatment_only_void > 0)
		row->mcnemar_p_with_void =
			two_sample_mcnemar_p(control_only + control_only_void, treatment_only + treatment_only_void);
}

static void note_pairs(const struct effect_pairs *pairs, struct effect *effect)
{
	bool same = false, changed = false;

	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *pair = &pairs->items[i];
		if (pair->void_check) {
			string_list_add(&effect->row.void_blocks, pair->block);
			bool measured = pair->control.n_y > 0 && pair->treatment.n_y > 0;
			bool short_runs = strcmp(pair->void_check, "steady") == 0 && pair->control.completed &&
					  pair->treatment.completed;
			effect->voided_complete = effect->voided_complete || measured || short_runs;
		}
		if (!pair_usable(pair))
			continue;
		effect->unverified = effect->unverified || pair->control.unverified || pair->treatment.unverified;
		if (validity_knob_unchanged(effect->setting, &pair->control, &pair->treatment))
			same = true;
		else
			changed = true;
	}
	effect->knob_unchanged = same && !changed;
}

static bool versions_differ(const struct effect_pairs *pairs)
{
	const char *plugin = NULL, *nccl = NULL;

	for (size_t i = 0; i < pairs->n; i++) {
		const struct arm *arm = &pairs->items[i].treatment;
		for (size_t j = 0; j < arm->n; j++) {
			const struct run_factors *factors = &arm->runs[j]->record->factors;
			if (campaign_contradicted(arm->runs[j]))
				continue;
			if (plugin && factors->net.plugin_version && strcmp(plugin, factors->net.plugin_version) != 0)
				return true;
			if (nccl && factors->nccl && strcmp(nccl, factors->nccl) != 0)
				return true;
			plugin = plugin ? plugin : factors->net.plugin_version;
			nccl = nccl ? nccl : factors->nccl;
		}
	}
	return false;
}

void effect_measure(const struct campaign *campaign, const struct effect_request *request, const struct floors *floors,
		    struct effect *ret)
{
	CLEANUP(effect_pairs_release) struct effect_pairs pairs = {0};

	effect_init(campaign, request, ret);
	effect_pairs_of(campaign, request, &pairs);
	count_completion(&pairs, ret);
	note_pairs(&pairs, ret);
	ret->mixed_versions = versions_differ(&pairs);
	effect_estimate(campaign, request, floors, &pairs, ret);
}

void effect_holm(struct effect *effects, size_t n)
{
	CLEANUP(mem_free) double *p = mem_new(n + 1, sizeof(*p));
	size_t known = 0, family = 0;

	for (size_t i = 0; i < n; i++) {
		effects[i].row.p_holm = effects[i].row.p;
		if (effects[i].role != EFFECT_FAMILY)
			continue;
		family++;
		if (isfinite(effects[i].row.p))
			p[known++] = effects[i].row.p;
	}
	if (known == 0 || multiple_holm(p, known, family, p, NULL) < 0)
		return;
	for (size_t i = 0, at = 0; i < n; i++)
		if (effects[i].role == EFFECT_FAMILY && isfinite(effects[i].row.p))
			effects[i].row.p_holm = p[at++];
}

static bool misses_target(const struct plan *plan, const struct plan_harness *harness)
{
	const int64_t wanted[] = {plan->target_nodes, plan->target_ranks, plan->target_micro_steps};
	struct regime regime = regime_planned(harness);
	const int64_t had[] = {regime.nodes, regime.ranks, regime.micro_steps};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (wanted[i] >= 0 && had[i] >= 0 && wanted[i] != had[i])
			return true;
	return false;
}

void effect_judge(const struct plan *plan, struct effect *effect)
{
	struct doc_effect *row = &effect->row;
	const char *reason;
	struct verdict_input input = {
		.verdict_case = effect->verdict_case,
		.lo95 = effect->lo95,
		.hi95 = effect->hi95,
		.lo90 = effect->lo90,
		.hi90 = effect->hi90,
		.p_holm = row->p_holm,
		.margin_percent = plan->margin_percent,
	};
	bool cross = row->design && strcmp(row->design, "cross_job") == 0;
	bool single = row->design && strcmp(row->design, "single_pair") == 0;
	const char *verdict = verdict_of(&input, &reason);

	row->verdict = mem_dup_string(verdict);
	if (*reason)
		string_list_add(&row->reasons, reason);
	if (effect->verdict_case == VERDICT_BARE || effect->verdict_case == VERDICT_MEASURED) {
		const struct {
			bool holds;
			const char *name;
		} qualifiers[] = {
			{cross || effect->tried < row->blocks_planned, "interim"},
			{effect->mixed_versions, "mixed_versions"},
			{effect->unverified, "network_unverified"},
			{effect->knob_unchanged, "no_evidence_of_effect"},
			{effect->quality_open, "not_quality_neutral"},
			{misses_target(plan, effect->harness), "not_the_target"},
			{cross || single, "provisional"},
			{effect->when_it_finishes, "when_it_finishes"},
		};
		for (size_t i = 0; i < sizeof(qualifiers) / sizeof(qualifiers[0]); i++)
			if (qualifiers[i].holds)
				string_list_add(&row->qualifiers, qualifiers[i].name);
	}
	row->adoptable = !row->relabelled && verdict_adoptable(verdict, &row->qualifiers, effect->setting->nature);
	if (effect->role == EFFECT_FAMILY)
		row->hypothesis = mem_dup_string(verdict_hypothesis(effect->setting->hypothesis, verdict));
	if (strcmp(verdict, "unreadable") == 0 && isfinite(effect->paired_sd))
		row->blocks_to_settle = verdict_blocks_to_settle(effect->paired_sd, plan->margin_percent);
}
