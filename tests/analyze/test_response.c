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

/* Two ranks, iteration after iteration, warm-up first. */
static struct run_table *add_samples(struct run_record *run, double bytes, const double (*times)[2], int64_t iterations,
				     int64_t warmup)
{
	static const char *const columns[] = {"bytes", "iteration", "rank", "time_s"};
	struct run_table *table = run_record_add_table(run);

	run->status = RUN_OK;
	table->name = mem_dup_string("samples");
	table->op = mem_dup_string("allreduce");
	table->placement = mem_dup_string("out_of_place");
	table->statistic = mem_dup_string("sample");
	for (size_t i = 0; i < 4; i++)
		string_list_add(&table->columns, columns[i]);
	table->rows = 2 * iterations;
	table->discarded = 2 * warmup;
	table->values = mem_new((size_t)table->rows * 4, sizeof(double));
	for (int64_t i = 0; i < table->rows; i++) {
		const double row[] = {bytes, (double)(i / 2), (double)(i % 2), times[i / 2][i % 2]};
		memcpy(table->values + 4 * i, row, sizeof(row));
	}
	return table;
}

/* Slowest ranks after the warm-up: 4, 70, 5, 6. Their median is 5.5; their mean, and a median of means, is not. */
static void test_response__samples(void **state)
{
	static const double other[][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}};
	static const double times[][2] = {{900, 1}, {4, 2}, {3, 70}, {5, 5}, {1, 6}};
	CLEANUP(run_record_free) struct run_record *run = run_record_new();
	struct plan_harness harness = {.kind = PLAN_BENCH, .op = (char *)"allreduce", .headline_bytes = 4096};
	struct response response;

	(void)state;
	add_samples(run, 1024, other, 4, 1);
	add_samples(run, 4096, times, 5, 1);
	response_of(&harness, run, &response);
	assert_true(fabs(response.y - log(5.5)) <= 1e-15);
	assert_int_equal(response.units, 4);
	assert_int_equal(response.discarded, 1);
	assert_string_equal(response.unit, "s");
	assert_string_equal(response.statistic, "median of the slowest rank");
	response_release(&response);

	run->tables[1].discarded = 4;
	response_of(&harness, run, &response);
	assert_true(fabs(response.y - log(6)) <= 1e-15);
	response_release(&response);

	run->tables[1].discarded = 6;
	response_of(&harness, run, &response);
	assert_true(isnan(response.y));
	assert_true(response.unsteady);
	assert_string_equal(response.y_reason, "2 steady iterations at 4096 B, fewer than 3");
	response_release(&response);
}

static void test_response__samples_without_response(void **state)
{
	static const double times[][2] = {{4, 2}, {3, 7}, {5, 5}, {1, 6}};
	CLEANUP(run_record_free) struct run_record *run = run_record_new();
	struct plan_harness harness = {.kind = PLAN_BENCH, .op = (char *)"allreduce", .headline_bytes = 1024};
	struct response response;

	(void)state;
	add_samples(run, 4096, times, 4, 0);
	response_of(&harness, run, &response);
	assert_true(isnan(response.y));
	assert_string_equal(response.y_reason, "no row at the headline size of 1024 B");
	response_release(&response);
	/* The only size is not taken for the headline. */
	harness.headline_bytes = RECORD_UNSET;
	response_of(&harness, run, &response);
	assert_true(isnan(response.y));
	assert_string_equal(response.y_reason, "the plan gives no headline_bytes");
	response_release(&response);
	harness.headline_bytes = 4096;
	harness.op = (char *)"allgather";
	response_of(&harness, run, &response);
	assert_string_equal(response.y_reason, "no out_of_place table of allgather");
	response_release(&response);
	/* A rank's missing time is no fast one. */
	harness.op = NULL;
	for (size_t rank = 0; rank < 2; rank++) {
		double *time_s = &run->tables[0].values[3 + 4 * rank], kept = *time_s;
		*time_s = NAN;
		response_of(&harness, run, &response);
		assert_true(isnan(response.y));
		assert_string_equal(response.y_reason, "the time of a kept iteration at 4096 B is not positive");
		response_release(&response);
		*time_s = kept;
	}
}

