/* The response of a run: expected values are logarithms of quotients done by hand. */
#include "analyze/response.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct run_record *run_with(const char *table_name, const char *column, const char *unit, const double *cells,
				   int64_t rows)
{
	struct run_record *run = run_record_new();
	struct run_table *table = run_record_add_table(run);
	bool sizes = strcmp(table_name, "sizes") == 0;

	run->status = RUN_OK;
	table->name = mem_dup_string(table_name);
	string_list_add(&table->columns, sizes ? "bytes" : "step");
	string_list_add(&table->columns, column);
	string_list_add(&table->units, sizes ? "B" : "1");
	string_list_add(&table->units, unit);
	table->statistic = mem_dup_string("mean");
	table->rows = rows;
	table->discarded = 0;
	table->values = mem_new((size_t)rows * 2, sizeof(double));
	memcpy(table->values, cells, (size_t)rows * 2 * sizeof(double));
	return run;
}

static void test_response__slice_time(void **state)
{
	const double cells[] = {1, 100, 2, 2, 3, 3, 4, 4};
	CLEANUP(run_record_free) struct run_record *run = run_with("iterations", "time_s", "s", cells, 4);
	struct plan_harness harness = {.kind = PLAN_SLICE};
	struct response response;

	(void)state;
	run->tables[0].discarded = 1;
	response_of(&harness, run, &response);
	assert_true(fabs(response.y - log(3)) <= 1e-15);
	assert_int_equal(response.units, 3);
	assert_int_equal(response.discarded, 1);
	assert_null(response.y_reason);
	response_release(&response);
}

/* Mean of 1/2, 1/4, 1/8 is 7/24, not the inverse of the mean. */
static void test_response__throughput_is_inverted_first(void **state)
{
	const double cells[] = {1, 2, 2, 4, 3, 8};
	CLEANUP(run_record_free) struct run_record *run = run_with("iterations", "throughput", "images/s", cells, 3);
	struct plan_harness harness = {.kind = PLAN_SLICE};
	struct response response;

	(void)state;
	response_of(&harness, run, &response);
	assert_true(fabs(response.y - log(7.0 / 24)) <= 1e-15);
	assert_string_equal(response.unit, "images/s");
	assert_true(response.throughput);
	response_release(&response);
}

static void test_response__not_steady(void **state)
{
	const double cells[] = {1, 2, 2, 4, 3, 8};
	CLEANUP(run_record_free) struct run_record *run = run_with("iterations", "time_s", "s", cells, 3);
	struct plan_harness harness = {.kind = PLAN_SLICE};
	struct response response;

	(void)state;
	run->tables[0].discarded = 1;
	response_of(&harness, run, &response);
	assert_true(isnan(response.y));
	assert_string_equal(response.y_reason, "2 steady iterations, fewer than 3");
	response_release(&response);
}

static void test_response__bench_headline(void **state)
{
	const double cells[] = {1024, 1e-5, 1048576, 2e-4};
	CLEANUP(run_record_free) struct run_record *run = run_with("sizes", "time_s", "s", cells, 2);
	struct plan_harness harness = {
		.kind = PLAN_BENCH, .headline_bytes = 1048576, .placement = (char *)"out_of_place"};
	struct response response;

	(void)state;
	run->tables[0].placement = mem_dup_string("out_of_place");
	response_of(&harness, run, &response);
	assert_true(fabs(response.y - log(2e-4)) <= 1e-15);
	response_release(&response);
	harness.headline_bytes = 4096;
	response_of(&harness, run, &response);
	assert_true(isnan(response.y));
	assert_string_equal(response.y_reason, "no row at the headline size of 4096 B");
	response_release(&response);
	harness.placement = (char *)"in_place";
	response_of(&harness, run, &response);
	assert_true(isnan(response.y));
	assert_non_null(response.y_reason);
	response_release(&response);
}

static void test_response__lost(void **state)
{
	CLEANUP(run_record_free) struct run_record *run = run_record_new();
	struct plan_harness harness = {.kind = PLAN_SLICE};
	struct response response;

	(void)state;
	run->status = RUN_TIMEOUT;
	response_of(&harness, run, &response);
	assert_true(isnan(response.y));
	assert_string_equal(response.y_reason, "timeout");
	response_release(&response);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_response__slice_time),
		cmocka_unit_test(test_response__throughput_is_inverted_first),
		cmocka_unit_test(test_response__not_steady),
		cmocka_unit_test(test_response__bench_headline),
		cmocka_unit_test(test_response__lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
