/* Steady throughput of slices: expected values are quotients done by hand. */
#include "analyze/throughput.h"

#include "tests/analyze/campaign_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/reference/close.h"

static struct plan_setting settings[] = {{.name = (char *)"base"}, {.name = (char *)"tuned"}};

static struct plan_harness slice(const char *name, int64_t nodes, int64_t ranks)
{
	return (struct plan_harness){.name = (char *)name,
				     .kind = PLAN_SLICE,
				     .nodes = nodes,
				     .ranks = ranks,
				     .micro_batch = RECORD_UNSET,
				     .global_batch = RECORD_UNSET,
				     .micro_steps = RECORD_UNSET,
				     .tokens_per_step = NAN};
}

static struct plan plan_of(struct plan_harness *harnesses, size_t n)
{
	return (struct plan){.control = (char *)"base",
			     .settings = settings,
			     .n_settings = 2,
			     .harnesses = harnesses,
			     .n_harnesses = n};
}

static struct analysis_doc *throughput_of(const struct plan *plan, const struct fixture_run *rows, size_t n)
{
	CLEANUP(fixture_release) struct campaign campaign;
	struct analysis_doc *doc = analysis_doc_new();

	fixture_fill(plan, rows, n, &campaign);
	throughput_add(&campaign, doc);
	return doc;
}

#define IMAGES .unit = "images/s"

static void test_throughput__printed(void **state)
{
	struct plan_harness harnesses[] = {slice("one", 1, 4), slice("two", 2, 8)};
	struct plan plan = plan_of(harnesses, 2);
	char *names[] = {(char *)"two"};
	struct plan_scaling series = {.harnesses = {names, 1}, .reference = (char *)"one"};
	static const struct fixture_run rows[] = {
		{.block = "b1", .harness = 1, .time = 1.0 / 800, IMAGES},
		{.block = "b1", .harness = 1, .time = 1.0 / 860, IMAGES},
		{.block = "b2", .harness = 1, .time = 1.0 / 840, IMAGES},
		{.block = "b1", .harness = 1, .setting = 1, .time = 1.0 / 882, IMAGES},
		{.block = "b2", .harness = 1, .time = 1.0 / 10, IMAGES, .role = RUN_SENTINEL},
		{.block = "b2", .harness = 1, .time = 1.0 / 10, IMAGES, .network = NETWORK_DIFFERENT},
		{.block = "b2", .harness = 1, .time = 0, IMAGES},
		{.block = "b3", .time = 1.0 / 440, IMAGES},
	};
	plan.scaling = &series;
	plan.n_scaling = 1;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = throughput_of(&plan, rows, 8);

	(void)state;
	assert_int_equal(doc->n_throughputs, 3);
	const struct doc_throughput *ceiling = &doc->throughputs[0], *base = ceiling + 1, *tuned = ceiling + 2;
	assert_string_equal(ceiling->harness, "one");
	assert_close(ceiling->median_per_gpu, 110, 1e-12);
	assert_true(isnan(ceiling->ceiling_per_gpu));
	assert_string_equal(base->unit, "images/s");
	assert_int_equal(base->runs, 3);
	assert_int_equal(base->blocks, 2);
	assert_int_equal(base->ranks, 8);
	assert_close(base->median, 840, 1e-12);
	assert_close(base->best, 860, 1e-12);
	assert_close(base->worst, 800, 1e-12);
	assert_close(base->median_per_gpu, 105, 1e-12);
	assert_close(base->best_per_gpu, 107.5, 1e-12);
	assert_close(base->worst_per_gpu, 100, 1e-12);
	assert_true(isnan(base->change_percent));
	assert_close(base->ceiling_per_gpu, 110, 1e-12);
	assert_string_equal(base->ceiling_harness, "one");
	assert_string_equal(tuned->setting, "tuned");
	assert_close(tuned->change_percent, 5, 1e-10);
	/* The reference never ran it: its control is the ceiling. */
	assert_close(tuned->ceiling_per_gpu, 110, 1e-12);
}

/* A ceiling is one node's. */
static void test_throughput__no_ceiling(void **state)
{
	struct plan_harness harnesses[] = {slice("two", 2, 8), slice("four", 4, 16)};
	struct plan plan = plan_of(harnesses, 2);
	char *names[] = {(char *)"four"};
	struct plan_scaling series = {.harnesses = {names, 1}, .reference = (char *)"two"};
	static const struct fixture_run rows[] = {{.block = "b1", .time = 1.0 / 800, IMAGES},
						  {.block = "b1", .harness = 1, .time = 1.0 / 800, IMAGES}};
	plan.scaling = &series;
	plan.n_scaling = 1;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = throughput_of(&plan, rows, 2);

	(void)state;
	assert_true(isnan(doc->throughputs[1].ceiling_per_gpu));
	assert_null(doc->throughputs[1].ceiling_harness);
}

