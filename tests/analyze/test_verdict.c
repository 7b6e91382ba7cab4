/* The verdict table, a row a case. Limits of a 2 % margin: ln 1.02 = 0.0198026, ln 0.98 = -0.0202027 (by hand). */
#include "analyze/verdict.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct verdict_row {
	const char *name;
	double lo95, hi95, lo90, hi90, p_holm;
	const char *expected;
};

static const struct verdict_row rows[] = {
	{"inside, holds 0", -0.010, 0.012, -0.008, 0.010, 0.9, "null"},
	{"inside, excludes 0", 0.002, 0.018, 0.004, 0.016, 0.01, "immaterial"},
	{"90 inside, 95 reaches beyond, excludes 0", 0.001, 0.0205, 0.004, 0.0197, 0.03, "immaterial"},
	{"90 inside, 95 reaches beyond, holds 0", -0.001, 0.0205, 0.004, 0.0197, 0.06, "null"},
	{"inside comes before a large p", 0.001, 0.015, 0.002, 0.014, 0.4, "immaterial"},
	{"beyond", 0.050, 0.070, 0.052, 0.068, 0.001, "win"},
	{"beyond, not after Holm", 0.050, 0.070, 0.052, 0.068, 0.05, "unreadable"},
	{"just beyond ln 1.02", 0.01981, 0.070, 0.02, 0.068, 0.001, "win"},
	{"just short of ln 1.02", 0.01980, 0.070, 0.02, 0.068, 0.001, "win_size_open"},
	{"beyond below", -0.070, -0.050, -0.068, -0.052, 0.001, "harm"},
	{"just beyond ln 0.98", -0.070, -0.02021, -0.068, -0.021, 0.001, "harm"},
	{"just short of ln 0.98", -0.070, -0.02020, -0.068, -0.021, 0.001, "harm_size_open"},
	{"excludes 0, holds the margin", 0.010, 0.040, 0.013, 0.037, 0.01, "win_size_open"},
	{"excludes 0 below, holds the margin", -0.040, -0.010, -0.037, -0.013, 0.01, "harm_size_open"},
	{"excludes 0, not after Holm", 0.010, 0.040, 0.013, 0.037, 0.08, "unreadable"},
	{"wide, holds 0", -0.050, 0.060, -0.040, 0.050, 0.8, "unreadable"},
	{"no p", 0.050, 0.070, 0.052, 0.068, NAN, "unreadable"},
};

static void test_verdict__table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct verdict_input input = {.verdict_case = VERDICT_MEASURED,
					      .lo95 = rows[i].lo95,
					      .hi95 = rows[i].hi95,
					      .lo90 = rows[i].lo90,
					      .hi90 = rows[i].hi90,
					      .p_holm = rows[i].p_holm,
					      .margin_percent = 2};
		const char *reason;
		const char *verdict = verdict_of(&input, &reason);
		if (strcmp(verdict, rows[i].expected) != 0)
			print_error("%s: %s\n", rows[i].name, verdict);
		assert_string_equal(verdict, rows[i].expected);
		assert_true(strlen(reason) > 0);
	}
}

static void test_verdict__without_interval(void **state)
{
	struct verdict_input input = {.lo95 = NAN, .hi95 = NAN, .lo90 = NAN, .hi90 = NAN, .p_holm = NAN};

	(void)state;
	input.margin_percent = 2;
	input.verdict_case = VERDICT_VOID;
	assert_string_equal(verdict_of(&input, NULL), "void");
	input.verdict_case = VERDICT_NO_NUMBER;
	assert_string_equal(verdict_of(&input, NULL), "no_number");
	input.verdict_case = VERDICT_BARE;
	assert_string_equal(verdict_of(&input, NULL), "unreadable");
}

static void test_verdict__adoptable(void **state)
{
	struct string_list none = {0};
	char *target[] = {(char *)"not_the_target"}, *both[] = {(char *)"not_the_target", (char *)"interim"};
	struct string_list one = {target, 1}, two = {both, 2};

	(void)state;
	assert_true(verdict_adoptable("win", &none, PLAN_TUNING));
	assert_true(verdict_adoptable("win", &one, PLAN_DEFECT));
	assert_false(verdict_adoptable("win", &one, PLAN_TUNING));
	assert_false(verdict_adoptable("win", &two, PLAN_DEFECT));
	assert_false(verdict_adoptable("win_size_open", &none, PLAN_DEFECT));
	assert_false(verdict_adoptable("harm", &none, PLAN_TUNING));
}

static void test_verdict__hypothesis(void **state)
{
	(void)state;
	assert_null(verdict_hypothesis(PLAN_NO_HYPOTHESIS, "win"));
	assert_string_equal(verdict_hypothesis(PLAN_FASTER, "win"), "held");
	assert_string_equal(verdict_hypothesis(PLAN_FASTER, "harm"), "refuted");
	assert_string_equal(verdict_hypothesis(PLAN_FASTER, "null"), "refuted");
	assert_string_equal(verdict_hypothesis(PLAN_FASTER, "unreadable"), "undecided");
	assert_string_equal(verdict_hypothesis(PLAN_SLOWER, "harm_size_open"), "held");
	assert_string_equal(verdict_hypothesis(PLAN_NONE, "immaterial"), "held");
	assert_string_equal(verdict_hypothesis(PLAN_NONE, "void"), "undecided");
}

/* The noisy setting of conformance/01-each-verdict, whose expected.json was made with Python and R. */
static void test_verdict__blocks_to_settle(void **state)
{
	(void)state;
	assert_true(fabs(verdict_blocks_to_settle(0.025771815518914602, 2) - 16) <= 0);
	assert_true(isnan(verdict_blocks_to_settle(NAN, 2)));
	assert_true(isnan(verdict_blocks_to_settle(0, 2)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdict__table),
		cmocka_unit_test(test_verdict__without_interval),
		cmocka_unit_test(test_verdict__adoptable),
		cmocka_unit_test(test_verdict__hypothesis),
		cmocka_unit_test(test_verdict__blocks_to_settle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
