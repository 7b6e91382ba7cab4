#include "collect/import/megatron.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_megatron__lines(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	static const char bytes[] =
		" iteration        7/      90 | consumed samples:         1792 | elapsed time per iteration (ms): "
		"2500.5 | "
		"learning rate: 1.5E-04 | global batch size:   256 | lm loss: 9.5E+00 | loss scale: 1.0 | grad norm: "
		"1.25 | "
		"number of skipped iterations:   0 | number of nan iterations:   0 |\n"
		"time (ms) | forward-compute: 31.7 | optimizer: 1.1\n"
		"(min, max) time across ranks (ms):\n    forward-backward ...............................: (100.5, "
		"102.5)\n"
		" validation loss at iteration 7 | lm loss value: 9.1E+00 | lm loss PPL: 8.9E+03 |\n"
		"saving checkpoint at iteration       7 to /c\n";
	(void)state;
	assert_true(detected(bytes, megatron_detect));
	steps_of(bytes, megatron_read, &iterations);
	assert_int_equal(iterations.n, 1);
	assert_int_equal(iterations.total, 90);
	assert_true(value_of(&iterations, 0, ITERATION_STEP) == 7);
	assert_true(near(value_of(&iterations, 0, ITERATION_TIME), 2.5005));
	assert_true(value_of(&iterations, 0, ITERATION_SAMPLES) == 1792);
	assert_true(value_of(&iterations, 0, ITERATION_LR) == 1.5e-4);
	assert_true(value_of(&iterations, 0, ITERATION_BATCH) == 256);
	assert_true(value_of(&iterations, 0, ITERATION_LOSS) == 9.5);
	assert_false(iterations.rows[0].printed[ITERATION_TFLOPS]);
}

static void test_megatron__pairs(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("[\x1b[32m20260101 10:00:00\x1b[0m][\x1b[36mrank-7/8\x1b[0m][INFO ] [---trainer.py:1] :  iteration 2/ "
		 "4 | "
		 "elapsed time per iteration (ms): 6400.0/9100.0 | hip mem usage/free/total/usage_ratio: "
		 "1GB/2GB/3GB/4% | "
		 "throughput per GPU (TFLOP/s/GPU): 210.5/108.0 | tokens per GPU (tokens/s/GPU): 2541.5/1304.0 | lm "
		 "loss: 3 |\n",
		 megatron_read, &iterations);
	assert_int_equal(iterations.n, 1);
	assert_true(near(value_of(&iterations, 0, ITERATION_TIME), 6.4));
	assert_true(value_of(&iterations, 0, ITERATION_TFLOPS) == 210.5);
	assert_true(value_of(&iterations, 0, ITERATION_THROUGHPUT) == 2541.5);
	assert_string_equal(iterations.throughput_unit, "tokens/s/GPU");
}

static void test_megatron__variants(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("n-1:  iteration 1/ 5 | elapsed time per iteration (s): 8.25 | lm-loss: nan | samples per second: "
		 "26.5 | "
		 "TFLOPs: 147.5 |\n"
		 "n-1: saving checkpoint at iteration 1n-1:  iteration 2/ 5 | lm loss: 2.0 | lr: 3e-4 | "
		 "mtp_1 loss: 7.0 | elapsed time per iteration (ms): 8000 |\n"
		 "n-1:  iteration 3/ 5 | consumed samples: 9 | elapsed tim",
		 megatron_read, &iterations);
	assert_int_equal(iterations.n, 2); /* the third is cut before its time */
	assert_true(near(value_of(&iterations, 0, ITERATION_TIME), 8.25));
	assert_true(near(value_of(&iterations, 0, ITERATION_LOSS), NAN));
	assert_true(value_of(&iterations, 0, ITERATION_THROUGHPUT) == 26.5);
	assert_string_equal(iterations.throughput_unit, "samples/s");
	assert_true(value_of(&iterations, 1, ITERATION_STEP) == 2);
	assert_true(value_of(&iterations, 1, ITERATION_LOSS) == 2);
	assert_true(value_of(&iterations, 1, ITERATION_LR) == 3e-4);
	assert_true(flagged(&iterations, "the loss is not a finite number in 1 of 2"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_megatron__lines),
		cmocka_unit_test(test_megatron__pairs),
		cmocka_unit_test(test_megatron__variants),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