static const struct fixture_run two_seconds[] = {{.block = "b1", .time = 2}};

static void test_throughput__made_from_steps(void **state)
{
	struct plan_harness harness = slice("two", 2, 8);
	struct plan plan = plan_of(&harness, 1);
	static const struct fixture_run reported[] = {{.block = "b1", .time = 2, .global_batch = 64}};

	(void)state;
	harness.tokens_per_step = 1000;
	harness.global_batch = 32;
	CLEANUP(analysis_doc_free) struct analysis_doc *tokens = throughput_of(&plan, two_seconds, 1);
	assert_string_equal(tokens->throughputs[0].unit, "tokens/s");
	assert_close(tokens->throughputs[0].median, 500, 1e-12);
	assert_close(tokens->throughputs[0].median_per_gpu, 62.5, 1e-12);
	/* The tokens of a step were planned for another batch. */
	CLEANUP(analysis_doc_free) struct analysis_doc *other = throughput_of(&plan, reported, 1);
	assert_string_equal(other->throughputs[0].unit, "samples/s");
	assert_close(other->throughputs[0].median, 32, 1e-12);
	harness.tokens_per_step = NAN;
	CLEANUP(analysis_doc_free) struct analysis_doc *samples = throughput_of(&plan, two_seconds, 1);
	assert_string_equal(samples->throughputs[0].unit, "samples/s");
	assert_close(samples->throughputs[0].median, 16, 1e-12);
	harness.global_batch = RECORD_UNSET;
	harness.micro_batch = 2;
	harness.micro_steps = 3;
	CLEANUP(analysis_doc_free) struct analysis_doc *product = throughput_of(&plan, two_seconds, 1);
	assert_close(product->throughputs[0].median, 24, 1e-12);
}

/* A step is the work of all GPUs. */
static void test_throughput__steps(void **state)
{
	struct plan_harness harness = slice("two", 2, 8);
	struct plan plan = plan_of(&harness, 1);
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = throughput_of(&plan, two_seconds, 1);

	(void)state;
	assert_string_equal(doc->throughputs[0].unit, "steps/s");
	assert_close(doc->throughputs[0].median, 0.5, 1e-12);
	assert_true(isnan(doc->throughputs[0].median_per_gpu));
}

static void test_throughput__printed_a_gpu(void **state)
{
	static const struct fixture_run rows[] = {{.block = "b1", .time = 1.0 / 100, .unit = "tokens/s/GPU"}};
	struct plan_harness harness = slice("two", 2, 8);
	struct plan plan = plan_of(&harness, 1);

	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = throughput_of(&plan, rows, 1);
	assert_string_equal(doc->throughputs[0].unit, "tokens/s");
	assert_close(doc->throughputs[0].median, 800, 1e-12);
	assert_close(doc->throughputs[0].median_per_gpu, 100, 1e-12);
	harness.ranks = RECORD_UNSET;
	CLEANUP(analysis_doc_free) struct analysis_doc *unknown = throughput_of(&plan, rows, 1);
	assert_true(isnan(unknown->throughputs[0].median));
	assert_close(unknown->throughputs[0].median_per_gpu, 100, 1e-12);
}

static void test_work__units(void **state)
{
	(void)state;
	assert_int_equal(work_unit_of("images/s").kind, WORK_SAMPLES);
	assert_int_equal(work_unit_of("tokens/s/GPU").kind, WORK_TOKENS);
	assert_true(work_unit_of("tokens/s/GPU").per_gpu);
	assert_false(work_unit_of("tokens/s").per_gpu);
	assert_int_equal(work_unit_of("s").kind, WORK_STEPS);
	assert_int_equal(work_unit_of("steps/s").kind, WORK_STEPS);
	assert_int_equal(work_unit_of("1").kind, WORK_OTHER);
	assert_int_equal(work_unit_of(NULL).kind, WORK_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_throughput__printed),         cmocka_unit_test(test_throughput__no_ceiling),
		cmocka_unit_test(test_throughput__made_from_steps), cmocka_unit_test(test_throughput__steps),
		cmocka_unit_test(test_throughput__printed_a_gpu),   cmocka_unit_test(test_work__units),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
