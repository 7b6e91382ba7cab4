/* Whole documents hold the rules of every page, whatever is in them. */
#include "base/text.h"
#include "tests/report/fixture_doc.h"
#include "tests/report/fixture_spread.h"
#include "tests/report/trace_rules.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/canvas_pdf.h"
#include "report/canvas_trace.h"
#include "report/section.h"
#include "report/style.h"

static void add_all(struct analysis_doc *doc)
{
	fixture_add_fractions(doc);
	fixture_add_spread(doc);
	fixture_add_throughput(doc);
	fixture_add_price(doc);
}

/* The harness, and what speaks of it, under the name of the one that `many` has. */
static void add_rows_of_many(struct analysis_doc *doc, size_t runs, double reach)
{
	static const char *const kinds[] = {"cross_job", "within_job"};

	for (size_t k = 0; k < 2; k++) {
		struct doc_spread *row = analysis_doc_add_spread(doc);
		row->harness = mem_dup_string(doc->harnesses[0].name);
		row->kind = mem_dup_string(kinds[k]);
		row->runs = (int64_t)runs;
		row->blocks = 4;
		for (size_t i = 0; i < runs; i++)
			doc_add_double(&row->deviations_percent, &row->n_deviations,
				       (k == 0 ? 0.1 : 0.001) * reach * sin((double)i));
		row->spread_percent = reach / 5;
		row->floor_percent = (k == 0 ? 0.3 : 0.003) * reach;
		row->floor_low_percent = 100 * (1 / (1 + row->floor_percent / 100) - 1);
		row->effects = (int64_t)doc->n_effects;
		row->above_floor = 1;
	}
	for (size_t i = 0; i < doc->n_effects; i++) {
		struct doc_throughput *row = analysis_doc_add_throughput(doc);
		row->harness = mem_dup_string(doc->harnesses[0].name);
		row->setting = mem_dup_string(doc->effects[i].setting);
		row->unit = mem_dup_string("images/s");
		row->ranks = 48;
		row->runs = row->blocks = 4;
		row->median = 123456.7;
		row->best = 123999;
		row->worst = 120000;
		row->change_percent = doc->effects[i].gain_percent;
		struct doc_price *price = analysis_doc_add_price(doc);
		price->harness = mem_dup_string(doc->harnesses[0].name);
		price->setting = mem_dup_string(doc->effects[i].setting);
		price->gpu_hours_saved_month = 1234567.8 * (double)i;
		price->gpu_hours_saved_month_ci95 = (struct doc_interval){-1234567, 2345678};
		price->gpu_hours_lost_month = 0.012;
		price->money_saved_month = 9876543;
	}
}

static void test_fixture(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	add_all(doc);
	trace_rules_check(doc, "weekly.md");
	CLEANUP(analysis_doc_free) struct analysis_doc *singles = fixture_doc_singles();
	trace_rules_check(singles, "weekly.md");
	CLEANUP(analysis_doc_free) struct analysis_doc *empty = fixture_doc_empty();
	trace_rules_check(empty, "weekly.md");
}

static void test_numbers_of_settings(void **state)
{
	(void)state;
	static const struct {
		size_t settings, length, runs;
		double reach;
	} cases[] = {
		{60, 8, 40, 14},   {1, 8, 3, 3},         {0, 8, 0, 1},    {60, 64, 400, 500},
		{12, 64, 4, 0.01}, {20, 64, 1000, 0.01}, {2, 64, 2, 500},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(analysis_doc_free)
		struct analysis_doc *doc = fixture_doc_many(cases[i].settings, cases[i].length, cases[i].reach);
		trace_rules_check(doc, "weekly.md");
		add_rows_of_many(doc, cases[i].runs, cases[i].reach);
		trace_rules_check(doc, "weekly.md");
	}
}

/* Every word at its longest: names of 64 bytes in every list that has one. */
static void lengthen(char **name)
{
	CLEANUP(text_release) struct text longer = {0};

	text_add(&longer, *name ? *name : "");
	while (longer.length < 64)
		text_add_char(&longer, longer.length % 11 == 10 ? '-' : 'm');
	mem_free_pointer(name);
	*name = text_take(&longer);
}

static void test_long_names(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	add_all(doc);
	for (size_t i = 0; i < doc->n_harnesses; i++)
		lengthen(&doc->harnesses[i].name);
	for (size_t i = 0; i < doc->n_effects; i++) {
		lengthen(&doc->effects[i].harness);
		lengthen(&doc->effects[i].setting);
	}
	for (size_t i = 0; i < doc->n_spreads; i++)
		lengthen(&doc->spreads[i].harness);
	for (size_t i = 0; i < doc->n_throughputs; i++) {
		lengthen(&doc->throughputs[i].harness);
		lengthen(&doc->throughputs[i].setting);
		if (doc->throughputs[i].ceiling_harness)
			lengthen(&doc->throughputs[i].ceiling_harness);
	}
	for (size_t i = 0; i < doc->n_prices; i++) {
		lengthen(&doc->prices[i].harness);
		lengthen(&doc->prices[i].setting);
	}
	for (size_t i = 0; i < doc->n_fractions; i++) {
		lengthen(&doc->fractions[i].harness);
		lengthen(&doc->fractions[i].setting);
	}
	for (size_t i = 0; i < doc->scope.n; i++)
		lengthen(&doc->scope.items[i]);
	trace_rules_check(doc, "weekly.md");
}

