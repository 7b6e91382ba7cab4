/* The ranking: places and words, never a size. */
#include "report/figure/ranking.h"
#include "tests/report/fixture_doc.h"
#include "tests/report/trace_rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct doc_parity *add_pair(struct analysis_doc *doc)
{
	struct doc_parity *parity = analysis_doc_add_parity(doc);

	parity->bench = mem_dup_string("allreduce");
	parity->slice = mem_dup_string("train");
	return parity;
}

static struct doc_parity_setting *add_setting(struct doc_parity *parity, const char *name, int64_t x, int64_t y)
{
	struct doc_parity_setting *row = doc_parity_add_setting(parity);

	row->setting = mem_dup_string(name);
	row->x_verdict = mem_dup_string("win");
	row->x_percent = 81.25;
	row->x_place = row->x_tied_from = row->x_tied_to = x;
	row->y_place = row->y_tied_from = row->y_tied_to = y;
	row->class_name = mem_dup_string(y > 0 ? "attenuated" : "benchmark_only");
	if (y > 0)
		row->y_verdict = mem_dup_string("null");
	else
		row->y_lost = mem_dup_string("crashed");
	row->agree = 1;
	return row;
}

static void check_clean(const struct trace_pages *pages)
{
	CLEANUP(text_release) struct text faults = {0};

	if (trace_rules_faults(pages->trace, &faults) > 0)
		fail_msg("%s", text_string(&faults));
}

static void test_ranking__words(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();
	struct doc_parity *parity = add_pair(doc);

	(void)state;
	add_setting(parity, "plugin", 1, 1);
	struct doc_parity_setting *tied = add_setting(parity, "buffers", 2, 2);
	tied->unresolved = 1;
	tied->y_tied_to = 3;
	struct doc_parity_setting *other = add_setting(parity, "channels", 3, 3);
	other->unresolved = 1;
	other->y_tied_from = 2;
	add_setting(parity, "tree", RECORD_UNSET, RECORD_UNSET);
	parity->ranking = (struct doc_parity_ranking){3, 1.0, (double)0.25, 1.0, NULL, 2, 0, 1};
	parity->sentence = (struct doc_parity_sentence){4, 1, 2, 0, 1, 0, NULL};
	CLEANUP(trace_pages_release) struct trace_pages pages = trace_pages_draw(figure_ranking, doc);
	assert_true(trace_pages_drawn(&pages, "Of 4 benchmark wins,"));
	assert_true(trace_pages_drawn(&pages, "were null"));
	assert_true(trace_pages_drawn(&pages, "did not finish"));
	assert_true(trace_pages_drawn(&pages, "2\xE2\x80\x93"
					      "3"));
	assert_true(trace_pages_drawn(&pages, "crashed"));
	assert_true(trace_pages_drawn(&pages, "unresolved"));
	/* It never says how much. */
	assert_false(trace_pages_drawn(&pages, "81"));
	check_clean(&pages);
}

static void test_ranking__any_number(void **state)
{
	static const int64_t sizes[] = {1, 30, 60};

	(void)state;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();
		struct doc_parity *parity = add_pair(doc);
		for (int64_t i = 1; i <= sizes[s]; i++) {
			char name[80];
			snprintf(name, sizeof(name),
				 "a-setting-with-a-name-of-sixty-characters-and-some-more-words-%02d", (int)i);
			add_setting(parity, name, i, sizes[s] + 1 - i);
		}
		CLEANUP(trace_pages_release) struct trace_pages pages = trace_pages_draw(figure_ranking, doc);
		check_clean(&pages);
		assert_int_equal(trace_pages_drawn(&pages, "The first 30 places"), sizes[s] > 30);
	}
}

static void test_ranking__nothing_to_rank(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();

	(void)state;
	CLEANUP(trace_pages_release) struct trace_pages unplanned = trace_pages_draw(figure_ranking, doc);
	assert_true(trace_pages_drawn(&unplanned, "sets no benchmark"));
	add_pair(doc);
	CLEANUP(trace_pages_release) struct trace_pages empty = trace_pages_draw(figure_ranking, doc);
	assert_true(trace_pages_drawn(&empty, "no setting has a number"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranking__words),
					   cmocka_unit_test(test_ranking__any_number),
					   cmocka_unit_test(test_ranking__nothing_to_rank)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
