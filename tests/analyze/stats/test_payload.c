#include <math.h>
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

/* Four blocks of three settings, two at one ratio; weights, slopes, t and the closed CDF of t with 3 df in Python. */
static void test_payload__blocks(void **state)
{
	const double ratio[] = {0.5, 0.25, 0.5};
	const double time_ratio[] = {0.880, 0.812, 0.876, 0.871, 0.799, 0.882,
				     0.884, 0.824, 0.869, 0.876, 0.806, 0.885};
	struct payload_blocks fit;

	(void)state;
	assert_int_equal(payload_from_blocks(ratio, time_ratio, 4, 3, 0.95, &fit, NULL), 0);
	assert_close(fit.f_ratio, 0.24671549386411998, 1e-12);
	assert_close(fit.lo, 0.23757863156057768, 1e-12);
	assert_close(fit.hi, 0.2558523561676623, 1e-12);
	assert_false(fit.equal_weights);
	assert_close(fit.hinge, -0.02625, 1e-12);
	assert_close(fit.hinge_lo, -0.10010487034380851, 1e-11);
	assert_close(fit.hinge_p, 0.3402520885295054, 1e-10);
	/* slopes of the blocks 0.264, 0.310, 0.210, 0.298: mean 0.2705, s / 2 times t with 3 df */
	assert_close(fit.tail, 0.2705, 1e-12);
	assert_close(fit.tail_hi - fit.tail,
		     3.182446305284263 *
			     sqrt((0.0065 * 0.0065 + 0.0395 * 0.0395 + 0.0605 * 0.0605 + 0.0275 * 0.0275) / 12),
		     1e-11);

	/* A step whose last quarter of the bytes saves nothing: 1 - 0.875 over 0.5, then flat. */
	const double hinged[] = {0.5, 0.25}, stops[] = {0.875, 0.875};
	assert_int_equal(payload_from_blocks(hinged, stops, 1, 2, 0.95, &fit, NULL), 0);
	assert_close(fit.hinge, 0.25, 1e-13);
	assert_close(fit.tail, 0, 1e-13);
	assert_true(fit.equal_weights);
	assert_true(isnan(fit.lo));
	const double grown[] = {1.5, 0.5};
	assert_int_equal(payload_from_blocks(grown, stops, 1, 2, 0.95, &fit, NULL), ERROR_DATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_payload__anchor),
		cmocka_unit_test(test_payload__blocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
