#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void test_replace_and_read(void **state)
{
	char folder[] = "/tmp/test_file.XXXXXX";
	struct error err;

	(void)state;
	assert_non_null(mkdtemp(folder));
	CLEANUP(mem_free) char *deep = path_join(folder, "a/b");
	CLEANUP(mem_free) char *path = path_join(deep, "x");
	CLEANUP(mem_free) char *bytes = NULL;
	size_t n = 0;

	assert_int_equal(file_make_folder(deep, &err), 0);
	assert_int_equal(file_make_folder(deep, &err), 0);
	assert_false(file_exists(path));
	assert_int_equal(file_replace(path, "old", 3, &err), 0);
	assert_int_equal(file_replace(path, "n\0w", 3, &err), 0);
	assert_int_equal(file_read(path, &bytes, &n, &err), 0);
	assert_int_equal(n, 3);
	assert_memory_equal(bytes, "n\0w", 4);
	assert_int_equal(file_make_folder(path, &err), ERROR_ENVIRONMENT);
	unlink(path);
	/* The folder is empty: no temporary file stayed behind. */
	assert_int_equal(rmdir(deep), 0);
	*strrchr(deep, '/') = '\0';
	assert_int_equal(rmdir(deep), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void test_errors(void **state)
{
	char *bytes = NULL;
	size_t n;
	struct error err;

	(void)state;
	assert_int_equal(file_read("/no/such/file", &bytes, &n, &err), ERROR_ENVIRONMENT);
	assert_non_null(strstr(err.message, "/no/such/file"));
	assert_int_equal(file_read("/tmp", &bytes, &n, &err), ERROR_ENVIRONMENT);
	assert_int_equal(file_replace("/no/such/file", "", 0, &err), ERROR_ENVIRONMENT);
}

static void test_join(void **state)
{
	static const char *const cases[][3] = {
		{"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"", "b", "b"}, {"a", "/b", "/b"}};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		CLEANUP(mem_free) char *path = path_join(cases[i][0], cases[i][1]);
		assert_string_equal(path, cases[i][2]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_replace_and_read), cmocka_unit_test(test_errors),
					   cmocka_unit_test(test_join)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
