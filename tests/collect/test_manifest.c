#include "assay/collect.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/assay-manifest-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static void write_file(const char *name, const char *bytes)
{
	struct error err = {0};
	char *path = path_join(folder, name);

	assert_int_equal(file_replace(path, bytes, strlen(bytes), &err), 0);
	free(path);
}

static int read_manifest(const char *bytes, struct import_manifest **ret, struct error *err)
{
	write_file("a,b.log", "x\n");
	write_file("runs.csv", bytes);
	char *path = path_join(folder, "runs.csv");
	int r = import_manifest_read(path, ret, err);
	free(path);
	return r;
}

static int remove_folder(void **state)
{
	(void)state;
	const char *names[] = {"a,b.log", "runs.csv"};
	for (size_t i = 0; i < 2; i++) {
		char *path = path_join(folder, names[i]);
		unlink(path);
		free(path);
	}
	return rmdir(folder);
}

static void test_manifest__quotes_and_order(void **state)
{
	struct import_manifest *manifest = NULL;
	struct error err = {0};
	(void)state;
	assert_int_equal(
		read_manifest(
			"block,setting,file,harness,position,external\r\nb1,\"s \"\"q\"\"\",\"a,b.log\",h,3,true\r\n"
			"b1,s,\"a,b.log\",h,,\r\n",
			&manifest, &err),
		0);
	assert_int_equal(manifest->n, 2);
	assert_string_equal(manifest->rows[0].setting, "s \"q\"");
	assert_int_equal(manifest->rows[0].position, 3);
	assert_int_equal(manifest->rows[0].external, 1);
	assert_int_equal(manifest->rows[1].position, RECORD_UNSET);
	assert_int_equal(manifest->rows[1].external, -1);
	assert_int_equal(manifest->rows[1].line, 3);
	import_manifest_free(manifest);
}

static void test_manifest__errors(void **state)
{
	static const struct {
		const char *bytes, *words;
	} examples[] = {
		{"", "runs.csv:1:"},
		{"file,harness,setting\n", "column 'block' is missing"},
		{"file,harnes,setting,block\n", "did you mean 'harness'?"},
		{"file,harness,setting,block\nno.log,h,s,b\n", "runs.csv:2:1: file 'no.log' does not exist"},
		{"file,harness,setting,block\n\"a,b.log\",h,s\n", "runs.csv:2: 3 fields"},
		{"file,harness,setting,block\n\"a,b.log\",h,,b\n", "column 'setting' is empty"},
		{"file,harness,setting,block,status\n\"a,b.log\",h,s,b,fine\n", "runs.csv:2:17: status 'fine'"},
		{"file,harness,setting,block,position\n\"a,b.log\",h,s,b,0\n", "position '0'"},
		{"file,harness,setting,block\n\"a,b.log,h,s,b\n", "runs.csv:2:1: the quote is never closed"},
		{"file,harness,setting,block\n\"a,b.log\",h,s,../b\n", "block '../b'"},
		{"file,harness,setting,block,started\n\"a,b.log\",h,s,b,yesterday\n", "started 'yesterday'"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		struct import_manifest *manifest = NULL;
		struct error err = {0};
		assert_int_equal(read_manifest(examples[i].bytes, &manifest, &err), ERROR_DATA);
		assert_null(manifest);
		if (!strstr(err.message, examples[i].words))
			fail_msg("'%s' lacks '%s'", err.message, examples[i].words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_manifest__quotes_and_order),
		cmocka_unit_test(test_manifest__errors),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
