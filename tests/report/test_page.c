/* The weekly pages over a trace: nothing overlaps, nothing leaves the margins, nothing is too small. */
#include "report/answer.h"
#include "report/canvas_trace.h"
#include "report/format.h"
#include "report/order.h"
#include "report/style.h"
#include "tests/report/fixture_doc.h"
#include "tests/report/trace_rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct trace_pages lay_out(const struct analysis_doc *doc, double width, double height)
{
	return trace_pages_of(doc, "weekly.md", width, height);
}

/* The same over the ends of lines. */
static bool said(const struct trace_pages *pages, const char *words)
{
	size_t n = 0;
	CLEANUP(text_release) struct text all = {0};
	const struct canvas_trace_text *texts = canvas_trace_texts(pages->trace, &n);
	for (size_t i = 0; i < n; i++)
		text_format(&all, "%s ", texts[i].text);
	return strstr(text_string(&all), words) != NULL;
}

static void check_clean(struct analysis_doc *doc)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *owner = doc;
	static const double papers[][2] = {{595.28, 841.89}, {612, 792}};
	for (size_t i = 0; i < 2; i++) {
		CLEANUP(trace_pages_release) struct trace_pages pages = lay_out(owner, papers[i][0], papers[i][1]);
		CLEANUP(text_release) struct text faults = {0};
		if (canvas_trace_faults(pages.trace, STYLE_LEFT, STYLE_MIN_SIZE, &faults) > 0)
			fail_msg("%s", text_string(&faults));
	}
}

static void test_pages__are_clean(void **state)
{
	(void)state;
	check_clean(fixture_doc_rich());
	check_clean(fixture_doc_singles());
	check_clean(fixture_doc_empty());
}

static void test_pages__long_names_are_clean(void **state)
{
	(void)state;
	struct analysis_doc *doc = fixture_doc_rich();
	string_map_set(&doc->titles, "plugin-1.6",
		       "a_title_without_any_space_that_goes_on_and_on_and_on_and_on_and_on");
	for (size_t i = 0; i < doc->n_harnesses; i++) {
		char *old = doc->harnesses[i].name;
		CLEANUP(text_release) struct text name = {0};
		text_format(&name, "%s-on-a-partition-with-a-name-that-does-not-end-%zu", old, i);
		for (size_t e = 0; e < doc->n_effects; e++) {
			if (strcmp(doc->effects[e].harness, old) != 0)
				continue;
			mem_free_pointer(&doc->effects[e].harness);
			doc->effects[e].harness = mem_dup_string(text_string(&name));
		}
		mem_free_pointer(&doc->harnesses[i].name);
		doc->harnesses[i].name = text_take(&name);
	}
	check_clean(doc);
}

static void test_communication__bracket(void **state)
{
	(void)state;
	struct analysis_doc *doc = fixture_doc_rich();
	CLEANUP(trace_pages_release) struct trace_pages without = lay_out(doc, 595.28, 841.89);
	size_t dots = trace_pages_marks(&without, "dot");
	/* none is planned: nothing of it is printed, its heading neither */
	assert_false(trace_pages_drawn(&without, "payload_ratio"));
	assert_false(trace_pages_drawn(&without, "What communication costs"));
	fixture_add_fractions(doc);
	CLEANUP(trace_pages_release) struct trace_pages pages = lay_out(doc, 595.28, 841.89);
	/* recovered, f and the line's f; a bracket, an arrow and a reason have no dot */
	assert_int_equal(trace_pages_marks(&pages, "dot"), dots + 3);
	assert_true(trace_pages_drawn(&pages, "What communication costs"));
	assert_true(trace_pages_drawn(&pages, "12.7"));
	assert_true(trace_pages_drawn(&pages, "\xE2\x89\xA5\xC2\xA0"
					      "25.3"));
	assert_true(trace_pages_drawn(&pages, "model violated"));
	assert_true(trace_pages_drawn(&pages, "no upper bound from throughput"));
	check_clean(doc);
}

static void test_catalogue__hollow_below_the_floor(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	CLEANUP(trace_pages_release) struct trace_pages pages = lay_out(doc, 595.28, 841.89);
	/* on the axis: bf16, buffers-16, bucket-50, ll128 filled; four nulls and one unreadable hollow; the plugin's
	 * 138.8 % is an arrow; void and benches have no mark */
	assert_int_equal(trace_pages_marks(&pages, "dot"), 4);
	assert_int_equal(trace_pages_marks(&pages, "ring"), 5);
	assert_true(trace_pages_drawn(&pages, "+138.8\xC2\xA0% \xE2\x86\x92"));
}

static struct doc_effect *effect_of(struct analysis_doc *doc, const char *verdict)
{
	for (size_t i = 0; i < doc->n_effects; i++)
		if (strcmp(doc->effects[i].verdict, verdict) == 0)
			return &doc->effects[i];
	fail_msg("no effect is %s", verdict);
	return NULL;
}

