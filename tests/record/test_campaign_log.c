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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The project's segment example; its sums were computed elsewhere (shared/segment-example.jsonl). */
static const char example[] =
	"{\"kind\":\"open\",\"format\":1,\"plan_sha256\":"
	"\"abababababababababababababababababababababababababababababababab\",\"assay\":\"0.1.0\",\"host\":\"node-a\","
	"\"pid\":4242,\"job\":\"1187\",\"sum\":\"56dc6a91f177af262fcec0630e21ad8c4e2262ff265ac0ec517aec544477915b\"}\n"
	"{\"kind\":\"note\",\"on\":\"campaign\",\"text\":\"first trial\",\"time\":\"2026-11-29T17:00:00Z\",\"sum\":"
	"\"782644cd4d13cc452a100e1e31ab9e1d1440e84f5c6c40debc3b7f94724ab8a5\"}\n"
	"{\"kind\":\"block_end\",\"block\":\"b1\",\"runs\":0,\"sum\":"
	"\"809e15180dbe6709ed82fe4b7d8956e48dbede52d104e0f77627148b02afdd76\"}\n";

static int set_up(void **state)
{
	if (folder_set_up(state) < 0)
		return -1;
	CLEANUP(mem_free) char *log = path_join(folder, "log");
	return file_make_folder(log, NULL);
}

static void put(const char *segment, const char *text, size_t n)
{
	CLEANUP(mem_free) char *path = segment_path(folder, segment, ".jsonl");

	assert_int_equal(file_replace(path, text, n, NULL), 0);
}

struct seen {
	size_t runs, notes;
	char last_note[64], segments[256];
	double value;
};

static int see_run(void *context, struct run_record *run, struct error *err)
{
	struct seen *seen = context;

	(void)err;
	seen->runs++;
	if (run->n_tables > 0 && run->tables[0].values)
		seen->value = run->tables[0].values[3];
	assert_non_null(run->segment);
	return 0;
}

static int see_note(void *context, const struct note_record *note, struct error *err)
{
	struct seen *seen = context;

	(void)err;
	seen->notes++;
	snprintf(seen->last_note, sizeof(seen->last_note), "%s", note->text);
	strcat(strcat(seen->segments, note->segment), " ");
	return 0;
}

static int read_all(struct seen *seen, struct campaign_input **inputs, size_t *n, struct error *err)
{
	struct campaign_visitor visitor = {.run = see_run, .note = see_note, .context = seen, .load_tables = true};

	memset(seen, 0, sizeof(*seen));
	return campaign_log_each(folder, &visitor, inputs, n, err);
}

static void test_example_verifies(void **state)
{
	struct campaign_input *inputs = NULL;
	struct seen seen;
	struct error err;
	size_t n = 0;

	(void)state;
	put("b1.1", example, sizeof(example) - 1);
	assert_int_equal(read_all(&seen, &inputs, &n, &err), 0);
	assert_int_equal(n, 1);
	assert_int_equal(inputs[0].records, 3);
	assert_false(inputs[0].torn);
	assert_string_equal(inputs[0].head_sum, "809e15180dbe6709ed82fe4b7d8956e48dbede52d104e0f77627148b02afdd76");
	assert_string_equal(seen.last_note, "first trial");
	campaign_inputs_free(inputs, n);
}

/* One byte changed anywhere: the error names that line, the last too. */
static void test_edited_line_is_named(void **state)
{
	CLEANUP(mem_free) char *copy = mem_dup_bytes(example, sizeof(example) - 1);
	size_t line = 1;

	(void)state;
	for (size_t i = 0; i < sizeof(example) - 1; i++) {
		struct seen seen;
		struct error err;
		char place[32];

		if (example[i] == '\n') {
			line++;
			continue;
		}
		if (i % 7 != 0)
			continue;
		copy[i] = (char)(example[i] == 'x' ? 'y' : 'x');
		put("b1.1", copy, sizeof(example) - 1);
		copy[i] = example[i];
		assert_int_equal(read_all(&seen, NULL, NULL, &err), ERROR_DATA);
		snprintf(place, sizeof(place), "b1.1.jsonl:%zu:", line);
		if (!strstr(err.message, place))
			fail_msg("byte %zu: '%s' does not name line %zu", i, err.message, line);
	}
	/* A line taken out. */
	const char *second = strchr(example, '\n') + 1, *third = strchr(second, '\n') + 1;
	CLEANUP(text_release) struct text less = {0};
	text_add_bytes(&less, example, (size_t)(second - example));
	text_add(&less, third);
	put("b1.1", less.bytes, less.length);
	struct seen seen;
	assert_int_equal(read_all(&seen, NULL, NULL, NULL), ERROR_DATA);
}

