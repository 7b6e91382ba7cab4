#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/multiple.h"
#include "tests/reference/close.h"

/* vectors/multiple_testing.json, "four" (R 4.2.2 p.adjust) */
static void test_multiple__four(void **state)
{
	(void)state;
	const double p[] = {0.01, 0.04, 0.03, 0.005};
	const double holm[] = {0.03, 0.06, 0.06, 0.02};
	const double bh[] = {0.02, 0.04, 0.04, 0.02};
	const double bonferroni[] = {0.04, 0.16, 0.12, 0.02};
	double got[4];
	assert_int_equal(multiple_holm(p, 4, 4, got, NULL), 0);
	for (size_t i = 0; i < 4; i++)
		assert_close(got[i], holm[i], 1e-13);
	assert_int_equal(multiple_bh(p, 4, got, NULL), 0);
	for (size_t i = 0; i < 4; i++)
		assert_close(got[i], bh[i], 1e-13);
	assert_int_equal(multiple_bonferroni(p, 4, got, NULL), 0);
	for (size_t i = 0; i < 4; i++)
		assert_close(got[i], bonferroni[i], 1e-13);
}

/* By hand from the definition: (m - j + 1) p_(j) with m = 5 and two members missing */
static void test_multiple__family_larger_than_p(void **state)
{
	(void)state;
	double p[] = {0.03, 0.01, 0.5};
	const double holm[] = {0.12, 0.05, 1};
	assert_int_equal(multiple_holm(p, 3, 5, p, NULL), 0);
	for (size_t i = 0; i < 3; i++)
		assert_close(p[i], holm[i], 1e-13);
}

static void test_multiple__refuses(void **state)
{
	(void)state;
	const double p[] = {0.1, NAN};
	double got[2];
	assert_int_equal(multiple_holm(p, 2, 2, got, NULL), ERROR_DATA);
	assert_int_equal(multiple_holm(p, 1, 0, got, NULL), ERROR_DATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_multiple__four),
		cmocka_unit_test(test_multiple__family_larger_than_p),
		cmocka_unit_test(test_multiple__refuses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
