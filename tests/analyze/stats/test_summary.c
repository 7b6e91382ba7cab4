#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/summary.h"
#include "tests/reference/close.h"

/* vectors/summary.json, "one to five" (mpmath, R 4.2.2) */
static void test_summary__one_to_five(void **state)
{
	(void)state;
	const double x[] = {4, 1, 5, 3, 2};
	struct summary s;
	assert_int_equal(summary_of(x, 5, &s, NULL), 0);
	assert_close(s.mean, 3.0, 1e-15);
	assert_close(s.sd, 1.5811388300841898, 1e-15);
	assert_close(s.cv_ratio, 0.5270462766947299, 1e-15);
	assert_close(s.median, 3.0, 0);
	assert_close(s.mad, 1.4826, 1e-15);
	assert_close(s.range_over_median_ratio, 1.3333333333333333, 1e-15);
	assert_close(s.geometric_mean, 2.6051710846973517, 1e-14);

	double q;
	assert_int_equal(summary_quantile(x, 5, 0.05, SUMMARY_QUANTILE_7, &q, NULL), 0);
	assert_close(q, 1.2, 1e-14);
	assert_int_equal(summary_quantile(x, 5, 0.25, SUMMARY_QUANTILE_8, &q, NULL), 0);
	assert_close(q, 1.6666666666666667, 1e-14);
}

/* NIST StRD NumAcc3: 1000000.2, then 500 pairs of .1 and .3; certified sd 0.1, inputs not exact in double */
static void test_summary__offset(void **state)
{
	(void)state;
	double x[1001];
	x[0] = 1000000.2;
	for (size_t i = 1; i < 1001; i++)
		x[i] = i % 2 == 1 ? 1000000.1 : 1000000.3;
	double mean;
	double sd;
	assert_int_equal(summary_mean_sd(x, 1001, &mean, &sd, NULL), 0);
	assert_close(mean, 1000000.2, 1e-15);
	assert_close(sd, 0.1, 1e-9);
}

static void test_summary__refuses(void **state)
{
	(void)state;
	const double x[] = {1, NAN, 3};
	struct summary s;
	struct error err;
	assert_int_equal(summary_of(x, 3, &s, &err), ERROR_DATA);
	assert_string_equal(err.message, "'x'[1] is not finite");
	assert_int_equal(summary_of(x, 0, &s, NULL), ERROR_DATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_summary__one_to_five),
		cmocka_unit_test(test_summary__offset),
		cmocka_unit_test(test_summary__refuses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
