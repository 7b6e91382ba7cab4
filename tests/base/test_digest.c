#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/digest.h"

#include <stdio.h>
#include <unistd.h>

/* FIPS 180-4 examples: SHA-256 of "abc" and of no bytes. */
#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define NOTHING "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void test_sha256(void **state)
{
	char hex[DIGEST_HEX];

	(void)state;
	digest_sha256("abc", 3, hex);
	assert_string_equal(hex, ABC);
	digest_sha256("", 0, hex);
	assert_string_equal(hex, NOTHING);
}

static void test_stream(void **state)
{
	CLEANUP(digest_free) struct digest *digest = digest_new();
	char hex[DIGEST_HEX];

	(void)state;
	digest_add(digest, "a", 1);
	digest_add(digest, "bc", 2);
	digest_finish(digest, hex);
	assert_string_equal(hex, ABC);
}

static void test_file(void **state)
{
	char path[64], hex[DIGEST_HEX];

	(void)state;
	snprintf(path, sizeof(path), "test_digest.%d.tmp", (int)getpid());
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs("abc", file);
	fclose(file);
	assert_int_equal(digest_file(path, hex, NULL), 0);
	assert_string_equal(hex, ABC);
	unlink(path);
	assert_int_equal(digest_file(path, hex, NULL), ERROR_ENVIRONMENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sha256), cmocka_unit_test(test_stream),
					   cmocka_unit_test(test_file)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
