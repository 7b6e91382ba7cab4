#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/control.h"
#include "tests/reference/close.h"

/* vectors/control_outliers.json, "rank waits with straggler", "MAD zero with outlier" (mpmath, R 4.2.2) */
static void test_control__straggler(void **state)
{
	(void)state;
	const double x[] = {1.21, 1.18, 1.25, 1.2, 0.31, 1.22, 1.19, 1.24};
	struct control_xmr c;
	assert_int_equal(control_xmr(x, 8, &c, NULL), 0);
	assert_close(c.mean_moving_range, 0.29, 1e-12);
	assert_close(c.lo, 0.3286, 1e-12);
	assert_close(c.hi, 1.8714, 1e-12);
	assert_close(c.moving_range_hi, 0.94743, 1e-12);

	double z[8];
	assert_int_equal(control_modified_z(x, 8, z, NULL), 0);
	assert_close(z[4], -30.183874999999972, 1e-11);

	struct control_fences f;
	assert_int_equal(control_fences(x, 8, &f, NULL), 0);
	assert_close(f.q1, 1.1875, 1e-12);
	assert_close(f.inner[0], 1.13125, 1e-12);
	assert_close(f.outer[1], 1.3375, 1e-12);

	const double flat[] = {2, 2, 2, 2, 9};
	assert_int_equal(control_modified_z(flat, 5, z, NULL), 0);
	assert_true(isnan(z[4]));
	assert_int_equal(control_xmr(x, 1, &c, NULL), ERROR_DATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_control__straggler),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
