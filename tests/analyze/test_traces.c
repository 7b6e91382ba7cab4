/* Time per step of single runs, and what decimation keeps. */
#include "analyze/traces.h"

#include "analyze/campaign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/reference/close.h"

/* Steps from `first` on, `value` each. */
static struct run_record *run_with(int64_t rows, double first, const char *column, const char *unit, double value)
{
	struct run_record *run = run_record_new();
	struct run_table *table = run_record_add_table(run);

	run->id = mem_dup_string("b1/1.1");
	run->block = mem_dup_string("b1");
	run->harness = mem_dup_string("train");
	run->setting = mem_dup_string("base");
	run->status = RUN_OK;
	table->name = mem_dup_string("iterations");
	table->statistic = mem_dup_string("sample");
	string_list_add(&table->columns, "step");
	string_list_add(&table->columns, column);
	string_list_add(&table->units, "1");
	string_list_add(&table->units, unit);
	table->rows = rows;
	table->discarded = 0;
	table->values = mem_new((size_t)rows * 2, sizeof(double));
	for (int64_t row = 0; row < rows; row++) {
		table->values[2 * row] = first + (double)row;
		table->values[2 * row + 1] = value;
	}
	return run;
}

static struct plan_harness slice(void)
{
	return (struct plan_harness){.name = (char *)"train",
				     .kind = PLAN_SLICE,
				     .ranks = 8,
				     .micro_batch = RECORD_UNSET,
				     .global_batch = RECORD_UNSET,
				     .micro_steps = RECORD_UNSET,
				     .tokens_per_step = NAN};
}

static void test_trace__as_logged(void **state)
{
	struct plan_harness harness = slice();
	CLEANUP(run_record_free) struct run_record *run = run_with(5, 10, "time_s", "s", 0.5);
	struct trace trace;

	(void)state;
	run->status = RUN_CRASH;
	run->tables[0].discarded = 2;
	run->tables[0].values[2 * 1 + 1] = 3;
	run->tables[0].values[2 * 3 + 1] = NAN;
	trace_of(&harness, run, &trace);
	assert_int_equal(trace.steps, 5);
	assert_int_equal(trace.discarded, 2);
	assert_true(trace.steady_from == 12);
	assert_int_equal(trace.n, 4);
	const double steps[] = {10, 11, 12, 14}, times[] = {0.5, 3, 0.5, 0.5};
	for (size_t i = 0; i < 4; i++) {
		assert_true(trace.step[i] == steps[i]);
		assert_true(trace.time_s[i] == times[i]);
	}
	trace_release(&trace);
	/* A row without its step: the rows are numbered. */
	run->tables[0].values[0] = NAN;
	trace_of(&harness, run, &trace);
	assert_true(trace.step[0] == 1 && trace.step[3] == 5);
	trace_release(&trace);
	harness.kind = PLAN_BENCH;
	trace_of(&harness, run, &trace);
	assert_int_equal(trace.n, 0);
}

