#include "assay/analyze.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>

static const struct cli_usage usage = {
	.name = "gate",
	.arguments = "DIR --setting S [--harness H]",
	.summary = "Exit 0 only when the setting is adoptable in every slice (or in the harness named); 1 otherwise.",
	.needs = "one campaign folder is needed",
	.min_words = 1,
	.max_words = 1,
};

enum { GATE_MET = 0, GATE_NOT_MET = 1 };

static void say(const char *harness, const char *setting, const char *what)
{
	CLEANUP(text_release) struct text line = {0};
	terminal_escape(&line, harness);
	text_add(&line, ": '");
	terminal_escape(&line, setting);
	text_add(&line, "' ");
	terminal_escape(&line, what);
	puts(text_string(&line));
}

static int judge_effect(const struct doc_effect *effect)
{
	CLEANUP(text_release) struct text what = {0};
	text_format(&what, "%sadoptable: %s", effect->adoptable ? "" : "not ", effect->verdict ? effect->verdict : "-");
	for (size_t i = 0; i < effect->qualifiers.n; i++)
		text_format(&what, ", %s", effect->qualifiers.items[i]);
	for (size_t i = 0; i < effect->reasons.n && !effect->adoptable; i++)
		text_format(&what, "; %s", effect->reasons.items[i]);
	say(effect->harness, effect->setting, text_string(&what));
	return effect->adoptable ? GATE_MET : GATE_NOT_MET;
}

static int judge_harness(const struct analysis_doc *doc, const char *harness, const char *setting)
{
	int verdict = GATE_MET;
	size_t seen = 0;
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		/* A relabelled arm was another comparison, outside the family: it neither opens nor shuts the gate. */
		if (effect->relabelled || strcmp(effect->harness, harness) != 0 ||
		    strcmp(effect->setting, setting) != 0)
			continue;
		seen++;
		if (judge_effect(effect) != GATE_MET)
			verdict = GATE_NOT_MET;
	}
	if (seen > 0)
		return verdict;
	say(harness, setting, "not adoptable: no run of it was compared with its control");
	return GATE_NOT_MET;
}

static int judge(const struct plan *plan, const struct analysis_doc *doc, const char *setting, const char *harness)
{
	if (harness)
		return judge_harness(doc, harness, setting);
	int verdict = GATE_MET;
	size_t asked = 0;
	for (size_t i = 0; i < plan->n_harnesses; i++) {
		const struct plan_harness *slice = &plan->harnesses[i];
		if (slice->kind != PLAN_SLICE || !plan_harness_runs(plan, slice, setting))
			continue;
		asked++;
		if (judge_harness(doc, slice->name, setting) != GATE_MET)
			verdict = GATE_NOT_MET;
	}
	if (asked > 0)
		return verdict;
	say(plan->name, setting, "not adoptable: no slice runs it, and a benchmark alone cannot price it");
	return GATE_NOT_MET;
}

static int check_names(const struct plan *plan, const char *setting, const char *harness, struct error *err)
{
	const struct plan_setting *found = plan_setting_find(plan, setting);
	if (!found)
		return error_set(err, ERROR_USAGE, "gate: the plan has no setting '%s'", setting);
	if (strcmp(plan_control_of(plan, found), setting) == 0)
		return error_set(err, ERROR_USAGE, "gate: '%s' is the control", setting);
	if (harness && !plan_harness_find(plan, harness))
		return error_set(err, ERROR_USAGE, "gate: the plan has no harness '%s'", harness);
	return 0;
}

int cmd_gate(int argc, char **argv)
{
	enum { SETTING, HARNESS };
	struct cli_option options[] = {
		[SETTING] = {"--setting", CLI_VALUE, "S", "the setting asked about", NULL},
		[HARNESS] = {"--harness", CLI_VALUE, "H", "ask this harness alone", NULL},
		{NULL, CLI_FLAG, NULL, NULL, NULL},
	};
	struct error err = {0};
	CLEANUP(string_list_release) struct string_list words = {0};
	int r = cli_open(&usage, options, argc, argv, &words, &err);
	if (r == CLI_RUN && !options[SETTING].value)
		r = cli_usage_error(&usage, &err, "--setting is needed");
	CLEANUP(plan_free) struct plan *plan = NULL;
	if (r == CLI_RUN)
		r = cli_plan(words.items[0], &plan, &err);
	if (r == CLI_RUN)
		r = check_names(plan, options[SETTING].value, options[HARNESS].value, &err);
	/* From the log itself: an analysis.json that is old or was edited opens no gate. */
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = NULL;
	if (r == CLI_RUN)
		r = analyze_campaign(words.items[0], plan, &doc, &err);
	if (r != CLI_RUN)
		return cli_end(r, &err);
	int verdict = judge(plan, doc, options[SETTING].value, options[HARNESS].value);
	int failed = cli_finish();
	return failed ? failed : verdict;
}
