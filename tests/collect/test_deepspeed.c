#include "collect/import/deepspeed.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_deepspeed__timer(void **state)
{
	static const char bytes[] =
		"    \"steps_per_print\": 10,\n"
		"[2026-01-01] [INFO] [logging.py:96:log_dist] [Rank 0] step=0, skipped=0, lr=[0.0], mom=[(0.9, 0.95)]\n"

		"[2026-01-01] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0, lr=[1.5e-05, 3e-05], "
		"mom=[(0.9, 0.95)]\n"
		"[2026-01-01 10:00:00,001] [INFO] [timer.py:260:stop] "
		"epoch=0/micro_step=40/global_step=10, "
		"RunningAvgSamplesPerSec=291.5, CurrSamplesPerSec=300.25, MemAllocated=17.54GB, "
		"MaxMemAllocated=66.97GB\n"
		"[INFO] rank=0 time (ms) | fwd: 27.41 | bwd: 73.44 | step: 72.82\n"
		"[2026-01-01] [INFO] [logging.py:96:log_dist] [Rank 0] step=20, skipped=0, lr=[2.5e-05], mom=[(0.9, "
		"0.95)]\n"
		" 3%|#  | 12/345 [00:07<06:50,  1.23s/it][2026-01-01] [INFO] "
		"[timer.py:260:stop] epoch=0/micro_step=80/global_step=20, "
		"CurrSamplesPerSec=310.5, RunningAvgSamplesPerSec=295.5, "
		"MemAllocated=17.54GB\n";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, deepspeed_detect));
	steps_of(bytes, deepspeed_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_true(value_of(&iterations, 0, ITERATION_STEP) == 10);
	assert_true(value_of(&iterations, 0, ITERATION_THROUGHPUT) == 300.25);
	assert_true(value_of(&iterations, 0, ITERATION_LR) == 1.5e-5);
	assert_true(value_of(&iterations, 1, ITERATION_STEP) == 20);
	assert_true(value_of(&iterations, 1, ITERATION_THROUGHPUT) == 310.5);
	assert_string_equal(iterations.throughput_unit, "samples/s");
	assert_false(flagged(&iterations, "running mean"));
	assert_null(iterations.statistic);
}

/* The older timer counts micro-steps and gives the mean since the start. */
static void test_deepspeed__older_timer(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("[2026-01-01] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0, lr=[1e-05], mom=[(0.9, "
		 "0.95)]\n"
		 "[INFO] [timer.py:157:stop] 0/40, SamplesPerSec=12.5, "
		 "MemAllocated=1.0GB\n"
		 "[2026-01-01] [INFO] [logging.py:96:log_dist] [Rank 0] step=20, skipped=0, lr=[2e-05], mom=[(0.9, "
		 "0.95)]\n"
		 "[INFO] [timer.py:157:stop] 0/80, SamplesPerSec=12.75, "
		 "MemAllocated=1.0GB\n",
		 deepspeed_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_true(value_of(&iterations, 1, ITERATION_STEP) == 20);
	assert_true(value_of(&iterations, 1, ITERATION_THROUGHPUT) == 12.75);
	assert_true(flagged(&iterations, "running mean"));
	assert_string_equal(iterations.statistic, "running_mean");
	assert_int_equal(iterations_restart_line(&iterations), 0);
	iterations_release(&iterations);
	steps_of("0/40, SamplesPerSec=12.5, MemAllocated=1.0GB\n0/80, SamplesPerSec=12.75\n", deepspeed_read,
		 &iterations);
	assert_int_equal(iterations.n, 2);
	assert_true(value_of(&iterations, 1, ITERATION_STEP) == 80);
}

static void test_deepspeed__pipeline(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("[2026-01-01] [INFO] [logging.py:96:log_dist] [Rank 0] step=1, skipped=0, lr=[1e-05], mom=[(0.9, "
		 "0.95)]\n"
		 "steps: 1 loss: 12.75 iter time (s): 150.25 samples/sec: 6.5\n"
		 "[2026-01-01] [INFO] [logging.py:96:log_dist] [Rank 0] step=2, skipped=0, lr=[2e-05], mom=[(0.9, "
		 "0.95)]\n"
		 "steps: 2 loss: 12.5 iter time (s): 145.5 samples/sec: 7.25\n",
		 deepspeed_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_true(value_of(&iterations, 0, ITERATION_TIME) == 150.25);
	assert_true(value_of(&iterations, 0, ITERATION_LR) == 1e-5);
	assert_true(value_of(&iterations, 1, ITERATION_LOSS) == 12.5);
	assert_true(value_of(&iterations, 1, ITERATION_THROUGHPUT) == 7.25);
}

static void test_deepspeed__without_speed(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("[2026-01-01] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0, lr=[1e-05], mom=[(0.9, "
		 "0.95)]\n"

		 "[2026-01-01] [INFO] [logging.py:96:log_dist] [Rank 0] step=20, skipped=0, lr=[2e-05], mom=[(0.9, "
		 "0.95)]\n",
		 deepspeed_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_true(value_of(&iterations, 1, ITERATION_LR) == 2e-5);
	assert_false(iterations.has[ITERATION_THROUGHPUT] || iterations.has[ITERATION_TIME]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deepspeed__timer),
		cmocka_unit_test(test_deepspeed__older_timer),
		cmocka_unit_test(test_deepspeed__pipeline),
		cmocka_unit_test(test_deepspeed__without_speed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
