#include "collect/import/modded_nanogpt.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_modded_nanogpt__totals(void **state)
{
	static const char bytes[] =
		"print0(f'step:{step}/{n} train_time:{t:.0f}ms')\n"
		"step:0/90 val_loss:10.8 train_time:0ms step_avg:nanms\n"
		"step:9/90 train_time:29000ms step_avg:nanms\nstep:10/90 train_time:29250ms step_avg:nanms\n"
		"step:11/90 train_time:140ms step_avg:nanms\nstep:12/90 train_time:290ms step_avg:145.00ms\n"
		"step:12/90 val_loss:5.5 train_time:291ms step_avg:145.50ms\n"
		"step:13/90 train_time:450ms step_avg:150.25ms\n";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, modded_nanogpt_detect));
	steps_of(bytes, modded_nanogpt_read, &iterations);
	assert_int_equal(iterations.n, 5);
	assert_int_equal(iterations.total, 90);
	assert_true(near(value_of(&iterations, 0, ITERATION_TIME), NAN));
	assert_true(near(value_of(&iterations, 1, ITERATION_TIME), 0.25));
	assert_true(near(value_of(&iterations, 2, ITERATION_TIME), NAN)); /* the total began anew */
	assert_true(near(value_of(&iterations, 3, ITERATION_TIME), 0.15));
	assert_true(near(value_of(&iterations, 4, ITERATION_TIME), 0.16));
	assert_true(flagged(&iterations, "2 of 5 step lines give no time"));
	assert_int_equal(iterations_bad_line(&iterations, 0), 0);
	assert_true(near(closing_of(&iterations, "train_time_s"), 0.45));
	assert_true(near(closing_of(&iterations, "step_average_s"), 0.15025));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modded_nanogpt__totals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
