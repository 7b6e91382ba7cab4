#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "assay/analyze.h"
#include "tests/reference/close.h"

/*
 * R 4.2.2, for every expected number below:
 *	sd <- log(1 + P / 100) / 2.8 * sqrt(2 / k)
 *	100 * expm1(power.t.test(n = n, sd = sd, power = 0.8, type = "paired", strict = TRUE, tol = 1e-13)$delta)
 *	smallest n whose power.t.test(n = n, sd = sd, delta = log(1 + margin / 100), ...)$power is 0.8 or more
 */
static const struct resolve_spec two_percent = {
	.harness = "train", .floor_percent = 2, .runs_per_arm = 1, .blocks_planned = 5, .margin_percent = 1};

static void test_resolve__given_floor(void **state)
{
	(void)state;
	static const struct resolve_row expected[] = {
		{2, 12.2457079678662}, {3, 3.31851735623778}, {4, 2.15115098922654},   {5, 1.69653643335958},
		{6, 1.44515111509666}, {8, 1.16295743615115}, {12, 0.892779238467488},
	};
	struct resolve resolve;

	assert_int_equal(analyze_resolve(&two_percent, &resolve, NULL), 0);
	assert_int_equal(resolve.source, RESOLVE_GIVEN);
	assert_close(resolve.s_r, 0.00707236689149276, 1e-12);
	assert_close(resolve.s_d, 0.0100018371760275, 1e-12);
	assert_int_equal(resolve.n_rows, 7);
	for (size_t i = 0; i < resolve.n_rows; i++) {
		assert_int_equal(resolve.rows[i].blocks, expected[i].blocks);
		assert_close(resolve.rows[i].gain_percent, expected[i].gain_percent, 1e-8);
	}
	assert_close(resolve.blocks_for_margin, 11, 0);
}

static void test_resolve__two_runs_an_arm(void **state)
{
	(void)state;
	struct resolve_spec spec = two_percent;
	struct resolve resolve;

	spec.runs_per_arm = 2;
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), 0);
	assert_close(resolve.s_d, 0.00707236689149276, 1e-12);
	assert_close(resolve.rows[2].gain_percent, 1.51634545379709, 1e-8);
	assert_close(resolve.blocks_for_margin, 7, 0);
}

/* A number of blocks that the table has already is not listed twice; one beyond it comes last; one block reads nothing.
 */
static void test_resolve__planned_blocks(void **state)
{
	(void)state;
	struct resolve_spec spec = two_percent;
	struct resolve resolve;

	spec.blocks_planned = 6;
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), 0);
	assert_int_equal(resolve.n_rows, 6);
	spec.blocks_planned = 40;
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), 0);
	assert_int_equal(resolve.n_rows, 7);
	assert_int_equal(resolve.rows[6].blocks, 40);
	spec.blocks_planned = 1;
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), 0);
	assert_int_equal(resolve.rows[0].blocks, 1);
	assert_true(isnan(resolve.rows[0].gain_percent));
	assert_int_equal(resolve.rows[1].blocks, 2);
}

static void add_floor(struct doc_harness *harness, const char *kind, const char *setting, double sd_log, double df)
{
	struct doc_floor *floor = doc_harness_add_floor(harness);

	floor->kind = mem_dup_string(kind);
	floor->setting = mem_dup_string(setting);
	floor->sd_log = sd_log;
	floor->df = df;
	floor->percent = 1; /* any: whether there is one is what counts */
}

/* A paired floor goes first, and serves its own setting alone. */
static void test_resolve__from_the_log(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();
	struct doc_harness *harness = analysis_doc_add_harness(doc);
	struct resolve_spec spec = two_percent;
	struct resolve resolve;

	harness->name = mem_dup_string("train");
	spec.doc = doc;
	spec.floor_percent = NAN;
	spec.runs_per_arm = 2;
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), 0);
	assert_int_equal(resolve.source, RESOLVE_UNKNOWN);
	assert_int_equal(resolve.n_rows, 0);
	assert_true(isnan(resolve.blocks_for_margin));

	add_floor(harness, "within_block", NULL, 0.004, 3);
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), 0);
	assert_int_equal(resolve.source, RESOLVE_WITHIN);
	assert_close(resolve.s_r, 0.004, 1e-12);
	assert_close(resolve.s_d, 0.004, 1e-12);
	assert_close(resolve.rows[2].gain_percent, 0.854812572031843, 1e-8);

	add_floor(harness, "paired", "fast", 0.01, 4);
	add_floor(harness, "paired", "flat", 0.02, 2);
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), 0);
	assert_int_equal(resolve.source, RESOLVE_WITHIN);
	spec.setting = "flat";
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), 0);
	assert_int_equal(resolve.source, RESOLVE_PAIRED);
	assert_close(resolve.df, 2, 0);
	assert_close(resolve.s_d, 0.02, 1e-12);
	assert_close(resolve.rows[4].gain_percent, 2.91064440188922, 1e-8);
	spec.setting = "slow";
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), 0);
	assert_int_equal(resolve.source, RESOLVE_WITHIN);

	spec.floor_percent = 2;
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), 0);
	assert_int_equal(resolve.source, RESOLVE_GIVEN);
}

static void test_resolve__refuses(void **state)
{
	(void)state;
	struct resolve_spec spec = two_percent;
	struct resolve resolve;

	spec.floor_percent = 0;
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), ERROR_DATA);
	spec = two_percent;
	spec.margin_percent = 0;
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), ERROR_DATA);
	spec = two_percent;
	spec.runs_per_arm = 0;
	assert_int_equal(analyze_resolve(&spec, &resolve, NULL), ERROR_DATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_resolve__given_floor),    cmocka_unit_test(test_resolve__two_runs_an_arm),
		cmocka_unit_test(test_resolve__planned_blocks), cmocka_unit_test(test_resolve__from_the_log),
		cmocka_unit_test(test_resolve__refuses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