static void check_all_with_verdict(const char *verdict)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_many(30, 20, 8);
	CLEANUP(analysis_doc_free) struct analysis_doc *rich = fixture_doc_rich();

	add_rows_of_many(doc, 12, 8);
	add_all(rich);
	struct analysis_doc *const docs[] = {doc, rich};
	for (size_t d = 0; d < 2; d++) {
		for (size_t i = 0; i < docs[d]->n_effects; i++) {
			struct doc_effect *e = &docs[d]->effects[i];
			mem_free_pointer(&e->verdict);
			e->verdict = mem_dup_string(verdict);
			e->adoptable = false;
			if (strcmp(verdict, "unreadable") != 0)
				e->gain_percent = e->log_gain = (double)NAN;
		}
		for (size_t i = 0; i < docs[d]->n_spreads; i++) {
			docs[d]->spreads[i].floor_percent = (double)NAN;
			mem_free_pointer(&docs[d]->spreads[i].floor_percent_reason);
			docs[d]->spreads[i].floor_percent_reason =
				mem_dup_string("one block holds the runs of a setting, and no two of them are of one "
					       "job: neither a repeatability nor a reproducibility is estimated");
		}
		trace_rules_check(docs[d], "weekly.md");
	}
}

static void test_everything_void(void **state)
{
	(void)state;
	check_all_with_verdict("void");
}

static void test_everything_unreadable(void **state)
{
	(void)state;
	check_all_with_verdict("unreadable");
}

static void test_nothing_has_a_number(void **state)
{
	(void)state;
	check_all_with_verdict("no_number");
}

static size_t faults_of(section_draw *draw, const char *words)
{
	CLEANUP(trace_pages_release) struct trace_pages pages = trace_pages_draw(draw, NULL);
	CLEANUP(text_release) struct text faults = {0};
	size_t n = trace_rules_faults(pages.trace, &faults);

	if (n > 0)
		assert_non_null(strstr(text_string(&faults), words));
	return n;
}

static void figure(struct layout *layout, const char *caption)
{
	layout_title(layout, "Figure", 1, "A figure");
	layout->y += 60;
	section_caption(layout, caption);
}

static void draw_good(struct layout *layout, const struct analysis_doc *doc)
{
	(void)doc;
	figure(layout, "n = runs; gain, %. Hollow: a single run.");
}

static void draw_without_n(struct layout *layout, const struct analysis_doc *doc)
{
	(void)doc;
	figure(layout, "Nothing new: runs, in %.");
}

static void draw_without_unit(struct layout *layout, const struct analysis_doc *doc)
{
	(void)doc;
	figure(layout, "n = runs.");
}

static void draw_unexplained_ring(struct layout *layout, const struct analysis_doc *doc)
{
	(void)doc;
	double y = layout->y + 40;
	figure(layout, "n = runs; gain, %.");
	layout->canvas->ops->dot(layout->canvas, 200, y, 2.5, STYLE_INACTIVE, CANVAS_HOLLOW);
}

static void draw_overlap(struct layout *layout, const struct analysis_doc *doc)
{
	(void)doc;
	canvas_text(layout->canvas, STYLE_CELL, 100, 200, "one word");
	canvas_text(layout->canvas, STYLE_CELL, 110, 201, "another");
}

static void draw_off_the_page(struct layout *layout, const struct analysis_doc *doc)
{
	(void)doc;
	layout->canvas->ops->line(layout->canvas, 200, 700, 200, 830, 1, STYLE_INK, CANVAS_SOLID);
}

static void draw_too_small(struct layout *layout, const struct analysis_doc *doc)
{
	(void)doc;
	canvas_text(layout->canvas, (struct canvas_style){CANVAS_REGULAR, 6, STYLE_INK}, 100, 200, "small");
}

static void draw_into_margin(struct layout *layout, const struct analysis_doc *doc)
{
	(void)doc;
	canvas_text(layout->canvas, STYLE_CELL, 520, 200, "beyond the margin");
}

/* The rules see what they are for. */
static void test_rules__find_faults(void **state)
{
	(void)state;
	static const struct {
		section_draw *draw;
		const char *words;
		size_t faults;
	} cases[] = {
		{draw_good, "", 0},
		{draw_without_n, "what n is", 1},
		{draw_without_unit, "no unit", 1},
		{draw_unexplained_ring, "hollow", 1},
		{draw_overlap, "lies over", 1},
		{draw_off_the_page, "leaves the page", 1},
		{draw_too_small, "too small", 1},
		{draw_into_margin, "leaves the margins", 1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(faults_of(cases[i].draw, cases[i].words), cases[i].faults);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixture),
		cmocka_unit_test(test_numbers_of_settings),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_everything_void),
		cmocka_unit_test(test_everything_unreadable),
		cmocka_unit_test(test_nothing_has_a_number),
		cmocka_unit_test(test_rules__find_faults),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
