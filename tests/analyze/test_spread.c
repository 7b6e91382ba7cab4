/* The spread of identical runs: deviations are quotients of times, done by hand; t(0.975) with 2 df is 4.302652729911.
 */
#include "analyze/spread.h"

#include "tests/analyze/campaign_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/reference/close.h"

static struct plan_setting settings[] = {{.name = (char *)"base"}, {.name = (char *)"tuned"}};
static struct plan_harness harnesses[] = {{.name = (char *)"allreduce", .kind = PLAN_BENCH},
					  {.name = (char *)"train", .kind = PLAN_SLICE}};
static struct plan plan = {
	.control = (char *)"base", .settings = settings, .n_settings = 2, .harnesses = harnesses, .n_harnesses = 2};

/* Two controls in each of two blocks. What follows them is no replicate of an arm. */
static const struct fixture_run replicated[] = {
	{.block = "b1", .time = 1.00},
	{.block = "b1", .time = 1.02},
	{.block = "b2", .time = 1.04},
	{.block = "b2", .time = 1.00},
	{.block = "b1", .setting = 1, .time = 0.9},
	{.block = "b1", .time = 3, .role = RUN_SENTINEL},
	{.block = "b1", .time = 3, .role = RUN_SETTLE},
	{.block = "b1", .time = 3, .network = NETWORK_DIFFERENT},
	{.block = "b2", .time = 0},
	{.block = "b1", .harness = 1, .time = 7},
};

static struct analysis_doc *spread_of(const struct fixture_run *rows, size_t n, const double *log_gains, size_t n_gains)
{
	CLEANUP(fixture_release) struct campaign campaign;
	struct analysis_doc *doc = analysis_doc_new();

	fixture_fill(&plan, rows, n, &campaign);
	for (size_t i = 0; i < n_gains; i++) {
		struct doc_effect *effect = analysis_doc_add_effect(doc);
		effect->harness = mem_dup_string("allreduce");
		effect->setting = mem_dup_string("tuned");
		effect->log_gain = log_gains[i];
		effect->gain_percent = 100 * expm1(log_gains[i]);
	}
	for (size_t h = 0; h < plan.n_harnesses; h++) {
		struct doc_harness *row = analysis_doc_add_harness(doc);
		row->name = mem_dup_string(harnesses[h].name);
		row->kind = mem_dup_string(harnesses[h].kind == PLAN_BENCH ? "bench" : "slice");
		struct floors floors;
		floors_of(&campaign, &harnesses[h], "base", &floors);
		spread_add(&campaign, &harnesses[h], &floors, doc);
		floors_release(&floors);
	}
	return doc;
}

static void test_spread__within_job(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = spread_of(replicated, 10, NULL, 0);
	double a = sqrt(1.02), b = sqrt(1.04);

	(void)state;
	assert_int_equal(doc->n_spreads, 2);
	const struct doc_spread *row = &doc->spreads[0];
	assert_string_equal(row->harness, "allreduce");
	assert_string_equal(row->kind, "within_job");
	assert_int_equal(row->runs, 4);
	assert_int_equal(row->blocks, 2);
	assert_int_equal(row->n_deviations, 4);
	assert_close(row->deviations_percent[0], 100 * (a - 1), 1e-10);
	assert_close(row->deviations_percent[1], 100 * (1 / a - 1), 1e-10);
	assert_close(row->deviations_percent[2], 100 * (1 / b - 1), 1e-10);
	assert_close(row->deviations_percent[3], 100 * (b - 1), 1e-10);
	assert_close(row->spread_percent, 100 * (b - 1 / b) / ((a + 1 / a) / 2), 1e-10);
	/* s_r^2 is (ln 1.02^2 + ln 1.04^2) / 4 */
	double sd_of_pair = sqrt((log(1.02) * log(1.02) + log(1.04) * log(1.04)) / 2);
	assert_close(row->floor_percent, 100 * (exp(4.302652729911275 * sd_of_pair) - 1), 1e-9);
	assert_close(row->floor_low_percent, 100 * (exp(-4.302652729911275 * sd_of_pair) - 1), 1e-9);
	assert_close(row->df, 2, 1e-12);
	assert_null(row->floor_percent_reason);
}

