#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/ratio.h"
#include "tests/reference/close.h"

/* vectors/fieller.json, "summary: bounded", "summary: b zero", "summary: whole line" (mpmath, R 4.2.2) */
static void test_ratio__sets(void **state)
{
	(void)state;
	struct ratio_input in = {.num = 8.2, .den = 10.1, .var_num = 0.09, .var_den = 0.16, .df = 10};
	struct ratio f;
	assert_int_equal(ratio_fieller(&in, 0.95, &f, NULL), 0);
	assert_int_equal(f.set, RATIO_BOUNDED);
	assert_close(f.estimate, 0.8118811881188118, 1e-14);
	assert_close(f.lo, 0.7201300919216946, 1e-10);
	assert_close(f.hi, 0.91637550585239, 1e-10);

	in = (struct ratio_input){.num = 1, .den = 0, .var_num = 0.01, .var_den = 0.04, .df = 10};
	assert_int_equal(ratio_fieller(&in, 0.95, &f, NULL), 0);
	assert_int_equal(f.set, RATIO_EXCLUSIVE);
	assert_true(isnan(f.estimate));
	assert_close(f.lo, -2.1876127710658686, 1e-10);
	assert_close(f.hi, 2.1876127710658686, 1e-10);

	in = (struct ratio_input){.num = 0.2, .den = 0.3, .var_num = 1, .var_den = 1, .df = 5};
	assert_int_equal(ratio_fieller(&in, 0.95, &f, NULL), 0);
	assert_int_equal(f.set, RATIO_WHOLE_LINE);
	in.var_den = NAN;
	assert_int_equal(ratio_fieller(&in, 0.95, &f, NULL), ERROR_DATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ratio__sets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
