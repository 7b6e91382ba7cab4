#include "collect/import/nccl_tests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define HEADER "#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n"

static void parse(const char *bytes, struct nccl_tests_log *log)
{
	struct clean_lines lines;

	unmess(bytes, strlen(bytes), &lines);
	nccl_tests_parse(&lines, log);
	clean_lines_release(&lines);
}

static void test_nccl_tests__table(void **state)
{
	struct nccl_tests_log log;
	(void)state;
	parse("# nccl-tests version 2.17.8 nccl-headers=22902 nccl-library=22902\n"
	      "# Collective test starting: all_reduce_perf\n"
	      "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1\n"
	      "#  Rank  0 Group  0 Pid 5 on na device  0 [0x07] GPU\n"
	      "#  Rank  1 Group  0 Pid 6 on nb device  0 [0x07] GPU\n" HEADER
	      " 1000000 250000 float sum -1 100.0 10.00 10.00 0 200.0 5.00 5.00 N/A\n"
	      "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 7.5\n",
	      &log);
	assert_int_equal(log.n_tests, 1);
	assert_int_equal(log.ranks, 2);
	assert_int_equal(log.hosts.n, 2);
	assert_string_equal(log.tests_version, "2.17.8");
	assert_string_equal(log.tests[0].name, "all_reduce");
	assert_int_equal(log.tests[0].iterations, 20);
	assert_int_equal(log.tests[0].n_rows, 1);
	assert_true(log.tests[0].rows[0].time_us[NCCL_IN_PLACE] == 200.0);
	assert_true(isnan(log.tests[0].rows[0].wrong[NCCL_IN_PLACE]));
	assert_true(log.tests[0].avg_busbw == 7.5);
	assert_int_equal(log.checks.n, 0);
	assert_false(log.partial_row);
	nccl_tests_log_release(&log);
}

static void test_nccl_tests__blank_redop_and_split_row(void **state)
{
	struct nccl_tests_log log;
	(void)state;
	parse("# size count type redop time algbw busbw error time algbw busbw error\n"
	      " 1000000 250000 float 100.0 10.00 10.00 N/A 100.0 10.00 10.00 N/A\n"
	      "# Avg bus bandwidth : 10.0\n" HEADER
	      " 1000000 250000 float sum -1h:1:2 [0] NCCL INFO x\n 100.0 10.00 10.00 0h:1:2 [0] NCCL INFO x\n"
	      " 100.0 10.00 10.00 0\n# Avg bus bandwidth : 10.0\n",
	      &log);
	assert_int_equal(log.n_tests, 2);
	assert_int_equal(log.tests[0].n_rows, 1);
	assert_int_equal(log.tests[1].n_rows, 1);
	assert_string_equal(log.tests[1].rows[0].redop, "sum");
	assert_true(log.tests[1].rows[0].busbw[NCCL_IN_PLACE] == 10.0);
	nccl_tests_log_release(&log);
}

static void test_nccl_tests__checks(void **state)
{
	struct nccl_tests_log log;
	(void)state;
	parse("#  Rank  0 Pid 5 on na device  0 [0x07] GPU\n#  Rank  0 Pid 6 on na device  0 [0x07] GPU\n" HEADER
	      " 1000000 250000 float sum -1 100.0 12.00 12.00 0 100.0 10.00 10.00 0\n"
	      "# Out of bounds values : 4 FAILED\n# Avg bus bandwidth : 10.0\n",
	      &log);
	assert_true(log.duplicate_rank);
	assert_true(log.tests[0].oob_failed);
	assert_int_equal(log.checks.n, 3); /* algbw, average, two ranks 0 */
	nccl_tests_log_release(&log);
}

static void test_nccl_tests__cut_row(void **state)
{
	struct nccl_tests_log log;
	(void)state;
	parse(HEADER " 1000000 250000 float sum -1 100.0 10.00 10.00 0 100.0 10.00 10.00 0\n 2000000 500000 float",
	      &log);
	assert_int_equal(log.tests[0].n_rows, 1);
	assert_true(log.partial_row);
	assert_true(isnan(log.tests[0].avg_busbw));
	nccl_tests_log_release(&log);
}

static void test_nccl_tests__names(void **state)
{
	(void)state;
	assert_string_equal(nccl_dtype_name("half"), "float16");
	assert_string_equal(nccl_dtype_name("double"), "float64");
	assert_string_equal(nccl_op_name("reduce_scatter"), "reducescatter");
	assert_null(nccl_op_name("hypercube"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nccl_tests__table),  cmocka_unit_test(test_nccl_tests__blank_redop_and_split_row),
		cmocka_unit_test(test_nccl_tests__checks), cmocka_unit_test(test_nccl_tests__cut_row),
		cmocka_unit_test(test_nccl_tests__names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