static void test_torn_tail(void **state)
{
	struct campaign_input *inputs = NULL;
	struct seen seen;
	struct error err;
	size_t n = 0, moved = 0;

	(void)state;
	put("b1.1", example, sizeof(example) - 2);
	assert_int_equal(read_all(&seen, &inputs, &n, &err), 0);
	assert_true(inputs[0].torn);
	assert_int_equal(inputs[0].records, 2);
	campaign_inputs_free(inputs, n);

	CLEANUP(mem_free) char *torn = segment_path(folder, "b1.1", ".torn");
	assert_false(file_exists(torn));
	assert_int_equal(segment_repair(folder, "b1.1", &moved, &err), 0);
	assert_true(moved > 100);
	assert_true(file_exists(torn));
	assert_int_equal(read_all(&seen, &inputs, &n, &err), 0);
	assert_false(inputs[0].torn);
	assert_int_equal(inputs[0].records, 2);
	campaign_inputs_free(inputs, n);
	assert_int_equal(segment_repair(folder, "b1.1", &moved, &err), 0);
	assert_int_equal(moved, 0);
}

static void add_note(const char *segment, const char *text)
{
	CLEANUP(segment_close) struct segment_writer *writer = NULL;
	struct note_record note = {.on = (char *)"campaign", .kind = (char *)"decision", .text = (char *)text};

	assert_int_equal(segment_create(folder, segment, "ab", &writer, NULL), 0);
	assert_int_equal(segment_append_note(writer, &note, NULL), 0);
}

static void test_claims_and_order(void **state)
{
	CLEANUP(segment_close) struct segment_writer *first = NULL, *second = NULL;
	struct seen seen;
	struct error err;

	(void)state;
	assert_int_equal(segment_create(folder, "b1", "ab", &first, &err), 0);
	assert_int_equal(segment_create(folder, "b1", "ab", &second, &err), 0);
	assert_string_equal(segment_name(first), "b1.1");
	assert_string_equal(segment_name(second), "b1.2");
	struct segment_writer *none = NULL;
	assert_int_equal(segment_create(folder, "../b1", "ab", &none, &err), ERROR_DATA);
	assert_int_equal(segment_create(folder, "", "ab", &none, &err), ERROR_DATA);

	add_note("import-10", "ten");
	add_note("import-2", "two");
	assert_int_equal(read_all(&seen, NULL, NULL, &err), 0);
	assert_string_equal(seen.segments, "import-2.1 import-10.1 ");
}

static void test_no_log_is_no_records(void **state)
{
	struct campaign_input *inputs = NULL;
	size_t n = 9;

	(void)state;
	assert_int_equal(campaign_log_each("/no/such/campaign", NULL, &inputs, &n, NULL), 0);
	assert_int_equal(n, 0);
	campaign_inputs_free(inputs, n);
}

static struct run_record *make_run(double last)
{
	struct run_record *run = run_record_new();

	run->id = mem_dup_string("b1/1.1");
	run->block = mem_dup_string("b1");
	run->harness = mem_dup_string("s");
	run->setting = mem_dup_string("base");
	run->position = 1;
	run->factors.net.kind = mem_dup_string("ib");
	struct run_table *table = run_record_add_table(run);
	table->name = mem_dup_string("iterations");
	string_list_add(&table->columns, "step");
	string_list_add(&table->columns, "time_s");
	table->rows = 2;
	table->values = mem_new(4, sizeof(double));
	table->values[3] = last;
	return run;
}

