#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/ring.h"
#include "tests/reference/close.h"

/* vectors/ring_model.json, "alpha negative" (mpmath, R 4.2.2 lm) */
static void test_ring__alpha_negative(void **state)
{
	(void)state;
	const struct ring_point points[] = {
		{1048576, 8, 5.916693333333334e-05, 2e-07},
		{2097152, 8, 0.00011973386666666668, 2e-07},
		{4194304, 8, 0.00024266773333333336, 2e-07},
		{8388608, 8, 0.0004867354666666667, 2e-07},
	};
	struct ring ring;
	assert_int_equal(ring_fit(points, 4, 0.95, &ring, NULL), 0);
	assert_close(ring.bandwidth_bytes_per_s, 30025611119.247646, 1e-9);
	assert_close(ring.latency_s, -1.503105590062108e-07, 1e-9);
	assert_close(ring.chi2, 7.04347826086959, 1e-9);
	assert_close(ring.bandwidth[0], 29878367421.651737, 1e-9);
	assert_close(ring.bandwidth_z[1], 30061571537.660347, 1e-9);
	assert_close(ring.latency[1], -5.11412266608797e-08, 1e-9);
	assert_true(ring.at_bound);
	assert_close(ring.bounded_bandwidth, 30209173038.266785, 1e-9);
	assert_close(ring.bounded_chi2, 156.82352941176399, 1e-9);
}

static void test_ring__refuses(void **state)
{
	(void)state;
	const struct ring_point points[] = {{1000000, 8, 0.0001, 1e-06}, {1000000, 8, 0.00011, 1e-06}};
	struct ring ring;
	assert_int_equal(ring_fit(points, 2, 0.95, &ring, NULL), ERROR_DATA);
	assert_int_equal(ring_fit(points, 0, 0.95, &ring, NULL), ERROR_DATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ring__alpha_negative),
		cmocka_unit_test(test_ring__refuses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
