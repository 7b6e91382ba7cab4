#include "collect/import/throughput_lines.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_throughput_lines__units(void **state)
{
	static const char bytes[] =
		"start training\nThroughput: 4754.5 images/s, Batch size: 16, Total time: 3.5 s, Average batch time: "
		"0.03 s\n"
		"throughput = 1,250.25 images/s loss: 2.5\nThroughput: 7 samples/s\nThroughput: high\n";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, throughput_lines_detect));
	steps_of(bytes, throughput_lines_read, &iterations);
	assert_int_equal(iterations.n, 3);
	assert_true(value_of(&iterations, 0, ITERATION_THROUGHPUT) == 4754.5);
	assert_true(value_of(&iterations, 1, ITERATION_THROUGHPUT) == 1250.25);
	assert_true(value_of(&iterations, 1, ITERATION_LOSS) == 2.5);
	assert_false(iterations.rows[2].printed[ITERATION_THROUGHPUT]); /* one unit a table */
	assert_string_equal(iterations.throughput_unit, "images/s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_throughput_lines__units),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
