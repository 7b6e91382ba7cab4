#include "report/format.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void check_number(double value, enum format_sign sign, const char *expected)
{
	CLEANUP(text_release) struct text out = {0};
	format_number(&out, value, sign);
	assert_string_equal(text_string(&out), expected);
}

static void test_number__stays_legible(void **state)
{
	(void)state;
	check_number(138.84, FORMAT_SIGN_ALWAYS, "+138.8");
	check_number(-0.2, FORMAT_SIGN_MINUS_ONLY, FORMAT_MINUS "0.2");
	check_number(0.0123, FORMAT_SIGN_ALWAYS, "+0.01");
	check_number(0.0012, FORMAT_SIGN_ALWAYS, "+0.001");
	check_number(500, FORMAT_SIGN_MINUS_ONLY, "500.0");
	check_number(1234.5, FORMAT_SIGN_MINUS_ONLY, "1234");
	check_number(79763, FORMAT_SIGN_ALWAYS,
		     "\xC3\x97"
		     "798.6");
	check_number(0.00003, FORMAT_SIGN_ALWAYS, "<0.001");
	check_number(-0.00003, FORMAT_SIGN_ALWAYS, ">" FORMAT_MINUS "0.001");
	check_number(0.0006, FORMAT_SIGN_MINUS_ONLY, "0.001");
	check_number(0, FORMAT_SIGN_ALWAYS, "0.0");
	check_number(-0.0, FORMAT_SIGN_ALWAYS, "0.0");
}

static void test_number__undefined_is_a_dash(void **state)
{
	(void)state;
	check_number((double)NAN, FORMAT_SIGN_ALWAYS, FORMAT_DASH);
	check_number((double)INFINITY, FORMAT_SIGN_ALWAYS, FORMAT_DASH);
}

static void test_range(void **state)
{
	(void)state;
	CLEANUP(text_release) struct text out = {0};
	format_range(&out, (struct doc_interval){13.1, 15.9});
	assert_string_equal(text_string(&out), "13.1" FORMAT_DASH "15.9");
	text_clear(&out);
	format_range(&out, (struct doc_interval){-2, 5.3});
	assert_string_equal(text_string(&out), FORMAT_MINUS "2.0" FORMAT_NBSP "to" FORMAT_NBSP "5.3");
	text_clear(&out);
	format_range(&out, (struct doc_interval){(double)NAN, (double)NAN});
	assert_string_equal(text_string(&out), FORMAT_DASH);
}

static void check_prose(const char *text, const char *expected)
{
	CLEANUP(text_release) struct text out = {0};
	format_prose(&out, text);
	assert_string_equal(text_string(&out), expected);
}

static void test_prose(void **state)
{
	(void)state;
	check_prose("ll128: -9.6 %, 95 % interval [-11.2, +8.0] %",
		    "ll128: " FORMAT_MINUS "9.6 %, 95 % interval [" FORMAT_MINUS "11.2, +8.0] %");
	check_prose("a win, held by network_unverified, not_quality_neutral",
		    "a win, held by network unverified, not quality-neutral");
	check_prose("no_evidence_of_effect", "no evidence that it took effect");
	/* names, dates and options keep their hyphens, longer words their underscores */
	check_prose("setup-4 on a100-n2, 2026-11-23, NCCL_X=a-1", "setup-4 on a100-n2, 2026-11-23, NCCL_X=a-1");
	check_prose("my_not_the_target_x interim_1", "my_not_the_target_x interim_1");
	check_prose("p = 1.5e-05", "p = 1.5e" FORMAT_MINUS "05");
	check_prose("slope=-.5", "slope=" FORMAT_MINUS ".5");
	check_prose("", "");
	check_prose(NULL, "");
}

static void check_amount(double value, const char *expected)
{
	CLEANUP(text_release) struct text out = {0};
	format_amount(&out, value);
	assert_string_equal(text_string(&out), expected);
}

static void test_amount(void **state)
{
	(void)state;
	check_amount(0, "0");
	check_amount(0.0712, "0.071");
	check_amount(1.374, "1.37");
	check_amount(9.996, "10.0");
	check_amount(41.23, "41.2");
	check_amount(99.96, "100");
	check_amount(3584.2, "3584");
	check_amount(12345.6, "12" FORMAT_NBSP "346");
	check_amount(9876543, "9" FORMAT_NBSP "876" FORMAT_NBSP "543");
	check_amount(-1234567, FORMAT_MINUS "1" FORMAT_NBSP "234" FORMAT_NBSP "567");
	check_amount((double)NAN, FORMAT_DASH);
}

static void test_dates(void **state)
{
	(void)state;
	static const char *const cases[][3] = {
		{"2026-11-23T08:12:00Z", "2026-11-29T19:40:11Z", "23" FORMAT_DASH "29 November 2026"},
		{"2026-10-30T08:12:00Z", "2026-11-02T19:40:11Z", "30 October " FORMAT_DASH " 2 November 2026"},
		{"2026-11-29T08:12:00Z", "2026-11-29T19:40:11Z", "29 November 2026"},
		{NULL, NULL, ""},
		{"rubbish", "2026-13-01", ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(text_release) struct text out = {0};
		format_dates(&out, cases[i][0], cases[i][1]);
		assert_string_equal(text_string(&out), cases[i][2]);
	}
}

static void test_words(void **state)
{
	(void)state;
	CLEANUP(text_release) struct text out = {0};
	format_verdict(&out, "win_size_open");
	assert_string_equal(text_string(&out), "win, size open");
	text_clear(&out);
	format_done(&out, 2, 4);
	assert_string_equal(text_string(&out), "2 of 4");
	text_clear(&out);
	format_margin(&out, 2);
	assert_string_equal(text_string(&out), "2" FORMAT_NBSP "%");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_number__stays_legible),
		cmocka_unit_test(test_number__undefined_is_a_dash),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_prose),
		cmocka_unit_test(test_amount),
		cmocka_unit_test(test_dates),
		cmocka_unit_test(test_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
