#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stats/wilcoxon.h"
#include "tests/reference/close.h"

/* vectors/tests_two_sample.json, "signed_rank: n6", "hl_one: n6" (exact counting, R 4.2.2 wilcox.test) */
static void test_wilcoxon__one_sample(void **state)
{
	(void)state;
	const double d[] = {0.0046, 0.0134, -0.0017, -0.0019, 0.0066, 0.0089};
	struct wilcoxon_test w;
	struct hodges_lehmann h;
	assert_int_equal(wilcoxon_signed_rank(d, 6, &w, NULL), 0);
	assert_close(w.statistic, 18, 0);
	assert_close(w.p_less, 0.953125, 1e-14);
	assert_close(w.p_two_sided, 0.15625, 1e-14);
	assert_int_equal(wilcoxon_shift_one(d, 6, 0.95, &h, NULL), 0);
	assert_close(h.estimate, 0.0056, 1e-13);
	assert_close(h.lo, -0.0019, 1e-13);
	assert_close(h.achieved_ratio, 0.96875, 1e-14);
	assert_true(h.level_reached);
	assert_int_equal(wilcoxon_shift_one(d, 5, 0.95, &h, NULL), 0);
	assert_false(h.level_reached);

	const double zero[] = {0, 0};
	assert_int_equal(wilcoxon_signed_rank(zero, 2, &w, NULL), ERROR_DATA);
}

/* vectors/tests_two_sample.json, "rank_sum: n3 n4", "hl_two: n3 n4" (exact counting, R 4.2.2 wilcox.test) */
static void test_wilcoxon__two_samples(void **state)
{
	(void)state;
	const double a[] = {39.8773, 39.9286, 39.8603};
	const double b[] = {39.3429, 39.5232, 39.5834, 39.6061};
	struct wilcoxon_test w;
	struct hodges_lehmann h;
	assert_int_equal(wilcoxon_rank_sum(a, 3, b, 4, &w, NULL), 0);
	assert_close(w.statistic, 12, 0);
	assert_close(w.p_greater, 0.02857142857142857, 1e-13);
	assert_close(w.p_two_sided, 0.05714285714285714, 1e-13);
	assert_int_equal(wilcoxon_shift_two(a, 3, b, 4, 0.95, &h, NULL), 0);
	assert_close(h.estimate, 0.3411500000000025, 1e-13);
	assert_close(h.achieved_ratio, 0.9428571428571428, 1e-13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wilcoxon__one_sample),
		cmocka_unit_test(test_wilcoxon__two_samples),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
