#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/series.h"
#include "tests/reference/close.h"

/* vectors/series.json, "offset 1e9" (mpmath, R 4.2.2 acf, cor.test) */
static void test_series__offset(void **state)
{
	(void)state;
	const double x[] = {1000000000.5,  1000000000.25, 1000000000.75, 1000000001.5,
			    1000000001.25, 1000000002.0,  1000000001.75};
	double acf[6];
	assert_int_equal(series_autocorrelation(x, 7, 5, acf, NULL), 0);
	assert_close(acf[1], 0.5503913894324853, 1e-12);
	assert_close(acf[5], -0.41927592954990217, 1e-12);

	struct series_size size;
	assert_int_equal(series_effective_size(x, 7, &size, NULL), 0);
	assert_close(size.tau, 2.1007827788649704, 1e-12);
	assert_close(size.n_effective, 3.3320912901723334, 1e-12);

	struct series_trend trend;
	assert_int_equal(series_trend(x, 7, &trend, NULL), 0);
	assert_close(trend.z, 2.102629932151387, 1e-12);
	assert_close(trend.p, 0.03549813132066249, 1e-10);
	assert_close(trend.p_exact, 0.03015873015873016, 1e-12);
	assert_close(trend.sen_slope, 0.25, 0);

	struct series_change change;
	assert_int_equal(series_change(x, 7, &change, NULL), 0);
	assert_close(change.pettitt_k, 12, 0);
	assert_int_equal(change.pettitt_at, 3);
	assert_close(change.pettitt_p, 0.22070364458742373, 1e-12);
	assert_close(change.cusum_max, 1.105808488227635, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_series__offset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
