/* What a collector records beside its runs: blocks, hosts, the end of a block; and what a full disk leaves of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/temporary_folder.h"

#include "assay/record.h"
#include "base/file.h"
#include "base/text.h"
#include "record/segment.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static struct block_record *make_block(void)
{
	struct block_record *block = block_record_new();

	block->block = mem_dup_string("b1");
	block->time = mem_dup_string("2026-11-29T17:00:00Z");
	block->seed = 7;
	static const enum run_role roles[] = {RUN_SETTLE, RUN_SENTINEL, RUN_ARM};
	for (int i = 0; i < 3; i++) {
		struct block_planned *planned = block_record_add_planned(block);
		planned->position = i + 1;
		planned->harness = mem_dup_string("reduce");
		planned->setting = mem_dup_string(i < 2 ? "base" : "tcp");
		planned->role = roles[i];
	}
	return block;
}

static struct host_record *make_host(void)
{
	struct host_record *host = host_record_new();

	host->host = mem_dup_string("node-a");
	host->run = mem_dup_string("b1/3.1");
	host->when = mem_dup_string("before");
	host->time = mem_dup_string("2026-11-29T17:00:01Z");
	host->kernel = mem_dup_string("Linux 6.1.0");
	host->cpu = mem_dup_string("A \"quoted\" CPU");
	host->cores = 2;
	host->numa_nodes = 1;
	host->memory_bytes = INT64_C(8589934592);
	host->memory_available_bytes = 1024;
	host->load_1min = 0.25;
	host->mpi = mem_dup_string("Open MPI 4.1.4");
	struct host_interface *interface = host_record_add_interface(host);
	interface->name = mem_dup_string("eth0");
	interface->speed_bytes_per_s = 1.25e9;
	interface->mtu = 1500;
	interface->rx_bytes = INT64_C(9007199254740993) - 2;
	interface->tx_bytes = 0;
	host_record_add_interface(host)->name = mem_dup_string("lo");
	return host;
}

struct seen {
	size_t blocks, hosts, ends, notes;
};

static int see_block(void *context, const struct block_record *block, struct error *err)
{
	(void)err;
	((struct seen *)context)->blocks++;
	assert_string_equal(block->block, "b1");
	assert_string_equal(block->time, "2026-11-29T17:00:00Z");
	assert_int_equal(block->seed, 7);
	assert_int_equal(block->n_planned, 3);
	assert_int_equal(block->planned[0].role, RUN_SETTLE);
	assert_int_equal(block->planned[1].role, RUN_SENTINEL);
	assert_int_equal(block->planned[2].role, RUN_ARM);
	assert_int_equal(block->planned[2].position, 3);
	assert_string_equal(block->planned[2].harness, "reduce");
	assert_string_equal(block->planned[2].setting, "tcp");
	return 0;
}

static int see_host(void *context, const struct host_record *host, struct error *err)
{
	(void)err;
	if (((struct seen *)context)->hosts++ > 0) {
		assert_string_equal(host->host, "bare");
		assert_null(host->run);
		assert_null(host->mpi);
		assert_int_equal(host->cores, RECORD_UNSET);
		assert_true(isnan(host->load_1min));
		assert_int_equal(host->n_interfaces, 0);
		return 0;
	}
	assert_string_equal(host->host, "node-a");
	assert_string_equal(host->run, "b1/3.1");
	assert_string_equal(host->when, "before");
	assert_string_equal(host->time, "2026-11-29T17:00:01Z");
	assert_string_equal(host->kernel, "Linux 6.1.0");
	assert_string_equal(host->cpu, "A \"quoted\" CPU");
	assert_string_equal(host->mpi, "Open MPI 4.1.4");
	assert_int_equal(host->cores, 2);
	assert_int_equal(host->numa_nodes, 1);
	assert_true(host->memory_bytes == INT64_C(8589934592));
	assert_int_equal(host->memory_available_bytes, 1024);
	assert_true(host->load_1min == 0.25);
	assert_int_equal(host->n_interfaces, 2);
	assert_string_equal(host->interfaces[0].name, "eth0");
	assert_true(host->interfaces[0].speed_bytes_per_s == 1.25e9);
	assert_int_equal(host->interfaces[0].mtu, 1500);
	assert_true(host->interfaces[0].rx_bytes == INT64_C(9007199254740991));
	assert_int_equal(host->interfaces[0].tx_bytes, 0);
	assert_string_equal(host->interfaces[1].name, "lo");
	assert_true(isnan(host->interfaces[1].speed_bytes_per_s));
	assert_int_equal(host->interfaces[1].rx_bytes, RECORD_UNSET);
	return 0;
}

static int see_end(void *context, const char *block, struct error *err)
{
	(void)err;
	((struct seen *)context)->ends++;
	assert_string_equal(block, "b1");
	return 0;
}

static int see_note(void *context, const struct note_record *note, struct error *err)
{
	(void)err;
	(void)note;
	((struct seen *)context)->notes++;
	return 0;
}

static int stop_at_end(void *context, const char *block, struct error *err)
{
	(void)context;
	return error_set(err, ERROR_DATA, "seen '%s'", block);
}

static void test_round_trip(void **state)
{
	CLEANUP(segment_close) struct segment_writer *writer = NULL;
	CLEANUP(block_record_free) struct block_record *block = make_block();
	CLEANUP(host_record_free) struct host_record *host = make_host();
	CLEANUP(host_record_free) struct host_record *bare = host_record_new();
	struct seen seen = {0};
	struct campaign_visitor visitor = {
		.block = see_block, .block_end = see_end, .host = see_host, .context = &seen};
	struct error err;

	(void)state;
	bare->host = mem_dup_string("bare");
	bare->when = mem_dup_string("after");
	assert_int_equal(segment_create(folder, "b1", "ab", &writer, &err), 0);
	assert_int_equal(segment_append_block(writer, block, &err), 0);
	assert_int_equal(segment_append_host(writer, host, &err), 0);
	assert_int_equal(segment_append_host(writer, bare, &err), 0);
	assert_int_equal(segment_append_block_end(writer, "b1", 3, &err), 0);
	assert_int_equal(campaign_log_each(folder, &visitor, NULL, NULL, &err), 0);
	assert_int_equal(seen.blocks, 1);
	assert_int_equal(seen.hosts, 2);
	assert_int_equal(seen.ends, 1);

	const struct campaign_visitor nobody = {0};
	assert_int_equal(campaign_log_each(folder, &nobody, NULL, NULL, &err), 0);
	const struct campaign_visitor stops = {.block_end = stop_at_end};
	assert_int_equal(campaign_log_each(folder, &stops, NULL, NULL, &err), ERROR_DATA);
	assert_string_equal(err.message, "seen 'b1'");
}

/* A sum that holds does not make a record whole. */
static void test_fields_are_required(void **state)
{
	static const struct {
		const char *record, *says;
	} cases[] = {
		{"{\"kind\":\"block_end\",\"runs\":0", "block"},
		{"{\"kind\":\"block\",\"block\":\"b1\"", "planned"},
		{"{\"kind\":\"host\",\"when\":\"before\"", "host"},
		{"{\"kind\":\"block\",\"block\":\"b1\",\"planned\":[{\"position\":1,\"harness\":\"a\",\"setting\":"
		 "\"b\","
		 "\"role\":\"king\"}]",
		 "role"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(mem_free) char *path = segment_path(folder, "b1.1", ".jsonl");
		char first[65], second[65];
		const char *open = "{\"kind\":\"open\",\"format\":1";
		struct error err;

		segment_sum(SEGMENT_SUM_ZERO, open, strlen(open), first);
		segment_sum(first, cases[i].record, strlen(cases[i].record), second);
		CLEANUP(text_release) struct text bytes = {0};
		text_format(&bytes, "%s,\"sum\":\"%s\"}\n%s,\"sum\":\"%s\"}\n", open, first, cases[i].record, second);
		CLEANUP(mem_free) char *log = path_join(folder, "log");
		assert_int_equal(file_make_folder(log, NULL), 0);
		assert_int_equal(file_replace(path, bytes.bytes, bytes.length, NULL), 0);
		const struct campaign_visitor nobody = {0};
		assert_int_equal(campaign_log_each(folder, &nobody, NULL, NULL, &err), ERROR_DATA);
		assert_non_null(strstr(err.message, "b1.1.jsonl:2"));
		assert_non_null(strstr(err.message, cases[i].says));
	}
}

static size_t size_of(const char *segment, const char *suffix)
{
	CLEANUP(mem_free) char *path = segment_path(folder, segment, suffix);
	CLEANUP(mem_free) char *bytes = NULL;
	size_t n = 0;

	assert_int_equal(file_read(path, &bytes, &n, NULL), 0);
	return n;
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes == RLIM_INFINITY ? limit.rlim_max : bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A file that may grow by some bytes more, but not by a record: what a full disk does. */
static void test_full_disk_leaves_no_half(void **state)
{
	CLEANUP(segment_close) struct segment_writer *writer = NULL;
	struct note_record note = {.on = (char *)"campaign", .text = (char *)"a note"};
	struct seen seen = {0};
	struct campaign_visitor visitor = {.note = see_note, .context = &seen};
	struct campaign_input *inputs = NULL;
	struct error err;
	char bulk[300] = {0}, sha256[65];
	int64_t offset = -1;
	size_t n = 0;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(segment_create(folder, "b1", "ab", &writer, &err), 0);
	assert_int_equal(segment_append_note(writer, &note, &err), 0);
	assert_int_equal(segment_append_data(writer, bulk, 100, &offset, sha256, &err), 0);
	size_t whole = size_of("b1.1", ".jsonl");

	limit_files(whole + 20);
	int lost_line = segment_append_note(writer, &note, &err);
	limit_files(120);
	int lost_data = segment_append_data(writer, bulk, sizeof(bulk), &offset, sha256, NULL);
	limit_files(RLIM_INFINITY);
	assert_int_equal(lost_line, ERROR_ENVIRONMENT);
	assert_non_null(strstr(err.message, "b1.1.jsonl"));
	assert_int_equal(lost_data, ERROR_ENVIRONMENT);
	assert_int_equal(size_of("b1.1", ".jsonl"), whole);
	assert_int_equal(size_of("b1.1", ".data"), 100);

	/* Room again: the chain of sums goes on, and offsets are the file's. */
	assert_int_equal(segment_append_data(writer, bulk, 8, &offset, sha256, &err), 0);
	assert_int_equal(offset, 100);
	assert_int_equal(segment_append_note(writer, &note, &err), 0);
	assert_int_equal(campaign_log_each(folder, &visitor, &inputs, &n, &err), 0);
	assert_int_equal(seen.notes, 2);
	assert_int_equal(n, 1);
	assert_int_equal(inputs[0].records, 3);
	assert_false(inputs[0].torn);
	campaign_inputs_free(inputs, n);
}

/* Not even the first line fits: no empty segment stays behind. */
static void test_full_disk_leaves_no_segment(void **state)
{
	struct segment_writer *writer = NULL;
	struct campaign_input *inputs = NULL;
	size_t n = 9;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	limit_files(10);
	int r = segment_create(folder, "b1", "ab", &writer, NULL);
	limit_files(RLIM_INFINITY);
	assert_int_equal(r, ERROR_ENVIRONMENT);
	assert_null(writer);
	assert_int_equal(campaign_log_each(folder, NULL, &inputs, &n, NULL), 0);
	assert_int_equal(n, 0);
	campaign_inputs_free(inputs, n);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, folder_set_up, folder_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_round_trip),
		TEST(test_fields_are_required),
		TEST(test_full_disk_leaves_no_half),
		TEST(test_full_disk_leaves_no_segment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
