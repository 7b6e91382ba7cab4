#include "collect/import/nanogpt.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_nanogpt__lines(void **state)
{
	static const char bytes[] = "tokens per iteration will be: 16,384\nstep 500: train loss 2.5, val loss 2.6\n"
				    "saving checkpoint to out\niter 500: loss 2.4500, time 8000.25ms, mfu -100.00%\n"
				    "0: iter 510: loss 2.4400, time 12.50ms, mfu 26.88%\n"
				    "iter 520: loss nan, time 12.75ms, mfu 26.90%\niter 530: loss 2.4, time 12.";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, nanogpt_detect));
	steps_of(bytes, nanogpt_read, &iterations);
	assert_int_equal(iterations.n, 4);
	assert_true(value_of(&iterations, 0, ITERATION_STEP) == 500);
	assert_true(near(value_of(&iterations, 0, ITERATION_TIME), 8.00025));
	assert_true(value_of(&iterations, 1, ITERATION_LOSS) == 2.44);
	assert_true(near(value_of(&iterations, 2, ITERATION_TIME), 0.01275));
	assert_false(iterations.rows[3].printed[ITERATION_TIME]); /* cut before its unit */
	assert_true(iterations.rows[0].evaluates);
	assert_false(iterations.rows[1].evaluates);
	assert_true(flagged(&iterations, "the time of 1 of 4 steps contains an evaluation"));
	assert_true(flagged(&iterations, "the loss is not a finite number in 1 of 4 step lines, the first is line 6"));
	assert_false(detected("step 0: train loss 4.2874, val loss 4.2823\n", nanogpt_detect));
}

static void test_nanogpt__rewritten(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("validation loss: 10.9\nstep     0 | loss: 10.95 | lr 8.5000e-07 | norm: 15.3 | dt: 2700.50ms | "
		 "tok/sec: 19351.75\n"
		 "step     1, loss: 9.5, dt: 340.50ms, tok/sec: 48000\n",
		 nanogpt_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_true(near(value_of(&iterations, 0, ITERATION_TIME), 2.7005));
	assert_true(value_of(&iterations, 0, ITERATION_LR) == 8.5e-7);
	assert_true(value_of(&iterations, 1, ITERATION_THROUGHPUT) == 48000);
	assert_true(value_of(&iterations, 1, ITERATION_LOSS) == 9.5);
	assert_string_equal(iterations.throughput_unit, "tokens/s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nanogpt__lines),
		cmocka_unit_test(test_nanogpt__rewritten),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
