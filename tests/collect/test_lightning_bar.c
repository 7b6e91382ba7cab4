#include "collect/import/lightning_bar.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_lightning_bar__rates(void **state)
{
	static const char bytes[] = "Epoch 0:   0%|          | 0/40 [00:00<?, ?it/s]\r"
				    "Epoch 0:  50%|#####     | 20/40 [00:10<00:10,  2.50it/s, loss=0.75, v_num=1]\r"
				    "Epoch 0:  50%|#####     | 20/40 [00:10<00:10,  2.50it/s, loss=0.75, v_num=1]\r"
				    "Epoch 0: 100%|##########| 40/40 [00:20<00:00,  1.25s/it, loss=nan, v_num=1]\n"
				    "Validation: 100%|####| 5/5 [00:01<00:00, 9.00it/s]\n"
				    "Epoch 1:  25%|##   | 10/40 [00:04<00:12, 2.0it/s, v_num=1, train_loss=0.5]\n";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, lightning_bar_detect));
	steps_of(bytes, lightning_bar_read, &iterations);
	assert_int_equal(iterations.n, 3);
	assert_true(value_of(&iterations, 0, ITERATION_STEP) == 20);
	assert_true(value_of(&iterations, 0, ITERATION_THROUGHPUT) == 2.5);
	assert_true(value_of(&iterations, 0, ITERATION_LOSS) == 0.75);
	assert_true(near(value_of(&iterations, 1, ITERATION_THROUGHPUT), 0.8));
	assert_true(value_of(&iterations, 2, ITERATION_STEP) == 50); /* counts on over epochs */
	assert_true(value_of(&iterations, 2, ITERATION_LOSS) == 0.5);
	assert_string_equal(iterations.throughput_unit, "steps/s");
	assert_true(flagged(&iterations, "smoothed rate"));
	assert_true(flagged(&iterations, "not a finite number in 1 of 3"));
	assert_false(detected(" 50%|# | 20/40 [00:10<00:10, 2.50it/s]\n", lightning_bar_detect));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lightning_bar__rates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