/* 600 rows, 60 of them warm-up: 12 stretches of 5 rows, then 108 of 5. */
static void test_trace__decimated(void **state)
{
	struct plan_harness harness = slice();
	CLEANUP(run_record_free) struct run_record *run = run_with(600, 1, "time_s", "s", 1);
	double *values = run->tables[0].values;
	struct trace trace;

	(void)state;
	run->tables[0].discarded = 60;
	values[2 * 58 + 1] = 9;  /* step 59, the last stretch of the head: rows 55 to 59 */
	values[2 * 61 + 1] = 2;  /* step 62, the first stretch behind it */
	values[2 * 63 + 1] = 7;  /* step 64, slower */
	values[2 * 599 + 1] = 5; /* step 600 */
	trace_of(&harness, run, &trace);
	assert_int_equal(trace.n, TRACE_POINTS_MAX);
	assert_true(trace.steady_from == 61);
	assert_true(trace.step[0] == 1 && trace.time_s[0] == 1);
	assert_true(trace.step[11] == 59 && trace.time_s[11] == 9);
	assert_true(trace.step[12] == 64 && trace.time_s[12] == 7);
	assert_true(trace.step[13] == 66 && trace.time_s[13] == 1);
	assert_true(trace.step[119] == 600 && trace.time_s[119] == 5);
	trace_release(&trace);
	/* One row of warm-up has a stretch of its own; one row behind the head too. */
	run->tables[0].discarded = 1;
	values[1] = 0.5;
	trace_of(&harness, run, &trace);
	assert_int_equal(trace.n, TRACE_POINTS_MAX);
	assert_true(trace.step[0] == 1 && trace.time_s[0] == 0.5);
	trace_release(&trace);
	run->tables[0].discarded = 599;
	trace_of(&harness, run, &trace);
	assert_int_equal(trace.n, TRACE_POINTS_MAX);
	assert_true(trace.step[119] == 600 && trace.time_s[119] == 5);
	trace_release(&trace);
	run->tables[0].discarded = 600;
	trace_of(&harness, run, &trace);
	assert_int_equal(trace.n, TRACE_POINTS_MAX);
	assert_true(isnan(trace.steady_from));
	trace_release(&trace);
}

static double first_time(const struct plan_harness *harness, const char *unit, double value, const char *statistic)
{
	CLEANUP(run_record_free) struct run_record *run = run_with(4, 1, "throughput", unit, value);
	struct trace trace;

	free(run->tables[0].statistic);
	run->tables[0].statistic = mem_dup_string(statistic);
	trace_of(harness, run, &trace);
	double time_s = trace.n > 0 ? trace.time_s[0] : NAN;
	trace_release(&trace);
	return time_s;
}

static void test_trace__from_throughput(void **state)
{
	struct plan_harness harness = slice();

	(void)state;
	assert_close(first_time(&harness, "steps/s", 4, "sample"), 0.25, 1e-15);
	/* Without the batch, images a second say nothing of a step. */
	assert_true(isnan(first_time(&harness, "images/s", 50, "sample")));
	assert_true(isnan(first_time(&harness, "tokens/s", 50, "sample")));
	assert_true(isnan(first_time(&harness, "1", 50, "sample")));
	harness.global_batch = 100;
	harness.tokens_per_step = 4000;
	assert_close(first_time(&harness, "images/s", 50, "sample"), 2, 1e-15);
	assert_close(first_time(&harness, "tokens/s/GPU", 250, "sample"), 2, 1e-15);
	assert_true(isnan(first_time(&harness, "images/s", 50, RUN_STATISTIC_RUNNING)));
}

static void test_traces__in_the_document(void **state)
{
	struct plan_harness harness = slice();
	struct campaign_run runs[TRACES_MAX + 2] = {0};
	struct campaign campaign = {.runs = runs, .n_runs = TRACES_MAX + 2};
	CLEANUP(run_record_free) struct run_record *run = run_with(3, 1, "time_s", "s", 2);
	CLEANUP(run_record_free) struct run_record *empty = run_record_new();
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();

	(void)state;
	run->role = RUN_SETTLE;
	for (size_t i = 0; i < campaign.n_runs; i++) {
		runs[i].record = i == 0 ? empty : run;
		traces_keep(&campaign, &harness, runs[i].record, &runs[i].trace);
	}
	traces_add(&campaign, doc);
	assert_int_equal(doc->n_traces, TRACES_MAX);
	assert_int_equal(doc->traces_left_out, 1);
	assert_string_equal(doc->traces[0].run, "b1/1.1");
	assert_string_equal(doc->traces[0].role, "settle");
	assert_int_equal(doc->traces[0].steps, 3);
	assert_int_equal(doc->traces[0].n_step, 3);
	assert_true(doc->traces[0].step[2] == 3 && doc->traces[0].time_s[2] == 2);
	for (size_t i = 0; i < campaign.n_runs; i++)
		trace_release(&runs[i].trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trace__as_logged),
		cmocka_unit_test(test_trace__decimated),
		cmocka_unit_test(test_trace__from_throughput),
		cmocka_unit_test(test_traces__in_the_document),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
