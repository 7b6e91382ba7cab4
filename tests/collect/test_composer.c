#include "collect/import/composer.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_composer__blocks(void **state)
{
	static const char bytes[] = "num_nodes: 2\n[epoch=1][batch=5/50]:\n         Train time/batch: 4\n"
				    "         Train time/sample: 4096\n         Train loss/train/total: 8.5\n"
				    "         Train throughput/device/tokens_per_sec: 1255.5\n"
				    "         Train throughput/tokens_per_sec: 20082.25\n"
				    "         Train throughput/samples_per_sec: 2.75\n         Eval metrics/eval: 3\n"
				    "         Train loss/train/total: 1.0\n";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, composer_detect));
	steps_of(bytes, composer_read, &iterations);
	assert_int_equal(iterations.n, 1);
	assert_int_equal(iterations.total, 50);
	assert_true(value_of(&iterations, 0, ITERATION_STEP) == 5);
	assert_true(value_of(&iterations, 0, ITERATION_THROUGHPUT) == 20082.25);
	assert_string_equal(iterations.throughput_unit, "tokens/s");
	assert_true(value_of(&iterations, 0, ITERATION_LOSS) == 8.5);
	assert_true(value_of(&iterations, 0, ITERATION_SAMPLES) == 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_composer__blocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
