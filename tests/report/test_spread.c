/* The figures of runs, the price and the scope: what is drawn, and what is said of it. */
#include "report/canvas_trace.h"
#include "report/figure/change.h"
#include "report/figure/spread.h"
#include "report/format.h"
#include "report/section.h"
#include "report/style.h"
#include "tests/report/fixture_doc.h"
#include "tests/report/fixture_spread.h"
#include "tests/report/trace_rules.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct analysis_doc *doc_with_all(void)
{
	struct analysis_doc *doc = fixture_doc_rich();

	fixture_add_spread(doc);
	fixture_add_throughput(doc);
	fixture_add_price(doc);
	return doc;
}

static void check_clean(const struct trace_pages *pages)
{
	CLEANUP(text_release) struct text faults = {0};

	if (trace_rules_faults(pages->trace, &faults) > 0)
		fail_msg("%s", text_string(&faults));
}

/* No dot hides another: their middles are a diameter apart. */
static void check_dots_apart(const struct trace_pages *pages)
{
	size_t n = 0;
	const struct canvas_trace_mark *marks = canvas_trace_marks(pages->trace, &n);

	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; strcmp(marks[i].kind, "dot") == 0 && j < n; j++) {
			if (strcmp(marks[j].kind, "dot") != 0 || marks[i].page != marks[j].page)
				continue;
			double diameter = marks[i].x2 - marks[i].x1;
			double away = hypot(marks[i].x1 - marks[j].x1, marks[i].y1 - marks[j].y1);
			if (away < diameter)
				fail_msg("dots %zu and %zu are %g points apart", i, j, away);
		}
	}
}

static void test_spread__every_run_is_a_dot(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = doc_with_all();
	CLEANUP(trace_pages_release) struct trace_pages pages = trace_pages_draw(figure_spread, doc);
	size_t runs = 0;

	for (size_t i = 0; i < doc->n_spreads; i++)
		runs += doc->spreads[i].n_deviations;
	assert_int_equal(runs, 32);
	assert_int_equal(trace_pages_marks(&pages, "dot"), runs);
	check_dots_apart(&pages);
	check_clean(&pages);
}

static void test_spread__many_runs_are_counted_in_words(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = doc_with_all();
	struct doc_spread *row = &doc->spreads[1];

	for (size_t i = 0; i < 986; i++) /* with the 14 of the fixture: 1000, within 0.5 % of an axis of 40 % */
		doc_add_double(&row->deviations_percent, &row->n_deviations, 0.25 * sin((double)i));
	row->runs = 1000;
	CLEANUP(trace_pages_release) struct trace_pages pages = trace_pages_draw(figure_spread, doc);
	check_dots_apart(&pages);
	check_clean(&pages);
	assert_true(trace_pages_drawn(&pages, "a dot: "));
	assert_true(trace_pages_drawn(&pages, "1000 runs, 7 jobs"));
}

/* The y at which the line over a mark ends: the top of the longest vertical line at x. */
static double climb(const struct trace_pages *pages, const char *label, double *ret_axis)
{
	size_t n = 0;
	const struct canvas_trace_text *texts = canvas_trace_texts(pages->trace, &n);
	const struct canvas_trace_text *text = NULL;
	for (size_t i = 0; i < n; i++)
		text = strstr(texts[i].text, label) ? &texts[i] : text;
	assert_non_null(text);
	const struct canvas_trace_mark *marks = canvas_trace_marks(pages->trace, &n);
	/* the leader: the vertical line that ends at the label's arm, left of the text or else right of it */
	const struct canvas_trace_mark *leader = NULL;
	for (int right = 0; right < 2 && !leader; right++) {
		for (size_t i = 0; i < n; i++) {
			bool vertical = fabs(marks[i].x1 - marks[i].x2) < 1e-9 && strcmp(marks[i].kind, "line") == 0;
			double from = text->x + text->width;
			bool beside = right ? marks[i].x1 > from && marks[i].x1 < from + 60
					    : fabs(marks[i].x1 - (text->x - 8)) < 0.1;
			if (vertical && beside && fabs(marks[i].y2 - (text->y - 2.4)) < 0.1)
				leader = &marks[i];
		}
	}
	assert_non_null(leader);
	*ret_axis = leader->y1;
	double top = leader->y1;
	for (size_t i = 0; i < n; i++)
		if (fabs(marks[i].x1 - leader->x1) < 0.01 && fabs(marks[i].x2 - leader->x1) < 0.01 &&
		    fabs(marks[i].y2 - leader->y1) < 0.01 && marks[i].y1 < top)
			top = marks[i].y1;
	return top;
}