static void test_response__two_statistics(void **state)
{
	struct response response = {.y = 1, .statistic = mem_dup_string("mean")};

	(void)state;
	response_keep_to_statistic(&response, NULL);
	response_keep_to_statistic(&response, "mean");
	assert_true(response.y == 1);
	assert_null(response.y_reason);
	response_keep_to_statistic(&response, "median of the slowest rank");
	assert_true(isnan(response.y));
	assert_non_null(strstr(response.y_reason, "'mean'"));
	assert_non_null(strstr(response.y_reason, "'median of the slowest rank'"));
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

/* Steps 1, 10, 11, 20: after the first, means over 9, 1 and 9 steps of 2, 8 and 4 s: 62/19, not 14/3. */
static void test_response__times_by_steps(void **state)
{
	const double cells[] = {1, 100, 10, 2, 11, 8, 20, 4};
	CLEANUP(run_record_free) struct run_record *run = run_with("iterations", "time_s", "s", cells, 4);
	struct plan_harness harness = {.kind = PLAN_SLICE};
	struct response response;

	(void)state;
	run->tables[0].discarded = 1;
	response_of(&harness, run, &response);
	assert_true(fabs(response.y - log(62.0 / 19)) <= 1e-15);
	response_release(&response);
	/* all four: the first row stands for one step */
	run->tables[0].discarded = 0;
	response_of(&harness, run, &response);
	assert_true(fabs(response.y - log(162.0 / 20)) <= 1e-15);
	response_release(&response);
}

/* Without tokens: 9/2 + 1/8 + 9/4 s over 19 steps. Running tokens 3, 5, 9, 10: rows of 2, 4 and 1. */
static void test_response__throughput_by_work(void **state)
{
	const double cells[] = {1, 100, 10, 2, 11, 8, 20, 4};
	const double tokens[] = {3, 100, 5, 2, 9, 8, 10, 4};
	CLEANUP(run_record_free) struct run_record *run = run_with("iterations", "throughput", "tokens/s", cells, 4);
	CLEANUP(run_record_free) struct run_record *other = run_with("iterations", "throughput", "1", tokens, 4);
	struct plan_harness harness = {.kind = PLAN_SLICE};
	struct response response;

	(void)state;
	run->tables[0].discarded = 1;
	response_of(&harness, run, &response);
	assert_true(fabs(response.y - log(6.875 / 19)) <= 1e-15);
	response_release(&response);
	free(other->tables[0].columns.items[0]);
	other->tables[0].columns.items[0] = mem_dup_string("tokens");
	other->tables[0].discarded = 1;
	response_of(&harness, other, &response);
	assert_true(fabs(response.y - log((2 / 2. + 4 / 8. + 1 / 4.) / 7)) <= 1e-15);
	response_release(&response);
}

static void test_response__running_mean(void **state)
{
	const double cells[] = {1, 2, 2, 4, 3, 8};
	CLEANUP(run_record_free) struct run_record *run = run_with("iterations", "throughput", "samples/s", cells, 3);
	struct plan_harness harness = {.kind = PLAN_SLICE};
	struct response response;

	(void)state;
	free(run->tables[0].statistic);
	run->tables[0].statistic = mem_dup_string("running_mean");
	response_of(&harness, run, &response);
	assert_true(isnan(response.y));
	assert_string_equal(response.y_reason, "the throughput is a running mean: the warm-up cannot be left out");
	response_release(&response);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_response__slice_time),
		cmocka_unit_test(test_response__throughput_is_inverted_first),
		cmocka_unit_test(test_response__times_by_steps),
		cmocka_unit_test(test_response__throughput_by_work),
		cmocka_unit_test(test_response__running_mean),
		cmocka_unit_test(test_response__not_steady),
		cmocka_unit_test(test_response__bench_headline),
		cmocka_unit_test(test_response__samples),
		cmocka_unit_test(test_response__samples_without_response),
		cmocka_unit_test(test_response__two_statistics),
		cmocka_unit_test(test_response__lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
