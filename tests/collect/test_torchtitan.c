#include "collect/import/torchtitan.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_torchtitan__lines(void **state)
{
	static const char bytes[] = "[rank0]:[titan] 2026-03-01 10:00:00,000 - root - INFO - Training starts at step "
				    "1, local batch size 1, total steps 100 (warmup 20)\n"
				    "[rank0]:[titan] 2026-03-01 10:00:01,000 - root - INFO - step:  1  loss: 12.25  "
				    "memory: 87.8GiB(62.8%)  tps: 945  tflops: 47.5\n"
				    "[rank0]:[titan] 2026-03-01 10:00:01,001 - root - INFO - Synchronizing and "
				    "adjusting timeout for all ProcessGroups to 0:01:40\n"
				    "[rank0]:[titan] 2026-03-01 10:00:09,000 - root - INFO - step: 10  loss:  nan  "
				    "mmemory: 1.1GiB(3.1%)  tps: 5,970  mfu: 30.4%\n"
				    "[rank0]:[titan] 2026-03-01 10:00:10,000 - root - INFO - validate step: 10  loss:  "
				    "8.5  memory: 1GiB(1%)  tps: 20,000\n"
				    "[rank0]:[titan] 2026-03-01 10:00:19,000 - root - INFO - step: 20  mfu: 30.4%  "
				    "wps: 15,980  loss:  8.25\n";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, torchtitan_detect));
	steps_of(bytes, torchtitan_read, &iterations);
	assert_int_equal(iterations.n, 3);
	assert_int_equal(iterations.total, 100);
	assert_true(value_of(&iterations, 0, ITERATION_THROUGHPUT) == 945);
	assert_true(value_of(&iterations, 0, ITERATION_TFLOPS) == 47.5);
	assert_true(value_of(&iterations, 1, ITERATION_THROUGHPUT) == 5970);
	assert_true(near(value_of(&iterations, 1, ITERATION_LOSS), NAN));
	assert_true(value_of(&iterations, 2, ITERATION_THROUGHPUT) == 15980);
	assert_true(value_of(&iterations, 2, ITERATION_LOSS) == 8.25);
	assert_string_equal(iterations.throughput_unit, "tokens/s/GPU");
	assert_false(iterations.has[ITERATION_TIME]);
	assert_false(flagged(&iterations, "clock step"));
}

static void test_torchtitan__clock(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("[rank0]:2026-02-28 23:59:59,500 - root - INFO - step: 1  loss: 3  tps: 100\n"
		 "[rank1]:2026-02-28 23:59:59,499 - root - INFO - step: 1  loss: 3  tps: 100\n"
		 "[rank0]:2026-03-01 00:00:01,500 - root - INFO - step: 2  loss: 3  tps: 100\n"
		 "[rank0]:2026-02-28 23:00:03,500 - root - INFO - step: 3  loss: 3  tps: 100\n"
		 "[rank0]:2026-02-28 23:00:03,500 - root - INFO - step: 4  loss: 3  tps: 100\n",
		 torchtitan_read, &iterations);
	assert_int_equal(iterations.n, 4);
	assert_true(flagged(&iterations, "clock step: the time stamp on line 4 is -3598.000 s"));
	assert_true(flagged(&iterations, "clock step: the time stamp on line 5 is 0.000 s"));
	assert_false(flagged(&iterations, "line 3"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_torchtitan__lines),
		cmocka_unit_test(test_torchtitan__clock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
