#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/two_sample.h"
#include "tests/reference/close.h"

static const double a[] = {11.5462, 11.3158, 11.2907, 11.3824, 11.4914};
static const double b[] = {11.297, 11.2262, 11.0328, 11.2777, 11.2506};

/* vectors/tests_two_sample.json, "welch: n5" (mpmath, R 4.2.2 t.test) */
static void test_two_sample__welch(void **state)
{
	(void)state;
	struct two_sample_t t;
	assert_int_equal(two_sample_welch(a, 5, b, 5, 0.95, &t, NULL), 0);
	assert_close(t.diff, 0.18843999999999994, 1e-10);
	assert_close(t.se, 0.06861540351845226, 1e-10);
	assert_close(t.df, 7.987625410813685, 1e-10);
	assert_close(t.p, 0.02523847972807274, 1e-10);
	assert_close(t.lo, 0.030169917588272997, 1e-10);
	assert_close(t.hi, 0.3467100824117269, 1e-10);
}

/* vectors/tests_two_sample.json, "paired: n5" (mpmath, R 4.2.2 t.test) */
static void test_two_sample__paired(void **state)
{
	(void)state;
	struct two_sample_t t;
	assert_int_equal(two_sample_paired(a, b, 5, 0.95, &t, NULL), 0);
	assert_close(t.t, 5.032697817069008, 1e-10);
	assert_close(t.p, 0.0073195748008556515, 1e-10);
	assert_close(t.lo, 0.08448118215701354, 1e-10);

	const double ones[] = {1, 1, 1};
	const double twos[] = {2, 2, 2};
	assert_int_equal(two_sample_paired(ones, twos, 3, 0.95, &t, NULL), ERROR_DATA);
	assert_int_equal(two_sample_welch(ones, 3, twos, 3, 0.95, &t, NULL), ERROR_DATA);
}

/* vectors/tests_two_sample.json, "tost_paired: n6 log ratio inside 1%" (mpmath, R 4.2.2) */
static void test_two_sample__tost(void **state)
{
	(void)state;
	const double d[] = {0.001277, 0.002164, 0.000184, 0.002699, -0.000635, -0.00199};
	const double zero[6] = {0};
	struct two_sample_t t;
	struct two_sample_tost tost;
	assert_int_equal(two_sample_paired(d, zero, 6, 0.95, &t, NULL), 0);
	assert_int_equal(two_sample_tost(&t, 0.01, 0.05, &tost, NULL), 0);
	assert_close(tost.p_lower, 1.3303368825616896e-05, 1e-10);
	assert_close(tost.p_upper, 2.4329813749328745e-05, 1e-10);
	assert_close(tost.p, 2.4329813749328745e-05, 1e-10);
	assert_close(tost.lo, -0.0008419168570058647, 1e-10);
	assert_true(tost.equivalent);
}

/* By counting: 2 (1 + 9) / 2^9, 2 / 2^5 */
static void test_two_sample__mcnemar(void **state)
{
	(void)state;
	assert_close(two_sample_mcnemar_p(1, 8), 0.0390625, 1e-14);
	assert_close(two_sample_mcnemar_p(5, 0), 0.0625, 1e-14);
	assert_close(two_sample_mcnemar_p(3, 3), 1, 0);
	assert_true(isnan(two_sample_mcnemar_p(0, 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_sample__welch),
		cmocka_unit_test(test_two_sample__paired),
		cmocka_unit_test(test_two_sample__tost),
		cmocka_unit_test(test_two_sample__mcnemar),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