/* 14.5 and -9.6 exceed 0.7 within a job and not 21.2 across; 0.5 exceeds none. 0.9 stays below 1.2; 1.6 exceeds it. */
static void test_spread__effects_stop_at_the_first_floor(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = doc_with_all();
	CLEANUP(trace_pages_release) struct trace_pages pages = trace_pages_draw(figure_spread, doc);
	double axis = 0;
	double win = climb(&pages, "bfloat16 gradient sum", &axis);
	double harm = climb(&pages, "LL128 protocol", &axis);
	double buffers = climb(&pages, "Buffers 16 MiB", &axis);

	assert_true(axis - win > 40); /* the whole row */
	assert_true(fabs(win - harm) < 0.01 && fabs(win - buffers) < 0.01);
	double nulls = climb(&pages, "two nulls", &axis);
	assert_true(axis - nulls < 4);
	double cache = climb(&pages, "Registration cache off", &axis);
	assert_true(axis - cache > 40);
	double bucket = climb(&pages, "Bucket 50 MB", &axis);
	assert_true(axis - bucket < 4);
}

static void test_spread__words(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = doc_with_all();
	CLEANUP(trace_pages_release) struct trace_pages pages = trace_pages_draw(figure_spread, doc);
	static const char *const words[] = {
		"3 of 5",
		"0 of 5",
		FORMAT_MINUS "17.5 to +21.2", /* 1 / 1.212 - 1 */
		"\xC2\xB1"
		"0.7",
		"two nulls,",
		"+0.4 to +0.5",
		", below its own floor",
		"+138.8",
		"\xE2\x86\x92",
		"no floor: two runs of one job: no spread over jobs",
		"across jobs",
		"inside one job",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!trace_pages_drawn(&pages, words[i]))
			fail_msg("'%s' is not drawn", words[i]);
	assert_false(trace_pages_drawn(&pages, "differ from"));
	assert_false(trace_pages_drawn(&pages, "faster"));
}

static void test_spread__unfloored_has_no_band(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = doc_with_all();
	CLEANUP(trace_pages_release) struct trace_pages with = trace_pages_draw(figure_spread, doc);
	size_t n = 0, bands = 0;

	for (size_t i = 0; i < doc->n_spreads; i++)
		bands += isfinite(doc->spreads[i].floor_percent);
	assert_int_equal(bands, 4);
	const struct canvas_trace_mark *marks = canvas_trace_marks(with.trace, &n);
	size_t rects = 0;
	for (size_t i = 0; i < n; i++) /* bands stand in the plot and are as high as a row */
		rects += strcmp(marks[i].kind, "rect") == 0 && marks[i].y2 - marks[i].y1 > 40;
	assert_int_equal(rects, bands);
}

/* What ran once repeats nothing: named in words with the reason, once for all harnesses of it. */
static void test_spread__single_runs_are_words(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	static const char *const harnesses[] = {"allreduce-n2", "lm7b-hidden"};

	for (size_t i = 0; i < 2; i++) {
		struct doc_spread *row = analysis_doc_add_spread(doc);
		row->harness = mem_dup_string(harnesses[i]);
		row->kind = mem_dup_string("cross_job");
		row->runs = row->blocks = 1;
		doc_add_double(&row->deviations_percent, &row->n_deviations, 0);
		row->floor_percent = (double)NAN;
		row->floor_percent_reason = mem_dup_string("controls of one block only");
	}
	CLEANUP(trace_pages_release) struct trace_pages none = trace_pages_draw(figure_spread, doc);
	assert_int_equal(trace_pages_marks(&none, "dot"), 0);
	assert_true(trace_pages_drawn(&none,
				      "No row across jobs for allreduce-n2, lm7b-hidden: controls of one block only."));
	fixture_add_spread(doc);
	CLEANUP(trace_pages_release) struct trace_pages some = trace_pages_draw(figure_spread, doc);
	assert_int_equal(trace_pages_marks(&some, "dot"), 32);
	check_clean(&some);
}

/* An effect passes a row without a floor: what hides it is the next floor. */
static void test_spread__no_floor_hides_nothing(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = doc_with_all();
	double axis = 0;

	doc->spreads[0].floor_percent = 13; /* across jobs: 14.5 exceeds it */
	doc->spreads[0].floor_low_percent = 100 * (1 / 1.13 - 1);
	doc->spreads[1].floor_percent = (double)NAN;
	doc->spreads[1].floor_percent_reason = mem_dup_string("unknown");
	CLEANUP(trace_pages_release) struct trace_pages pages = trace_pages_draw(figure_spread, doc);
	double top = climb(&pages, "bfloat16 gradient sum", &axis);
	assert_true(axis - top > 80); /* through both rows */
	top = climb(&pages, "Buffers 16 MiB", &axis);
	assert_true(axis - top < 4); /* 2.9 exceeds no floor */
}

