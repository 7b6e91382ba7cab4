#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_errno.h>

#include "analyze/stats/power.h"
#include "tests/reference/close.h"

/* vectors/power.json (mpmath, R 4.2.2 power.t.test strict = TRUE) */
static void test_power__vectors(void **state)
{
	(void)state;
	struct power_test two = {.design = POWER_TWO_SAMPLE, .sd = 0.01, .alpha = 0.05};
	struct power_test paired = {.design = POWER_PAIRED, .sd = 0.012, .alpha = 0.05};
	double power;
	double upper;
	double n;
	double n_real;
	assert_int_equal(power_at(&two, 3, 0.02, &power, &upper, NULL), 0);
	assert_close(power, 0.46264081189130685, 1e-9);
	assert_close(upper, 0.4626081286481513, 1e-9);
	assert_int_equal(power_sample_size(&paired, 0.01, 0.8, &n, &n_real, NULL), 0);
	assert_close(n, 14, 0);
	assert_close(n_real, 13.34954734325937, 1e-9);

	double effect;
	paired.sd = 0.01;
	assert_int_equal(power_detectable_effect(&paired, 2, 0.8, &effect, NULL), 0);
	assert_close(effect, 0.11549888435882334, 1e-9);
}

/* mpmath 30 digits, quadrature over the chi density */
static void test_power__noncentral_t(void **state)
{
	(void)state;
	assert_close(power_noncentral_t_p(2, 5, 1), 0.778074662616214871, 1e-11);
	assert_close(power_noncentral_t_p(-1.5, 3, 0.5), 0.0500973614974971673, 1e-11);
}

static void test_power__refuses(void **state)
{
	(void)state;
	struct power_test test = {.design = POWER_PAIRED, .sd = 1, .alpha = 0.05};
	double power;
	double n;
	assert_int_equal(power_at(&test, 1, 1, &power, NULL, NULL), ERROR_DATA);
	assert_int_equal(power_sample_size(&test, 0, 0.8, &n, NULL, NULL), ERROR_DATA);
	test.sd = 0;
	assert_int_equal(power_at(&test, 4, 1, &power, NULL, NULL), ERROR_DATA);
}

int main(void)
{
	gsl_set_error_handler_off();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_power__vectors),
		cmocka_unit_test(test_power__noncentral_t),
		cmocka_unit_test(test_power__refuses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
