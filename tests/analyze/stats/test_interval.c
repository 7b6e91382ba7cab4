#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/interval.h"
#include "tests/reference/close.h"

static const double steps[] = {40.12, 40.31, 39.98};

/* vectors/intervals.json, "mean: n3 steps", "sd: n3 steps", "cv: n3 steps" (mpmath, R 4.2.2) */
static void test_interval__three_steps(void **state)
{
	(void)state;
	struct interval_mean m;
	assert_int_equal(interval_mean(steps, 3, 0.95, &m, NULL), 0);
	assert_close(m.lo, 39.72521866425389, 1e-12);
	assert_close(m.hi, 40.54811466907944, 1e-12);

	double ends[2];
	assert_int_equal(interval_sd(0.16563010998406738, 2, 0.95, ends, NULL), 0);
	assert_close(ends[0], 0.08623668597743901, 1e-10);
	assert_close(ends[1], 1.0409412989995583, 1e-10);

	struct interval_cv cv;
	assert_int_equal(interval_cv(steps, 3, 0.95, &cv, NULL), 0);
	assert_close(cv.cv_ratio, 0.004126653350653618, 1e-10);
	assert_close(cv.vangel_lo, 0.0021485656377765467, 1e-10);
	assert_close(cv.vangel_hi, 0.025937682108168665, 1e-10);
	assert_close(cv.mckay_hi, 0.025943500706174218, 1e-10);
}

/* vectors/intervals.json, "log_ratio: n5 blocks" (mpmath, R 4.2.2) */
static void test_interval__gain(void **state)
{
	(void)state;
	const double control[] = {11.36, 11.4969, 11.3767, 11.542, 11.5701};
	const double treated[] = {10.01, 9.9095, 10.1728, 10.0813, 10.1647};
	struct interval_gain g;
	assert_int_equal(interval_gain(control, treated, 5, 0.95, &g, NULL), 0);
	assert_close(g.gain_percent, 13.922951687480529, 1e-10);
	assert_close(g.gain_lo_percent, 12.047679808141002, 1e-10);
	assert_close(g.gain_hi_percent, 15.829608818415299, 1e-10);
}

/* 7 of 10: roots of the regularized incomplete beta function in mpmath, 30 digits (R binom.test prints 0.3475471 and
 * 0.9332605); 0 of 4: hi = 1 - 0.025^(1/4) */
static void test_interval__binomial(void **state)
{
	(void)state;
	double ends[2];
	assert_int_equal(interval_binomial(7, 10, 0.95, ends, NULL), 0);
	assert_close(ends[0], 0.347547149940002704, 1e-12);
	assert_close(ends[1], 0.933260488822265532, 1e-12);
	assert_int_equal(interval_binomial(0, 4, 0.95, ends, NULL), 0);
	assert_true(ends[0] == 0);
	assert_close(ends[1], 1 - pow(0.025, 0.25), 1e-12);
	assert_int_equal(interval_binomial(4, 4, 0.95, ends, NULL), 0);
	assert_close(ends[0], pow(0.025, 0.25), 1e-12);
	assert_true(ends[1] == 1);
	assert_int_equal(interval_binomial(5, 4, 0.95, ends, NULL), ERROR_DATA);
}

static void test_interval__refuses(void **state)
{
	(void)state;
	struct interval_mean m;
	struct interval_cv cv;
	const double negative[] = {-1, -2, -3};
	assert_int_equal(interval_mean(steps, 1, 0.95, &m, NULL), ERROR_DATA);
	assert_int_equal(interval_mean(steps, 3, 1, &m, NULL), ERROR_DATA);
	assert_int_equal(interval_cv(negative, 3, 0.95, &cv, NULL), ERROR_DATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interval__three_steps),
		cmocka_unit_test(test_interval__gain),
		cmocka_unit_test(test_interval__binomial),
		cmocka_unit_test(test_interval__refuses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
