#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/rank.h"
#include "tests/reference/close.h"

/* vectors/rank_correlation.json, "n8 gains" (exact counting, SciPy 1.10.1, R 4.2.2 cor.test) */
static void test_rank__eight_gains(void **state)
{
	(void)state;
	const double x[] = {0.1181, -0.0485, -0.4675, -1.0931, -0.6364, -2.0762, -0.4866, -2.2641};
	const double y[] = {-0.4261, -0.1385, -0.7001, -0.6845, -0.1387, 0.4556, 0.1199, -0.0111};
	struct rank_kendall k;
	struct rank_spearman s;
	assert_int_equal(rank_kendall(x, y, 8, &k, NULL), 0);
	assert_int_equal(k.concordant, 10);
	assert_close(k.tau_b, -0.2857142857142857, 1e-14);
	assert_close(k.p_exact, 0.39875992063492066, 1e-12);
	assert_close(k.p_asymptotic, 0.3222995958719192, 1e-12);
	assert_int_equal(rank_spearman(x, y, 8, &s, NULL), 0);
	assert_close(s.rho, -0.42857142857142855, 1e-14);
	assert_close(s.p_exact, 0.2992063492063492, 1e-12);
	assert_close(s.p_t, 0.28940322484679004, 1e-10);

	const double constant[] = {1, 1, 1};
	assert_int_equal(rank_kendall(constant, y, 3, &k, NULL), ERROR_DATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rank__eight_gains),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
