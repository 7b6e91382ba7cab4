#include "collect/import/pattern.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int read_with(const char *pattern, const char *time_unit, const char *bytes, struct iterations *iterations,
		     struct error *err)
{
	struct clean_lines lines;
	char name[] = "time", *names[] = {name}, unit[8], *values[] = {unit}, copy[200], harness_name[] = "h";
	struct plan_harness harness = {.name = harness_name, .pattern = copy, .units = {names, values, 1}};

	strncpy(unit, time_unit, sizeof(unit) - 1);
	unit[sizeof(unit) - 1] = '\0';
	strncpy(copy, pattern, sizeof(copy) - 1);
	copy[sizeof(copy) - 1] = '\0';
	unmess(bytes, strlen(bytes), &lines);
	int r = pattern_read(&lines, "x.log", &harness, iterations, err);
	clean_lines_release(&lines);
	return r;
}

static void test_pattern__step_that_looks_like_a_label(void **state)
{
	struct iterations iterations;
	struct error err = {0};
	(void)state;
	assert_int_equal(read_with("^(?<step>\\d+): (?<time>[0-9.]+) us loss (?<loss>\\S+)", "us",
				   "1: 2000000 us loss nan\n2: 1000000 us loss 2.5\nother\n", &iterations, &err),
			 0);
	assert_int_equal(iterations.n, 2);
	assert_true(fabs(iterations.rows[0].values[ITERATION_TIME] - 2) < 1e-12);
	assert_true(isnan(iterations.rows[0].values[ITERATION_LOSS]));
	assert_true(iterations.rows[1].values[ITERATION_STEP] == 2);
	assert_int_equal(iterations_bad_line(&iterations, 0), 0);
	iterations_release(&iterations);
}

static void test_pattern__prefix_stripped(void **state)
{
	struct iterations iterations;
	struct error err = {0};
	(void)state;
	assert_int_equal(read_with("^dt=(?<time>[0-9.]+)", "ms", "0: dt=250\n    dt=500\n", &iterations, &err), 0);
	assert_int_equal(iterations.n, 2);
	assert_true(fabs(iterations.rows[1].values[ITERATION_TIME] - 0.5) < 1e-12);
	iterations_release(&iterations);
}

static void test_pattern__errors(void **state)
{
	struct iterations iterations;
	struct error err = {0};
	(void)state;
	assert_int_equal(read_with("(?<time>", "s", "x\n", &iterations, &err), ERROR_DATA);
	assert_non_null(strstr(err.message, "harness 'h': pattern"));
	iterations_release(&iterations);
	assert_int_equal(read_with("(?<step>\\d+)", "s", "1\n", &iterations, &err), ERROR_DATA);
	iterations_release(&iterations);
	assert_int_equal(read_with("t=(?<time>\\S+)", "s", "ok\nab t=1.2.3\n", &iterations, &err), ERROR_DATA);
	assert_non_null(strstr(err.message, "x.log:2:6:"));
	iterations_release(&iterations);
	assert_int_equal(read_with("^(a+)+(?<time>\\d)$", "s", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n",
				   &iterations, &err),
			 ERROR_DATA);
	assert_non_null(strstr(err.message, "x.log:1:"));
	iterations_release(&iterations);
}

static void test_pattern__nan_response(void **state)
{
	struct iterations iterations;
	struct error err = {0};
	(void)state;
	assert_int_equal(read_with("t=(?<time>\\S+)", "s", "t=1\nt=nan\nt=2\n", &iterations, &err), 0);
	assert_int_equal(iterations_bad_line(&iterations, 1), 2);
	assert_int_equal(iterations_bad_line(&iterations, 2), 0);
	iterations_release(&iterations);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pattern__step_that_looks_like_a_label),
		cmocka_unit_test(test_pattern__prefix_stripped),
		cmocka_unit_test(test_pattern__errors),
		cmocka_unit_test(test_pattern__nan_response),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
