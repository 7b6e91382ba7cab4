#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/number.h"

#include <math.h>
#include <string.h>

static void test_double(void **state)
{
	static const struct {
		const char *text;
		double value;
	} good[] = {{"1", 1}, {"-0.5", -0.5}, {"+2e3", 2000}, {".5", 0.5}, {"5.", 5}, {"1E-2", 0.01}};
	static const char *const bad[] = {"",    "-",    ".",     "1x",  " 1",  "1 ", "1e",
					  "1,5", "0x10", "1e999", "inf", "nan", "--1"};
	double v;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(number_parse_double(good[i].text, strlen(good[i].text), &v));
		assert_true(v == good[i].value);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (number_parse_double(bad[i], strlen(bad[i]), &v))
			fail_msg("accepted '%s'", bad[i]);
	}
	assert_true(number_parse_double("12345", 2, &v));
	assert_true(v == 12);
}

static void test_double__non_finite(void **state)
{
	double v;

	(void)state;
	assert_true(number_parse_double_allow("nan", 3, NUMBER_NON_FINITE, &v) && isnan(v));
	assert_true(number_parse_double_allow("-Inf", 4, NUMBER_NON_FINITE, &v) && isinf(v) && v < 0);
	assert_false(number_parse_double_allow("nano", 4, NUMBER_NON_FINITE, &v));
	assert_false(number_parse_double_allow("", 0, NUMBER_NON_FINITE, &v));
}

static void test_int(void **state)
{
	int64_t v;

	(void)state;
	assert_true(number_parse_int("-9223372036854775808", 20, &v) && v == INT64_MIN);
	assert_true(number_parse_int("9223372036854775807", 19, &v) && v == INT64_MAX);
	assert_false(number_parse_int("9223372036854775808", 19, &v));
	assert_false(number_parse_int("1.0", 3, &v));
	assert_false(number_parse_int("", 0, &v));
	assert_false(number_parse_int("-", 1, &v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_double), cmocka_unit_test(test_double__non_finite),
					   cmocka_unit_test(test_int)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