static void test_run_round_trip(void **state)
{
	CLEANUP(segment_close) struct segment_writer *writer = NULL;
	CLEANUP(run_record_free) struct run_record *run = make_run(1.0 / 3);
	CLEANUP(mem_free) char *data = NULL;
	struct seen seen;
	struct error err;

	(void)state;
	assert_int_equal(segment_create(folder, "b1", "ab", &writer, &err), 0);
	assert_int_equal(segment_append_run(writer, run, &err), 0);
	assert_int_equal(segment_append_run(writer, run, &err), 0);
	assert_int_equal(run->tables[0].offset, 32);
	assert_int_equal(read_all(&seen, NULL, NULL, &err), 0);
	assert_int_equal(seen.runs, 2);
	assert_true(seen.value == 1.0 / 3);

	data = segment_path(folder, "b1.1", ".data");
	assert_int_equal(file_replace(data, "short", 5, &err), 0);
	assert_int_equal(read_all(&seen, NULL, NULL, &err), ERROR_DATA);
	assert_non_null(strstr(err.message, "b1/1.1"));
	char wrong[64] = {0};
	assert_int_equal(file_replace(data, wrong, sizeof(wrong), &err), 0);
	assert_int_equal(read_all(&seen, NULL, NULL, &err), ERROR_DATA);
	assert_non_null(strstr(err.message, "digest"));
}

/* NaN in a kept response: refused by the writer; when another wrote it, by the reader with file, line and run. */
static void test_nan_is_refused(void **state)
{
	CLEANUP(segment_close) struct segment_writer *writer = NULL;
	CLEANUP(run_record_free) struct run_record *run = make_run((double)NAN);
	struct seen seen;
	struct error err;

	(void)state;
	assert_int_equal(segment_create(folder, "b1", "ab", &writer, &err), 0);
	assert_int_equal(segment_append_run(writer, run, &err), ERROR_DATA);
	run->status = RUN_CRASH;
	assert_int_equal(segment_append_run(writer, run, &err), 0);
	run->status = RUN_OK;
	run->tables[0].discarded = 2;
	assert_int_equal(segment_append_run(writer, run, &err), 0);
	assert_int_equal(read_all(&seen, NULL, NULL, &err), 0);

	CLEANUP(mem_free) char *path = segment_path(folder, "b1.1", ".jsonl");
	CLEANUP(mem_free) char *bytes = NULL;
	CLEANUP(text_release) struct text forged = {0};
	char sum[65];
	size_t n;
	assert_int_equal(file_read(path, &bytes, &n, &err), 0);
	char *second = strchr(bytes, '\n') + 1;
	char *discarded = strstr(strchr(second, '\n'), "\"discarded\":2");
	assert_non_null(discarded);
	discarded[12] = '1';
	const char *before = strstr(second, ",\"sum\":\"") + 8;
	char previous[65] = {0};
	memcpy(previous, before, 64);
	const char *third = strchr(second, '\n') + 1;
	const char *tail = strstr(third, ",\"sum\":\"");
	segment_sum(previous, third, (size_t)(tail - third), sum);
	text_add_bytes(&forged, bytes, (size_t)(tail - bytes));
	text_format(&forged, ",\"sum\":\"%s\"}\n", sum);
	put("b1.1", forged.bytes, forged.length);
	assert_int_equal(read_all(&seen, NULL, NULL, &err), ERROR_DATA);
	assert_non_null(strstr(err.message, "b1.1.jsonl:3:"));
	assert_non_null(strstr(err.message, "b1/1.1"));
	assert_non_null(strstr(err.message, "not finite"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, folder_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_example_verifies), TEST(test_edited_line_is_named), TEST(test_torn_tail),
		TEST(test_claims_and_order), TEST(test_no_log_is_no_records), TEST(test_run_round_trip),
		TEST(test_nan_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
