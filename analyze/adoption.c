#include "analyze/adoption.h"

#include "analyze/findings.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_slice(const struct campaign *campaign, const struct doc_effect *effect)
{
	const struct plan_harness *harness = plan_harness_find(campaign->plan, effect->harness);

	return harness && harness->kind == PLAN_SLICE;
}

/* ---- settings without a number ---- */

static const struct loss {
	const char *status, *code, *words;
} losses[] = {
	{"oom", "out_of_memory", "ran out of memory"},
	{"crash", "crashed_setting", "crashed"},
	{"timeout", "timed_out", "ran into its deadline"},
	{"wrong", "wrong_result", "gave a wrong result"},
};

/* Lost runs of a comparison that ended in one way, its own causes alone. */
static int64_t count_lost(const struct analysis_doc *doc, const struct doc_effect *effect, const char *status)
{
	int64_t n = 0;

	for (size_t i = 0; i < doc->n_lost_runs; i++) {
		const struct doc_lost_run *lost = &doc->lost_runs[i];
		n += text_equal(lost->harness, effect->harness) && text_equal(lost->setting, effect->setting) &&
		     text_equal(lost->status, status) && !lost->external;
	}
	return n;
}

static const struct loss *loss_of(const struct analysis_doc *doc, const struct doc_effect *effect)
{
	const struct loss *most = NULL;
	int64_t n = 0;

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
		int64_t of_this = count_lost(doc, effect, losses[i].status);
		if (of_this > n) {
			n = of_this;
			most = &losses[i];
		}
	}
	return most;
}

bool adoption_never_finished(const struct doc_effect *effect)
{
	return doc_effect_is_declared(effect) && text_equal(effect->verdict, "no_number") && effect->attempted > 0 &&
	       effect->completed == 0;
}

static void tell_never_finished(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		const struct loss *loss = adoption_never_finished(effect) ? loss_of(doc, effect) : NULL;
		if (!loss)
			continue;
		const char *every =
			effect->attempted == 1 ? "the one block that tried it" : "every block that tried it";
		findings_path(findings_row(doc, loss->code,
					   campaign_format("%s %s on %s in %s (%" PRId64 "): it has no number",
							   effect->setting, loss->words, effect->harness, every,
							   effect->attempted)),
			      "effects", i);
	}
}

/* It ran, and nothing ran beside it. */
static bool lacks_control(const struct doc_effect *effect)
{
	if (!doc_effect_is_declared(effect) || effect->completed == 0)
		return false;
	for (size_t i = 0; i < effect->reasons.n; i++)
		if (strncmp(effect->reasons.items[i], "no control in its job", 21) == 0)
			return true;
	return text_equal(effect->design, "cross_job");
}

static void tell_no_control(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		if (!lacks_control(effect))
			continue;
		CLEANUP(text_release) struct text text = {0};
		text_format(&text, "%s on %s had no control in its job: ", effect->setting, effect->harness);
		if (isfinite(effect->gain_percent))
			text_format(&text, "the %+.1f %% across jobs is at most provisional", effect->gain_percent);
		else
			text_add(&text, "its runs are compared with nothing");
		findings_path(findings_row(doc, "no_control_in_job", text_take(&text)), "effects", i);
	}
}

static void tell_no_evidence(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		if (doc_effect_is_declared(effect) && string_list_has(&effect->qualifiers, "no_evidence_of_effect"))
			findings_path(
				findings_row(doc, "no_evidence",
					     campaign_format("%s on %s: no evidence that it took effect, both arms "
							     "report the same; what stands there is no test of it",
							     effect->setting, effect->harness)),
				"effects", i);
	}
}

/* ---- expectations ---- */

static const char *const expected[] = {
	[PLAN_FASTER] = "faster", [PLAN_SLOWER] = "slower", [PLAN_NONE] = "without effect"};

static void tell_refuted(const struct campaign *campaign, struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		const struct plan_setting *setting = plan_setting_find(campaign->plan, effect->setting);
		if (!setting || !doc_effect_is_declared(effect) || !text_equal(effect->hypothesis, "refuted"))
			continue;
		CLEANUP(text_release) struct text text = {0};
		text_format(&text, "%s was expected to be %s on %s", setting->name, expected[setting->hypothesis],
			    effect->harness);
		if (setting->hypothesis_because && *setting->hypothesis_because)
			text_format(&text, " (\"%s\")", setting->hypothesis_because);
		text_format(&text, ": refuted, %+.1f %%", effect->gain_percent);
		findings_path(findings_row(doc, "refuted", text_take(&text)), "effects", i);
	}
}

void adoption_tell_losses(const struct campaign *campaign, struct analysis_doc *doc)
{
	tell_never_finished(doc);
	tell_no_control(doc);
	tell_refuted(campaign, doc);
	tell_no_evidence(doc);
}

/* ---- adoption ---- */

static void collect_settings(const struct campaign *campaign, const struct analysis_doc *doc,
			     struct string_list *ret_tried, struct string_list *ret_adoptable)
{
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		if (!doc_effect_is_declared(effect) || !is_slice(campaign, effect) || effect->attempted == 0)
			continue;
		string_list_add_once(ret_tried, effect->setting);
		if (effect->adoptable)
			string_list_add_once(ret_adoptable, effect->setting);
	}
}

