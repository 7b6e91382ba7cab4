#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/variance.h"
#include "tests/reference/close.h"

/* vectors/variance_components.json, "oneway: unbalanced" (mpmath, R 4.2.2 lme4 1.1-31) */
static void test_variance__unbalanced(void **state)
{
	(void)state;
	const double values[] = {40.019,  39.865,  39.9873, 40.4066, 40.2387, 40.3194, 40.3677, 40.3337,
				 40.4851, 40.5461, 40.2321, 40.381,  40.7557, 40.679,  40.8765, 40.9046};
	const size_t sizes[] = {2, 3, 5, 2, 4};
	struct variance v;
	assert_int_equal(variance_oneway(values, sizes, 5, &v, NULL), 0);
	assert_close(v.n0, 3.09375, 1e-14);
	assert_close(v.ms_between, 0.2993877194270838, 1e-10);
	assert_close(v.s_r, 0.1297998955268759, 1e-10);
	assert_close(v.sL2_raw, 0.09132596575298453, 1e-10);
	assert_close(v.df_R_satterthwaite, 4.973030548287487, 1e-10);
	assert_close(v.p_F, 9.120243381014098e-05, 1e-9);
	assert_false(v.balanced);
	assert_true(isnan(v.icc_lo_ratio));
	assert_close(v.reml.s_r, 0.12977233431094587, 1e-8);
	assert_close(v.reml.sL2, 0.09330397894553691, 1e-8);
	assert_close(v.reml.se_mu, 0.1409016165766284, 1e-8);
	assert_close(v.reml.log_likelihood, 2.2519348586939976, 1e-10);
}

/* By hand: groups (1, 5), (2, 4), (3, 3) share a mean, so the moments estimate is -MSW / 2 */
static void test_variance__negative(void **state)
{
	(void)state;
	const double values[] = {1, 5, 2, 4, 3, 3};
	const size_t sizes[] = {2, 2, 2};
	struct variance v;
	assert_int_equal(variance_oneway(values, sizes, 3, &v, NULL), 0);
	assert_close(v.ms_within, 10.0 / 3, 1e-15);
	assert_close(v.sL2_raw, -5.0 / 3, 1e-14);
	assert_true(v.sL2 == 0);
	assert_true(v.reml.sL2 == 0);
	assert_close(v.reml.s_r, sqrt(10.0 / 5), 1e-14);
}

static void test_variance__refuses(void **state)
{
	(void)state;
	const double values[] = {1, 2, 3};
	const size_t single[] = {1, 1, 1};
	const size_t one[] = {3};
	struct variance v;
	double sd;
	double df;
	assert_int_equal(variance_oneway(values, single, 3, &v, NULL), ERROR_DATA);
	assert_int_equal(variance_oneway(values, one, 1, &v, NULL), ERROR_DATA);
	assert_int_equal(variance_within(values, one, 1, &sd, &df, NULL), 0);
	assert_close(sd, 1, 1e-15);
	assert_close(df, 2, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_variance__unbalanced),
		cmocka_unit_test(test_variance__negative),
		cmocka_unit_test(test_variance__refuses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
