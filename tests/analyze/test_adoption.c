/* What is said about adoption, on effects that are set up by hand. */
#include "analyze/adoption.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct plan_setting settings[] = {
	{.name = (char *)"plugin", .nature = PLAN_DEFECT},
	{.name = (char *)"newer", .hypothesis = PLAN_FASTER, .hypothesis_because = (char *)"it is newer"},
	{.name = (char *)"tree"},
	{.name = (char *)"bucket"},
};
static struct plan_harness harnesses[] = {
	{.name = (char *)"sweep", .kind = PLAN_BENCH, .nodes = 2, .ranks = 8},
	{.name = (char *)"train", .kind = PLAN_SLICE, .nodes = 2, .ranks = 8},
};
static struct plan plan = {.settings = settings,
			   .n_settings = 4,
			   .harnesses = harnesses,
			   .n_harnesses = 2,
			   .target_nodes = 6,
			   .target_ranks = 24,
			   .target_micro_steps = 22};
static const struct campaign campaign = {.plan = &plan};

static struct doc_effect *effect_of(struct analysis_doc *doc, const char *harness, const char *setting,
				    const char *verdict)
{
	struct doc_effect *effect = analysis_doc_add_effect(doc);

	effect->harness = mem_dup_string(harness);
	effect->setting = mem_dup_string(setting);
	effect->verdict = mem_dup_string(verdict);
	effect->attempted = effect->completed = 4;
	return effect;
}

static const char *text_of(const struct analysis_doc *doc, const char *code)
{
	const char *text = NULL;

	for (size_t i = 0; i < doc->n_findings; i++)
		if (strcmp(doc->findings[i].code, code) == 0) {
			assert_null(text);
			text = doc->findings[i].text;
		}
	return text;
}

static void lose(struct analysis_doc *doc, const char *setting, const char *status)
{
	struct doc_lost_run *lost = analysis_doc_add_lost_run(doc);

	lost->harness = mem_dup_string("train");
	lost->setting = mem_dup_string(setting);
	lost->status = mem_dup_string(status);
}

static void test_adoption__one_defect(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();

	(void)state;
	effect_of(doc, "sweep", "newer", "win")->adoptable = true; /* of a benchmark: adopts nothing */
	effect_of(doc, "train", "plugin", "win")->adoptable = true;
	effect_of(doc, "train", "newer", "harm");
	effect_of(doc, "train", "tree", "no_number");
	effect_of(doc, "train", "bucket", "no_number")->attempted = 0;
	adoption_tell(&campaign, doc);
	assert_string_equal(text_of(doc, "only_adoptable"),
			    "of 3 settings tried in production one is adoptable: plugin, which sets a wrong default "
			    "right and is no tuning");
	assert_null(text_of(doc, "nothing_adoptable"));
}

static void test_adoption__none(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();
	CLEANUP(analysis_doc_free) struct analysis_doc *bench_only = analysis_doc_new();

	(void)state;
	effect_of(doc, "train", "newer", "null");
	adoption_tell(&campaign, doc);
	assert_string_equal(text_of(doc, "nothing_adoptable"),
			    "newer, the one setting tried in production, is not adoptable");
	effect_of(bench_only, "sweep", "newer", "win")->adoptable = true;
	adoption_tell(&campaign, bench_only);
	assert_int_equal(bench_only->n_findings, 0);
}

static void test_adoption__two_tunings(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();

	(void)state;
	effect_of(doc, "train", "plugin", "win")->adoptable = true;
	effect_of(doc, "train", "tree", "win")->adoptable = true;
	adoption_tell(&campaign, doc);
	assert_string_equal(text_of(doc, "adoptable"),
			    "of 2 settings tried in production 2 are adoptable: plugin, tree");
}

static void test_adoption__never_finished(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();

	(void)state;
	effect_of(doc, "train", "tree", "no_number")->completed = 0;
	effect_of(doc, "train", "bucket", "no_number")->completed = 0;
	effect_of(doc, "train", "plugin", "win")->completed = 3;
	lose(doc, "tree", "crash");
	lose(doc, "tree", "crash");
	lose(doc, "bucket", "oom");
	lose(doc, "plugin", "crash");
	adoption_tell_losses(&campaign, doc);
	assert_string_equal(text_of(doc, "crashed_setting"),
			    "tree crashed on train in every block that tried it (4): it has no number");
	assert_non_null(strstr(text_of(doc, "out_of_memory"), "bucket ran out of memory on train"));
}

static void test_adoption__no_control(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();

	(void)state;
	string_list_add(&effect_of(doc, "train", "bucket", "no_number")->reasons, "no control in its job");
	adoption_tell_losses(&campaign, doc);
	assert_string_equal(text_of(doc, "no_control_in_job"),
			    "bucket on train had no control in its job: its runs are compared with nothing");

	CLEANUP(analysis_doc_free) struct analysis_doc *cross = analysis_doc_new();
	struct doc_effect *effect = effect_of(cross, "train", "bucket", "unreadable");
	effect->design = mem_dup_string("cross_job");
	effect->gain_percent = 2.5;
	adoption_tell_losses(&campaign, cross);
	assert_non_null(strstr(text_of(cross, "no_control_in_job"), "the +2.5 % across jobs is at most provisional"));
}

static void test_adoption__refuted(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();
	struct doc_effect *effect = effect_of(doc, "train", "newer", "harm");

	(void)state;
	effect->hypothesis = mem_dup_string("refuted");
	effect->gain_percent = -4.25;
	adoption_tell_losses(&campaign, doc);
	assert_string_equal(text_of(doc, "refuted"),
			    "newer was expected to be faster on train (\"it is newer\"): refuted, -4.2 %");
}

static void test_adoption__ranks_do_not_size(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();
	static const char *const names[] = {"plugin", "newer"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct doc_effect *effect = effect_of(doc, "train", names[i], "null");
		effect->gain_percent = 0.1;
		string_list_add(&effect->qualifiers, "not_the_target");
	}
	string_list_add(&effect_of(doc, "train", "tree", "no_number")->qualifiers, "not_the_target");
	adoption_tell(&campaign, doc);
	assert_string_equal(text_of(doc, "ranks_do_not_size"),
			    "train (2 nodes, 8 ranks) is not the target (6 nodes, 24 ranks, 22 micro-steps): its 2 "
			    "numbers rank the settings and do not size them");
}

static void test_adoption__no_evidence_and_open(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();

	(void)state;
	string_list_add(&effect_of(doc, "train", "tree", "null")->qualifiers, "no_evidence_of_effect");
	adoption_tell_losses(&campaign, doc);
	assert_non_null(strstr(text_of(doc, "no_evidence"), "tree on train: no evidence that it took effect"));
	adoption_tell_open(doc);
	assert_null(text_of(doc, "open_questions"));
	analysis_doc_add_question(doc)->text = mem_dup_string("what of tree?");
	analysis_doc_add_question(doc)->text = mem_dup_string("what of bucket?");
	adoption_tell_open(doc);
	assert_string_equal(text_of(doc, "open_questions"), "2 questions stay open; the first: what of tree?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_adoption__one_defect),
		cmocka_unit_test(test_adoption__none),
		cmocka_unit_test(test_adoption__two_tunings),
		cmocka_unit_test(test_adoption__never_finished),
		cmocka_unit_test(test_adoption__no_control),
		cmocka_unit_test(test_adoption__refuted),
		cmocka_unit_test(test_adoption__ranks_do_not_size),
		cmocka_unit_test(test_adoption__no_evidence_and_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
