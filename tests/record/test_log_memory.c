/* 100,000 records load in constant memory: the reader decodes a line and frees it. */
#include "assay/record.h"
#include "base/digest.h"
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
/* Freed memory leaves the sanitizer's quarantine late: keep it small, and allow for what stays. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=1:malloc_context_size=0";
}
#define ROOM_KIB (64 * 1024)
#else
#define ROOM_KIB 4096
#endif

static void write_line(FILE *out, char previous[DIGEST_HEX], const char *body)
{
	CLEANUP(digest_free) struct digest *digest = digest_new();
	digest_add(digest, previous, 64);
	digest_add(digest, body, strlen(body));
	digest_finish(digest, previous);
	fprintf(out, "%s,\"sum\":\"%s\"}\n", body, previous);
}

static void write_segment(const char *folder, size_t records)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/log", folder);
	assert_int_equal(file_make_folder(path, NULL), 0);
	snprintf(path, sizeof(path), "%s/log/b1.1.jsonl", folder);
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	char sum[DIGEST_HEX];
	memset(sum, '0', 64);
	sum[64] = '\0';
	write_line(
		out, sum,
		"{\"kind\":\"open\",\"format\":1,\"plan_sha256\":\"ab\",\"assay\":\"0.1.0\",\"host\":\"a\",\"pid\":1");
	for (size_t i = 1; i <= records; i++) {
		char body[512];
		snprintf(
			body, sizeof(body),
			"{\"kind\":\"run\",\"id\":\"b1/%zu.1\",\"block\":\"b1\",\"position\":%zu,\"harness\":\"slice\","
			"\"setting\":\"base\",\"role\":\"arm\",\"status\":\"ok\",\"external\":false,"
			"\"factors\":{\"ranks\":8,\"nodes\":2,\"hosts\":[\"a\",\"b\"]}",
			i, i);
		write_line(out, sum, body);
	}
	assert_int_equal(fclose(out), 0);
}

static int count_run(void *context, struct run_record *run, struct error *err)
{
	(void)run;
	(void)err;
	(*(size_t *)context)++;
	return 0;
}

/* Peak resident KiB of a child that reads a campaign of that many records; its count must be right. */
static long peak_kib(size_t records)
{
	char folder[] = "/tmp/assay-memory-XXXXXX";
	assert_non_null(mkdtemp(folder));
	write_segment(folder, records);

	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		size_t seen = 0;
		struct campaign_visitor visitor = {.run = count_run, .context = &seen};
		struct error err;
		int r = campaign_log_each(folder, &visitor, NULL, NULL, &err);
		_exit(r == 0 && seen == records ? 0 : 1);
	}
	int status;
	struct rusage usage;
	assert_int_equal(wait4(child, &status, 0, &usage), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);

	char path[256];
	snprintf(path, sizeof(path), "%s/log/b1.1.jsonl", folder);
	unlink(path);
	snprintf(path, sizeof(path), "%s/log", folder);
	rmdir(path);
	rmdir(folder);
	print_message("%zu records: peak %ld KiB resident\n", records, usage.ru_maxrss);
	return usage.ru_maxrss;
}

static void test_memory__does_not_grow_with_the_log(void **state)
{
	(void)state;
	long small = peak_kib(1000);
	long large = peak_kib(100000);
	/* 100,000 records are 40 MB of text here */
	assert_true(large - small < ROOM_KIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory__does_not_grow_with_the_log)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
