#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/utf8.h"

#include <string.h>

#define BAD "\xef\xbf\xbd"

static void test_clean(void **state)
{
	static const char *const cases[][2] = {
		{"plain\n\t\xc3\xa9", "plain\n\t\xc3\xa9"},
		{"\x1b[31mred", BAD "[31mred"},
		{"a\xff"
		 "b",
		 "a" BAD "b"},
		{"a\x7f", "a" BAD},
		{"a\xc2\x9b"
		 "b",
		 "a" BAD "b"},
		{"\xe2\x82", BAD},
		{"\xc0\xaf", BAD},
		{"\r", BAD},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(mem_free) char *clean = utf8_clean(cases[i][0], strlen(cases[i][0]));
		assert_string_equal(clean, cases[i][1]);
		assert_true(utf8_check(clean, strlen(clean)));
	}
	CLEANUP(mem_free) char *zero = utf8_clean("a\0b", 3);
	assert_string_equal(zero, "a" BAD "b");
}

static void test_check_and_width(void **state)
{
	(void)state;
	assert_true(utf8_check("\xe6\x97\xa5", 3));
	assert_false(utf8_check("\xe6\x97", 2));
	assert_int_equal(utf8_width_columns("abc"), 3);
	assert_int_equal(utf8_width_columns("\xe6\x97\xa5"), 2);
	assert_int_equal(utf8_width_columns("e\xcc\x81"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_clean), cmocka_unit_test(test_check_and_width)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