static void test_spread__cross_job(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = spread_of(replicated, 10, NULL, 0);
	const struct doc_spread *row = &doc->spreads[1];
	double median = sqrt(1.02);

	(void)state;
	assert_string_equal(row->kind, "cross_job");
	assert_int_equal(row->runs, 4);
	assert_int_equal(row->blocks, 2);
	assert_close(row->deviations_percent[0], 100 * (median - 1), 1e-10);
	assert_close(row->deviations_percent[1], 100 * (median / 1.02 - 1), 1e-10);
	assert_close(row->deviations_percent[2], 100 * (median / 1.04 - 1), 1e-10);
	assert_close(row->spread_percent, 100 * 0.04 / 1.01, 1e-10);
	assert_true(isfinite(row->floor_percent));
}

/* The dots of a row without floor stay, and nothing is counted above a floor that is not known. */
static void test_spread__without_floor(void **state)
{
	static const struct fixture_run rows[] = {{.block = "b1", .time = 1}, {.block = "b1", .setting = 1, .time = 2}};
	static const double gain[] = {0.3};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = spread_of(rows, 2, gain, 1);

	(void)state;
	assert_int_equal(doc->n_spreads, 2);
	assert_int_equal(doc->spreads[0].n_deviations, 0);
	assert_true(isnan(doc->spreads[0].spread_percent));
	assert_true(isnan(doc->spreads[0].floor_percent));
	assert_string_equal(doc->spreads[0].floor_percent_reason, "no block holds two runs of one setting");
	assert_int_equal(doc->spreads[1].n_deviations, 1);
	assert_string_equal(doc->spreads[1].floor_percent_reason, "controls of one block only: s_L is not known");
	assert_int_equal(doc->spreads[1].effects, 1);
	assert_int_equal(doc->spreads[1].above_floor, RECORD_UNSET);
	spread_tell(doc);
	assert_int_equal(doc->n_findings, 0);
}

/* The within-job floor is 0.1337 as a log: 14.3 %. */
static void test_spread__effects(void **state)
{
	static const double gains[] = {0.10, -0.14, NAN, 0.13};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = spread_of(replicated, 10, gains, 4);

	(void)state;
	assert_int_equal(doc->spreads[0].effects, 3);
	assert_int_equal(doc->spreads[0].above_floor, 1);
	spread_tell(doc);
	assert_int_equal(doc->n_findings, 1);
	assert_string_equal(doc->findings[0].code, "floor_wider_than_effects");
	assert_string_equal(
		doc->findings[0].text,
		"the within-job floor of allreduce, 14.3 %, is wider than 2 of its 3 effects: tuned +10.5 %, "
		"tuned +13.9 %");
	assert_int_equal(doc->findings[0].paths.n, 1);
	assert_string_equal(doc->findings[0].paths.items[0], "/spread/0");
	/* One of three is hidden, then a slice, which is no benchmark. */
	doc->spreads[0].above_floor = 2;
	spread_tell(doc);
	assert_int_equal(doc->n_findings, 1);
	doc->spreads[0].above_floor = 0;
	doc->harnesses[0].kind[0] = 's';
	spread_tell(doc);
	assert_int_equal(doc->n_findings, 1);
}

/* Renamed arms are outside the family. */
static void test_spread__declared_effects(void **state)
{
	static const double gains[] = {0.1, 0.1, 0.1};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();
	CLEANUP(fixture_release) struct campaign campaign;
	struct floors floors;

	(void)state;
	fixture_fill(&plan, replicated, 10, &campaign);
	for (size_t i = 0; i < 3; i++) {
		struct doc_effect *effect = analysis_doc_add_effect(doc);
		effect->harness = mem_dup_string(i == 0 ? "train" : "allreduce");
		effect->setting = mem_dup_string(i == 1 ? "tuned@net=other" : "tuned");
		effect->relabelled = i == 2;
		effect->log_gain = gains[i];
	}
	floors_of(&campaign, &harnesses[0], "base", &floors);
	spread_add(&campaign, &harnesses[0], &floors, doc);
	floors_release(&floors);
	assert_int_equal(doc->spreads[0].effects, 0);
	assert_int_equal(doc->spreads[0].above_floor, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spread__within_job),       cmocka_unit_test(test_spread__cross_job),
		cmocka_unit_test(test_spread__without_floor),    cmocka_unit_test(test_spread__effects),
		cmocka_unit_test(test_spread__declared_effects),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