static void test_change__bars_begin_at_zero(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = doc_with_all();
	CLEANUP(trace_pages_release) struct trace_pages pages = trace_pages_draw(figure_change, doc);
	size_t n = 0, bars = 0;
	const struct canvas_trace_mark *marks = canvas_trace_marks(pages.trace, &n);

	for (size_t i = 0; i < n; i++) {
		if (strcmp(marks[i].kind, "dot") != 0 && strcmp(marks[i].kind, "ring") != 0)
			continue;
		double x = (marks[i].x1 + marks[i].x2) / 2, y = (marks[i].y1 + marks[i].y2) / 2;
		for (size_t j = 0; j < n; j++)
			bars += strcmp(marks[j].kind, "line") == 0 && fabs(marks[j].x1 - STYLE_PLOT_LEFT) < 0.01 &&
				fabs(marks[j].x2 - x) < 0.01 && fabs(marks[j].y1 - y) < 0.01;
	}
	assert_int_equal(bars, 6);
	assert_int_equal(trace_pages_marks(&pages, "ring"), 1); /* the single run */
	check_clean(&pages);
	static const char *const words[] = {"3584",
					    "1.37",
					    "one node, 4120 (lm7b-n1)",
					    "Tokens/s per GPU",
					    "Steps/s, whole job",
					    "no controlled comparison",
					    "control",
					    "+14.5"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!trace_pages_drawn(&pages, words[i]))
			fail_msg("'%s' is not drawn", words[i]);
}

static void test_price(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = doc_with_all();
	fixture_add_fractions(doc);
	CLEANUP(trace_pages_release) struct trace_pages pages = trace_pages_draw(section_price, doc);
	static const char *const words[] = {"12" FORMAT_NBSP "664", "8333",
					    "the effect is void",   "The campaign itself took 212 GPU-hours",
					    "425 in money",         "at most 33.9"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!trace_pages_drawn(&pages, words[i]) && i != 3) /* a caption breaks its lines where it likes */
			fail_msg("'%s' is not drawn", words[i]);
	check_clean(&pages);
	for (size_t i = 0; i < doc->n_prices; i++) {
		doc->prices[i].gpu_hours_saved_month = (double)NAN;
		mem_free_pointer(&doc->prices[i].gpu_hours_saved_month_reason);
		doc->prices[i].gpu_hours_saved_month_reason = mem_dup_string("the plan declares no use");
	}
	CLEANUP(trace_pages_release) struct trace_pages without = trace_pages_draw(section_price, doc);
	assert_true(trace_pages_drawn(&without, "Not priced: the plan declares no use. The campaign itself took 212"));
	assert_false(trace_pages_drawn(&without, "GPU-h saved"));
}

static void test_scope(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = doc_with_all();
	CLEANUP(trace_pages_release) struct trace_pages pages = trace_pages_draw(section_scope, doc);

	CLEANUP(text_release) struct text said = {0};
	size_t n = 0;
	const struct canvas_trace_text *texts = canvas_trace_texts(pages.trace, &n);
	for (size_t i = 0; i < n; i++)
		text_format(&said, "%s ", texts[i].text);
	assert_non_null(strstr(text_string(&said), "lm7b-hidden: 2 nodes, 8 ranks, 66 micro-steps"));
	assert_non_null(strstr(text_string(&said), "expire with them"));
	CLEANUP(analysis_doc_free) struct analysis_doc *empty = fixture_doc_empty();
	CLEANUP(trace_pages_release) struct trace_pages none = trace_pages_draw(section_scope, empty);
	assert_true(trace_pages_drawn(&none, "Nothing recorded says"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spread__every_run_is_a_dot),
		cmocka_unit_test(test_spread__many_runs_are_counted_in_words),
		cmocka_unit_test(test_spread__effects_stop_at_the_first_floor),
		cmocka_unit_test(test_spread__words),
		cmocka_unit_test(test_spread__unfloored_has_no_band),
		cmocka_unit_test(test_spread__single_runs_are_words),
		cmocka_unit_test(test_spread__no_floor_hides_nothing),
		cmocka_unit_test(test_change__bars_begin_at_zero),
		cmocka_unit_test(test_price),
		cmocka_unit_test(test_scope),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
