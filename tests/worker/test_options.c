#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/worker/options.h"

#include <string.h>

enum { MAX_WORDS = 16 };

static int parse(const char *line, struct options *ret_options, struct error *err)
{
	char copy[512] = "", *words[MAX_WORDS], *rest = copy;
	int n = 0;

	strncat(copy, line, sizeof(copy) - 1);
	while (n < MAX_WORDS && (words[n] = strsep(&rest, " ")))
		n++;
	return options_parse(n, words, ret_options, err);
}

static void test_parse(void **state)
{
	CLEANUP(options_release) struct options options = {0};
	struct error err;

	(void)state;
	assert_int_equal(
		parse("worker --op reducescatter --dtype bfloat16 --placement in_place --warmup 0 --iterations 7 "
		      "--bytes 1024,3221225472",
		      &options, &err),
		0);
	assert_string_equal(options.collective->name, "reducescatter");
	assert_string_equal(options.element->name, "bfloat16");
	assert_int_equal(options.placement, PLACEMENT_IN_PLACE);
	assert_int_equal(options.warmup, 0);
	assert_int_equal(options.iterations, 7);
	assert_int_equal(options.n_sizes, 2);
	assert_true(options.sizes[0] == 1024 && options.sizes[1] == 3221225472);
}

static void test_parse__refused(void **state)
{
	static const struct {
		const char *line, *says;
	} cases[] = {
		{"worker", "--op"},
		{"worker --op allreduce", "--bytes"},
		{"worker --op gather --bytes 8", "'gather'"},
		{"worker --op allreduce --bytes 8 --dtype float16", "'float16'"},
		{"worker --op allreduce --bytes 8 --placement in-place", "'in-place'"},
		{"worker --op allreduce --bytes 8 --iterations 0", "'0'"},
		{"worker --op allreduce --bytes 8 --warmup -1", "'-1'"},
		{"worker --op allreduce --bytes 8,,16", "''"},
		{"worker --op allreduce --bytes 1K", "'1K'"},
		{"worker --op allreduce --bytes 0", "'0'"},
		{"worker --op allreduce --bytes 9223372036854775808", "'9223372036854775808'"},
		{"worker --op allreduce --bytes", "'--bytes'"},
		{"worker --op allreduce --bytes 8 --size 9", "'--size'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(options_release) struct options options = {0};
		struct error err = {0};
		assert_int_equal(parse(cases[i].line, &options, &err), ERROR_USAGE);
		if (!strstr(err.message, cases[i].says))
			fail_msg("'%s' says '%s' without %s", cases[i].line, err.message, cases[i].says);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse__refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
