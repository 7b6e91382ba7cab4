#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/line.h"
#include "tests/reference/close.h"

/* vectors/regression.json, "wls: unequal sigma", "origin: unequal sigma" (mpmath, R 4.2.2 lm) */
static void test_line__weighted(void **state)
{
	(void)state;
	const double x[] = {1, 2, 4, 8, 16};
	const double y[] = {1.1, 2.3, 3.8, 8.4, 15.7};
	const double sigma[] = {0.1, 0.1, 0.2, 0.4, 0.8};
	struct line line;
	assert_int_equal(line_weighted(x, y, sigma, 5, &line, NULL), 0);
	assert_close(line.intercept, 0.19550045913682276, 1e-12);
	assert_close(line.slope, 0.9821395775941231, 1e-12);
	assert_close(line.covariance[1], -0.002791551882460974, 1e-12);
	assert_close(line.chi2, 6.017275022956839, 1e-12);
	assert_close(line.covariance_scaled[2], 0.0027443341855542367, 1e-12);

	assert_int_equal(line_through_origin(x, y, sigma, 5, &line, NULL), 0);
	assert_close(line.slope, 1.0367647058823528, 1e-12);
	assert_close(line.covariance_scaled[2], 0.0014474751297577852, 1e-12);

	const double same[] = {2, 2, 2, 2, 2};
	assert_int_equal(line_weighted(same, y, sigma, 5, &line, NULL), ERROR_DATA);
	assert_int_equal(line_weighted(x, y, same, 1, &line, NULL), ERROR_DATA);
}

/* vectors/regression.json, "deming: orthogonal", "theil_sen: n7" (mpmath, SciPy 1.10.1) */
static void test_line__both_and_robust(void **state)
{
	(void)state;
	const double x[] = {0.5, 2.1, 3.4, 4.2, 6.8, 8.1, 10.3};
	const double y[] = {0.9, 1.8, 3.9, 3.7, 7.2, 7.7, 11.0};
	struct line_both line;
	assert_int_equal(line_deming(x, y, 7, 1, &line, NULL), 0);
	assert_close(line.slope, 1.0347506061086122, 1e-12);
	assert_close(line.se_slope, 0.08299993345487065, 1e-10);

	struct line_theil_sen robust;
	assert_int_equal(line_theil_sen(x, y, 7, 0.95, &robust, NULL), 0);
	assert_close(robust.slope, 1.0256410256410258, 1e-12);
	assert_close(robust.intercept_joint, 0.22564102564102506, 1e-12);
	assert_close(robust.lo, 0.7567567567567568, 1e-12);
	assert_close(robust.hi, 1.1967213114754096, 1e-12);
}

/* Pearson's data with York's weights: vectors/regression.json; York 2004 prints -0.480533407, 5.47991022 */
static void test_line__york(void **state)
{
	(void)state;
	const double x[] = {0, 0.9, 1.8, 2.6, 3.3, 4.4, 5.2, 6.1, 6.5, 7.4};
	const double y[] = {5.9, 5.4, 4.4, 4.6, 3.5, 3.7, 2.8, 2.8, 2.4, 1.5};
	const double weight_x[] = {1000, 1000, 500, 800, 200, 80, 60, 20, 1.8, 1};
	const double weight_y[] = {1, 1.8, 4, 8, 20, 20, 70, 70, 100, 500};
	struct line_both line;
	assert_int_equal(line_york(x, y, weight_x, weight_y, 10, &line, NULL), 0);
	assert_close(line.slope, -0.48053340744620204, 1e-9);
	assert_close(line.intercept, 5.479910224032865, 1e-9);
	assert_close(line.se_slope, 0.05798500900077444, 1e-9);
	assert_close(line.se_intercept, 0.2949707354931086, 1e-9);
	assert_close(line.chi2, 11.866353194061444, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line__weighted),
		cmocka_unit_test(test_line__both_and_robust),
		cmocka_unit_test(test_line__york),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
