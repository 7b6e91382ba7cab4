#include "collect/import/dllogger.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_dllogger__json(void **state)
{
	static const char bytes[] =
		"DLLL {\"type\": \"LOG\", \"step\": \"PARAMETER\", \"data\": {\"lr\": 1}}\n"
		"DLLL {\n  \"timestamp\": \"1739.5\",\n  \"step\": 16,\n  \"data\":\n  {\n"
		"    \"reduced_train_loss\": 10.5,\n    \"lr\": 1.5e-06,\n    \"global_step\": \"16.0\",\n"
		"    \"train_backward_timing in s\": 4.5e-05,\n    \"train_step_timing in s\": 92.25\n    }\n}\n"
		"other \"train_step_timing in s\": 1\n";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, dllogger_detect));
	steps_of(bytes, dllogger_read, &iterations);
	assert_int_equal(iterations.n, 1);
	assert_true(value_of(&iterations, 0, ITERATION_STEP) == 16);
	assert_true(value_of(&iterations, 0, ITERATION_TIME) == 92.25);
	assert_true(value_of(&iterations, 0, ITERATION_LOSS) == 10.5);
	assert_false(detected("DLLL {\"step\": 1}\n", dllogger_detect));
}

static void test_dllogger__text(void **state)
{
	static const char bytes[] = "DLL 2026-06-20 01:15:38.03 - PARAMETER batch_size : 256\n"
				    "DLL 2026-06-20 01:16:39.76 - (0, 50) total_ips : 6724.5\n"
				    "DLL 2026-06-20 01:16:40.06 - (0, 51) total_ips : 6785.25\n"
				    "DLL 2026-06-20 01:22:56.35 - () train_throughput : 6638.5\n";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, dllogger_text_detect));
	steps_of(bytes, dllogger_text_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_true(value_of(&iterations, 0, ITERATION_STEP) == 50);
	assert_true(value_of(&iterations, 1, ITERATION_THROUGHPUT) == 6785.25);
	assert_string_equal(iterations.throughput_unit, "images/s");
	assert_true(closing_of(&iterations, "images_per_s") == 6638.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dllogger__json),
		cmocka_unit_test(test_dllogger__text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