static void test_catalogue__hollow_off_the_target(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	CLEANUP(trace_pages_release) struct trace_pages before = lay_out(doc, 595.28, 841.89);
	assert_false(trace_pages_drawn(&before, "not the target"));
	string_list_add(&effect_of(doc, "harm")->qualifiers, "not_the_target");
	string_list_add(&effect_of(doc, "win_size_open")->qualifiers, "no_evidence_of_effect");
	CLEANUP(trace_pages_release) struct trace_pages pages = lay_out(doc, 595.28, 841.89);
	assert_int_equal(trace_pages_marks(&pages, "dot"), trace_pages_marks(&before, "dot") - 1);
	assert_int_equal(trace_pages_marks(&pages, "ring"), trace_pages_marks(&before, "ring") + 1);
	assert_true(said(&pages, "where a row ranks and does not size"));
	assert_true(trace_pages_drawn(&pages, "no evidence that it took effect"));
	assert_false(trace_pages_drawn(&pages, "no_evidence"));
}

static void test_catalogue__groups_by_regime(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	CLEANUP(trace_pages_release) struct trace_pages apart = lay_out(doc, 595.28, 841.89);
	assert_true(trace_pages_drawn(&apart, "Regime A, sum hidden"));
	assert_true(trace_pages_drawn(&apart, "Regime B, sum exposed"));
	mem_free_pointer(&doc->harnesses[1].regime);
	doc->harnesses[1].regime = mem_dup_string(doc->harnesses[0].regime);
	CLEANUP(trace_pages_release) struct trace_pages one = lay_out(doc, 595.28, 841.89);
	assert_true(trace_pages_drawn(&one, "Regime A, sum hidden"));
	assert_true(trace_pages_drawn(&one, "2 jobs"));
	assert_true(trace_pages_drawn(&one, "lm7b-exposed, 5 blocks"));
	assert_int_equal(trace_pages_marks(&one, "dot"), trace_pages_marks(&apart, "dot"));
	doc->harnesses[0].micro_steps = 66;
	doc->harnesses[1].micro_steps = 11;
	CLEANUP(trace_pages_release) struct trace_pages steps = lay_out(doc, 595.28, 841.89);
	assert_true(trace_pages_drawn(&steps, "66 micro-steps, lm7b-hidden"));
	assert_true(trace_pages_drawn(&steps, "11 micro-steps, lm7b-exposed"));
}

/* The fixture corrects lm7b-hidden/regcache-off; a run's correction marks the effect that the run is in. */
static void test_corrections__stand_beside(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	CLEANUP(trace_pages_release) struct trace_pages pages = lay_out(doc, 595.28, 841.89);
	size_t n = 0;
	size_t marked = 0;
	for (size_t i = 0; i < doc->n_effects; i++)
		marked += order_is_corrected(doc, &doc->effects[i]);
	assert_int_equal(marked, 1);
	assert_true(said(&pages, "corrected, see the note"));
	assert_false(trace_pages_drawn(&pages, "ok, corrected"));
	struct doc_note *note = analysis_doc_add_correction(doc);
	note->on = mem_dup_string("allreduce-n2/ch24"); /* a benchmark row that is else folded */
	CLEANUP(trace_pages_release) struct trace_pages bench = lay_out(doc, 595.28, 841.89);
	assert_true(said(&bench, "Two settings allreduce-n2 not read"));
	assert_true(said(&pages, "Three settings allreduce-n2 not read"));
	mem_free_pointer(&note->on);
	note->on = mem_dup_string(doc->runs[3].id); /* buffers-16 on lm7b-exposed */
	note->text = mem_dup_string("A cable was out.");
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *e = &doc->effects[i];
		bool of_run = strcmp(e->setting, "buffers-16") == 0 && strcmp(e->harness, "lm7b-exposed") == 0;
		bool named = strcmp(e->setting, "regcache-off") == 0;
		assert_int_equal(order_is_corrected(doc, e), of_run || named);
		n += of_run;
	}
	assert_int_equal(n, 1);
	CLEANUP(trace_pages_release) struct trace_pages after = lay_out(doc, 595.28, 841.89);
	assert_true(trace_pages_drawn(&after, "corrected"));
}

static void test_words__are_of_pages(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	fixture_add_fractions(doc);
	analysis_doc_add_finding(doc)->text =
		mem_dup_string("x on y: -3.4 %, a win, held by not_quality_neutral, no_evidence_of_effect");
	CLEANUP(trace_pages_release) struct trace_pages pages = lay_out(doc, 595.28, 841.89);
	assert_true(trace_pages_drawn(&pages, FORMAT_MINUS "3.4"));
	assert_false(trace_pages_drawn(&pages, "-3.4"));
	assert_false(trace_pages_drawn(&pages, "not_quality"));
	/* a loss changes by less than a gain does */
	assert_true(trace_pages_drawn(&pages, "+4.5600"));
}

