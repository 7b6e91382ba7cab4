#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/payload.h"
#include "tests/reference/close.h"

/* vectors/comm_fraction.json, "point: anchor", "log_ratio: anchor n=2" (mpmath) */
static void test_payload__anchor(void **state)
{
	(void)state;
	struct payload p;
	assert_int_equal(payload_point(0.145, 0.5, &p, NULL), 0);
	assert_close(p.f_ratio, 0.25327510917030566, 1e-13);
	assert_close(p.recovered_ratio, 0.12663755458515283, 1e-13);
	assert_close(p.left_ratio, 0.145, 1e-13);

	struct payload_interval i;
	assert_int_equal(payload_from_log_ratio(-0.13540463700620298, 0.004, 1, 0.5, 0.95, &i, NULL), 0);
	assert_close(i.se, 0.0069868995633187774, 1e-11);
	assert_close(i.lo, 0.16220338446401367, 1e-11);
	assert_close(i.hi, 0.33983378876003584, 1e-11);
	assert_close(i.lo_delta, 0.16449813284768766, 1e-11);
	assert_int_equal(payload_point(0.1, 1, &p, NULL), ERROR_DATA);
	assert_int_equal(payload_point(-1, 0.5, &p, NULL), ERROR_DATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_payload__anchor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
