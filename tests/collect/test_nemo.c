#include "collect/import/nemo.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_nemo__lines(void **state)
{
	static const char bytes[] = "Training epoch 0, iteration 0/249 | lr: 1.5e-06 | global_batch_size: 8 | "
				    "global_step: 0 | reduced_train_loss: 1.25 | "
				    "train_step_timing in s: 7.125\n"
				    "i.r.t.epoch 0: Training epoch 1, iteration 0/249 | lr: 3.5e-06 | "
				    "global_batch_size: 8 | global_step: 249 | "
				    "reduced_train_loss: nan | train_step_timing in s: 2.5 | consumed_samples: 16\n";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, nemo_detect));
	steps_of(bytes, nemo_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_int_equal(iterations.total, 249);
	assert_true(value_of(&iterations, 0, ITERATION_TIME) == 7.125);
	assert_true(value_of(&iterations, 0, ITERATION_LOSS) == 1.25);
	assert_true(value_of(&iterations, 0, ITERATION_LR) == 1.5e-6);
	assert_true(value_of(&iterations, 1, ITERATION_STEP) == 249); /* counts on over epochs */
	assert_true(value_of(&iterations, 1, ITERATION_SAMPLES) == 16);
	assert_true(value_of(&iterations, 1, ITERATION_BATCH) == 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nemo__lines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