static void add_slice_paths(const struct campaign *campaign, struct analysis_doc *doc, struct doc_finding *finding,
			    const struct string_list *settings)
{
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		if (doc_effect_is_declared(effect) && is_slice(campaign, effect) &&
		    string_list_has(settings, effect->setting))
			findings_path(finding, "effects", i);
	}
}

static bool all_defects(const struct campaign *campaign, const struct string_list *settings)
{
	for (size_t i = 0; i < settings->n; i++) {
		const struct plan_setting *setting = plan_setting_find(campaign->plan, settings->items[i]);
		if (!setting || setting->nature != PLAN_DEFECT)
			return false;
	}
	return settings->n > 0;
}

static void tell_adoptable(const struct campaign *campaign, struct analysis_doc *doc)
{
	CLEANUP(string_list_release) struct string_list tried = {0};
	CLEANUP(string_list_release) struct string_list adoptable = {0};
	struct doc_finding *row;

	collect_settings(campaign, doc, &tried, &adoptable);
	if (tried.n == 0)
		return;
	CLEANUP(mem_free) char *names = string_list_join(&adoptable);
	const char *nature =
		all_defects(campaign, &adoptable) ? ", which sets a wrong default right and is no tuning" : "";
	if (adoptable.n == 0 && tried.n == 1)
		row = findings_row(
			doc, "nothing_adoptable",
			campaign_format("%s, the one setting tried in production, is not adoptable", tried.items[0]));
	else if (adoptable.n == 0)
		row = findings_row(
			doc, "nothing_adoptable",
			campaign_format("none of the %zu settings tried in production is adoptable", tried.n));
	else if (adoptable.n == 1)
		row = findings_row(doc, "only_adoptable",
				   campaign_format("of %zu setting%s tried in production one is adoptable: %s%s",
						   tried.n, tried.n == 1 ? "" : "s", names, nature));
	else
		row = findings_row(doc, "adoptable",
				   campaign_format("of %zu settings tried in production %zu are adoptable: %s", tried.n,
						   adoptable.n, names));
	add_slice_paths(campaign, doc, row, adoptable.n > 0 ? &adoptable : &tried);
}

static int64_t count_off_target(const struct analysis_doc *doc, const char *harness)
{
	int64_t n = 0;

	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		n += doc_effect_is_declared(effect) && strcmp(effect->harness, harness) == 0 &&
		     isfinite(effect->gain_percent) && string_list_has(&effect->qualifiers, "not_the_target");
	}
	return n;
}

static void add_count(struct text *out, int64_t value, const char *one, const char *many)
{
	if (value > 0)
		text_format(out, "%s%" PRId64 " %s", out->length > 0 ? ", " : "", value, value == 1 ? one : many);
}

static void tell_target(const struct campaign *campaign, struct analysis_doc *doc)
{
	const struct plan *plan = campaign->plan;

	for (size_t i = 0; i < plan->n_harnesses; i++) {
		const struct plan_harness *harness = &plan->harnesses[i];
		int64_t n = count_off_target(doc, harness->name);
		if (n == 0 || harness->kind != PLAN_SLICE)
			continue;
		CLEANUP(text_release) struct text had = {0};
		CLEANUP(text_release) struct text wanted = {0};
		add_count(&had, harness->nodes, "node", "nodes");
		add_count(&had, harness->ranks, "rank", "ranks");
		add_count(&wanted, plan->target_nodes, "node", "nodes");
		add_count(&wanted, plan->target_ranks, "rank", "ranks");
		add_count(&wanted, plan->target_micro_steps, "micro-step", "micro-steps");
		struct doc_finding *row = findings_row(
			doc, "ranks_do_not_size",
			campaign_format("%s (%s) is not the target (%s): its %" PRId64
					" number%s the settings and %s not size them",
					harness->name, had.length > 0 ? text_string(&had) : "size not given",
					text_string(&wanted), n, n == 1 ? " ranks" : "s rank", n == 1 ? "does" : "do"));
		for (size_t e = 0; e < doc->n_effects; e++)
			if (doc_effect_is_declared(&doc->effects[e]) &&
			    strcmp(doc->effects[e].harness, harness->name) == 0 &&
			    string_list_has(&doc->effects[e].qualifiers, "not_the_target"))
				findings_path(row, "effects", e);
	}
}

void adoption_tell(const struct campaign *campaign, struct analysis_doc *doc)
{
	tell_adoptable(campaign, doc);
	tell_target(campaign, doc);
}

void adoption_tell_open(struct analysis_doc *doc)
{
	if (doc->n_questions == 0)
		return;
	struct doc_finding *row =
		findings_row(doc, "open_questions",
			     campaign_format("%zu question%s open; the first: %s", doc->n_questions,
					     doc->n_questions == 1 ? " stays" : "s stay", doc->questions[0].text));
	for (size_t i = 0; i < doc->n_questions; i++)
		findings_path(row, "open_questions", i);
}