static void test_decisions__fold_benchmarks(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_singles();
	CLEANUP(trace_pages_release) struct trace_pages pages = lay_out(doc, 595.28, 841.89);
	assert_true(trace_pages_drawn(&pages, "8 unreadable (single runs, no floor); 4 without a number"));
	assert_int_equal(trace_pages_marks(&pages, "ring"), 0);
}

static void test_table__continues_with_its_head(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	CLEANUP(trace_pages_release) struct trace_pages pages = lay_out(doc, 595.28, 841.89);
	size_t n = 0;
	size_t heads = 0;
	const struct canvas_trace_text *texts = canvas_trace_texts(pages.trace, &n);
	for (size_t i = 0; i < n; i++)
		heads += strcmp(texts[i].text, "Units") == 0;
	assert_true(heads >= 2);
	assert_true(trace_pages_drawn(&pages, "continued"));
}

static void test_missing__prints_the_reason(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_empty();
	CLEANUP(trace_pages_release) struct trace_pages pages = lay_out(doc, 595.28, 841.89);
	assert_true(trace_pages_drawn(&pages, "No setting was compared with a control."));
	assert_true(trace_pages_drawn(&pages, "Simulated data"));
}

static void test_answer(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *singles = fixture_doc_singles();
	CLEANUP(analysis_doc_free) struct analysis_doc *rich = fixture_doc_rich();
	CLEANUP(text_release) struct text out = {0};
	answer_headline(singles, &out);
	assert_string_equal(
		text_string(&out),
		"setup4 gains 138.8\xC2\xA0% on resnet50-n2 when it finishes; it crashed in 4 of 9 jobs: not "
		"adoptable; nothing else is shown to gain 2\xC2\xA0%.");
	text_clear(&out);
	free(singles->lost_runs[0].status);
	singles->lost_runs[0].status = mem_dup_string("timeout");
	answer_headline(singles, &out);
	assert_non_null(strstr(text_string(&out), "it did not finish 4 of 9 jobs"));
	text_clear(&out);
	answer_headline(rich, &out);
	assert_string_equal(text_string(&out), "Adopt Plugin 1.6.0; hold bfloat16 gradient sum until its loss is read; "
					       "nothing else is shown to gain 2\xC2\xA0%.");
	for (size_t i = 0; i < rich->n_effects; i++) {
		if (strcmp(rich->effects[i].verdict, "win") == 0) {
			mem_free_pointer(&rich->effects[i].verdict);
			rich->effects[i].verdict = mem_dup_string("null");
			rich->effects[i].adoptable = false;
		}
	}
	text_clear(&out);
	answer_headline(rich, &out);
	assert_string_equal(text_string(&out),
			    "Nothing is shown to gain 2\xC2\xA0%; LL128 protocol loses 9.6\xC2\xA0%.");
}

static void test_answer__names_the_job_where_others_differ(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	CLEANUP(text_release) struct text out = {0};
	const struct doc_effect *held = NULL;
	for (size_t i = 0; i < doc->n_effects; i++)
		if (string_list_has(&doc->effects[i].qualifiers, "not_quality_neutral"))
			held = &doc->effects[i];
	assert_non_null(held);
	for (size_t i = 0; i < doc->n_effects; i++) {
		if (strcmp(doc->effects[i].verdict, "harm") == 0) {
			free(doc->effects[i].setting);
			doc->effects[i].setting = mem_dup_string(held->setting);
		}
	}
	CLEANUP(text_release) struct text want = {0};
	text_format(&want, "; hold bfloat16 gradient sum on %s until its loss is read;", held->harness);
	answer_headline(doc, &out);
	assert_non_null(strstr(text_string(&out), text_string(&want)));
	text_clear(&out);
	answer_standfirst(doc, &out);
	assert_non_null(strstr(text_string(&out), ". Bfloat16 gradient sum gains "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pages__are_clean),
		cmocka_unit_test(test_pages__long_names_are_clean),
		cmocka_unit_test(test_communication__bracket),
		cmocka_unit_test(test_catalogue__hollow_below_the_floor),
		cmocka_unit_test(test_catalogue__hollow_off_the_target),
		cmocka_unit_test(test_catalogue__groups_by_regime),
		cmocka_unit_test(test_corrections__stand_beside),
		cmocka_unit_test(test_words__are_of_pages),
		cmocka_unit_test(test_decisions__fold_benchmarks),
		cmocka_unit_test(test_table__continues_with_its_head),
		cmocka_unit_test(test_missing__prints_the_reason),
		cmocka_unit_test(test_answer),
		cmocka_unit_test(test_answer__names_the_job_where_others_differ),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
