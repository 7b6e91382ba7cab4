#include "collect/import/ezpz.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_ezpz__lines(void **state)
{
	static const char bytes[] =
		"[2026-12-31 12:15:32,154227][I][examples/vit:445:train_fn] iter=10 loss=7.125 "
		"dt=0.75 dtd=0.003 loss/mean=7.0 "
		"dt/mean=0.74 dt/max=0.745\n[I] train/iter=11 train/dt/mean=0.9 train/dt=0.5 train/loss=nan\n";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, ezpz_detect));
	steps_of(bytes, ezpz_read, &iterations);
	assert_true(value_of(&iterations, 0, ITERATION_STEP) == 10);
	assert_true(value_of(&iterations, 0, ITERATION_TIME) == 0.75);
	assert_true(value_of(&iterations, 0, ITERATION_LOSS) == 7.125);
	assert_int_equal(iterations.n, 2);
	assert_true(value_of(&iterations, 1, ITERATION_TIME) == 0.5);
	assert_true(iterations.rows[1].printed[ITERATION_LOSS]);
	assert_false(detected("step=1 loss=2 dt=340.5ms tok/sec=9\n", ezpz_detect));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ezpz__lines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
