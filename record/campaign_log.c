/* The reading side of the campaign log: every segment, every line verified, one record in memory at a time. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "record/segment.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/text.h"
#include "record/fields.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUM_HEAD ",\"sum\":\""
#define SUM_TAIL "\"}"
#define SUM_LENGTH (sizeof(SUM_HEAD) - 1 + 64 + sizeof(SUM_TAIL) - 1)

void segment_sum(const char *previous, const char *bytes, size_t n, char ret_sum[65])
{
	CLEANUP(digest_free) struct digest *digest = digest_new();

	digest_add(digest, previous, strlen(previous));
	digest_add(digest, bytes, n);
	digest_finish(digest, ret_sum);
}

int segment_check_line(const char *previous, const char *line, size_t n, char ret_sum[65], struct error *err)
{
	const char *tail = line + n - SUM_LENGTH;

	if (n < SUM_LENGTH || memcmp(tail, SUM_HEAD, sizeof(SUM_HEAD) - 1) != 0 ||
	    memcmp(line + n - 2, SUM_TAIL, 2) != 0)
		return error_set(err, ERROR_DATA, "the line does not end with its sum: it was edited");
	segment_sum(previous, line, n - SUM_LENGTH, ret_sum);
	if (memcmp(tail + sizeof(SUM_HEAD) - 1, ret_sum, 64) != 0)
		return error_set(err, ERROR_DATA,
				 "the sum does not match: the line was edited, or one before it taken out");
	return 0;
}

struct reader {
	const struct campaign_visitor *visitor;
	const char *directory, *segment, *path;
	size_t line;
	FILE *file;
	char *buffer;
	size_t buffer_size;
	int data_fd;
};

static void reader_release(struct reader *reader)
{
	if (reader->file)
		fclose(reader->file);
	if (reader->data_fd >= 0)
		close(reader->data_fd);
	free(reader->buffer);
}
CLEANUP_VALUE(struct reader, reader_release)

static int read_data(struct reader *reader, const char *path, char *bytes, size_t n, int64_t offset, struct error *err)
{
	if (reader->data_fd < 0)
		reader->data_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (reader->data_fd < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot open '%s': %s", path, strerror(errno));
	for (size_t done = 0; done < n;) {
		ssize_t got = pread(reader->data_fd, bytes + done, n - done, (off_t)offset + (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_set(err, ERROR_ENVIRONMENT, "cannot read '%s': %s", path, strerror(errno));
		if (got == 0)
			return error_set(err, ERROR_DATA, "'%s' ends before the bytes the record points to", path);
		done += (size_t)got;
	}
	return 0;
}

static int load_table(struct reader *reader, struct run_table *table, struct error *err)
{
	CLEANUP(mem_free) char *path = segment_path(reader->directory, reader->segment, ".data");
	CLEANUP(mem_free) double *values = NULL;
	char sha256[65];
	size_t n;

	if (__builtin_mul_overflow((size_t)table->rows, table->columns.n * sizeof(double), &n) || n > (size_t)1 << 40)
		return error_set(err, ERROR_DATA, "table '%s' is too large", table->name);
	if (n > 0) {
		/* Ask the file's size before the memory: an edited-in row count must not exhaust it. */
		char last;
		int r = read_data(reader, path, &last, 1, table->offset + (int64_t)n - 1, err);
		if (r < 0)
			return r;
	}
	values = mem_new(n / sizeof(double), sizeof(double));
	int r = n > 0 ? read_data(reader, path, (char *)values, n, table->offset, err) : 0;
	if (r < 0)
		return r;
	digest_sha256(values, n, sha256);
	if (strcmp(sha256, table->sha256) != 0)
		return error_set(err, ERROR_DATA, "table '%s' in '%s' is not what was recorded: its digest differs",
				 table->name, path);
	table->values = TAKE(values);
	return 0;
}

static int visit_run(struct reader *reader, const cJSON *tree, struct error *err)
{
	const struct campaign_visitor *visitor = reader->visitor;
	CLEANUP(run_record_free) struct run_record *run = run_record_new();
	CLEANUP(text_release) struct text place = {0};

	text_format(&place, "%s:%zu", reader->path, reader->line);
	int r = json_read_struct(tree, &run_record_map, text_string(&place), "", run, err);
	if (r < 0)
		return r;
	run->segment = mem_dup_string(reader->segment);
	for (size_t i = 0; visitor->load_tables && i < run->n_tables; i++) {
		r = load_table(reader, &run->tables[i], err);
		if (r < 0)
			return error_wrap(r, err, "%s: run '%s'", text_string(&place), run->id);
	}
	r = run_record_check_finite(run, err);
	if (r < 0)
		return error_wrap(r, err, "%s", text_string(&place));
	return visitor->run ? visitor->run(visitor->context, run, err) : 0;
}

static int visit_note(struct reader *reader, const cJSON *tree, struct error *err)
{
	const struct campaign_visitor *visitor = reader->visitor;
	CLEANUP(note_record_free) struct note_record *note = mem_new(1, sizeof(*note));
	CLEANUP(text_release) struct text place = {0};

	text_format(&place, "%s:%zu", reader->path, reader->line);
	int r = json_read_struct(tree, &note_record_map, text_string(&place), "", note, err);
	if (r < 0)
		return r;
	note->segment = mem_dup_string(reader->segment);
	return visitor->note ? visitor->note(visitor->context, note, err) : 0;
}

static int visit_block(struct reader *reader, const cJSON *tree, struct error *err)
{
	const struct campaign_visitor *visitor = reader->visitor;
	CLEANUP(block_record_free) struct block_record *block = block_record_new();
	CLEANUP(text_release) struct text place = {0};

	text_format(&place, "%s:%zu", reader->path, reader->line);
	int r = json_read_struct(tree, &block_record_map, text_string(&place), "", block, err);
	if (r < 0)
		return r;
	return visitor->block ? visitor->block(visitor->context, block, err) : 0;
}

static int visit_host(struct reader *reader, const cJSON *tree, struct error *err)
{
	const struct campaign_visitor *visitor = reader->visitor;
	CLEANUP(host_record_free) struct host_record *host = host_record_new();
	CLEANUP(text_release) struct text place = {0};

	text_format(&place, "%s:%zu", reader->path, reader->line);
	int r = json_read_struct(tree, &host_record_map, text_string(&place), "", host, err);
	if (r < 0)
		return r;
	return visitor->host ? visitor->host(visitor->context, host, err) : 0;
}

static int visit_block_end(struct reader *reader, const cJSON *tree, struct error *err)
{
	const struct campaign_visitor *visitor = reader->visitor;
	const char *block = json_get_string(tree, "block");

	if (!block)
		return error_set(err, ERROR_DATA, "%s:%zu: block_end names no block", reader->path, reader->line);
	return visitor->block_end ? visitor->block_end(visitor->context, block, err) : 0;
}

/* A record of another kind is left to the version that wrote it. */
static const struct {
	const char *kind;
	int (*visit)(struct reader *reader, const cJSON *tree, struct error *err);
} visits[] = {
	{"run", visit_run},   {"note", visit_note},           {"block", visit_block},
	{"host", visit_host}, {"block_end", visit_block_end},
};

static int check_open(const struct reader *reader, const cJSON *tree, struct campaign_input *input, struct error *err)
{
	const cJSON *format = json_get(tree, "format");

	if (!cJSON_IsNumber(format) || format->valuedouble != SEGMENT_FORMAT)
		return error_set(err, ERROR_DATA, "%s:%zu: format of the log is not %d, which this version reads",
				 reader->path, reader->line, SEGMENT_FORMAT);
	input->simulated = cJSON_IsTrue(json_get(tree, "simulated"));
	return 0;
}

static int visit_line(struct reader *reader, const char *line, size_t n, struct campaign_input *input,
		      struct error *err)
{
	CLEANUP(json_free) cJSON *tree = NULL;

	int r = json_parse(line, n, reader->path, reader->line, &tree, err);
	if (r < 0)
		return r;
	const char *kind = json_get_string(tree, "kind");
	if (!kind)
		return error_set(err, ERROR_DATA, "%s:%zu: the record has no kind", reader->path, reader->line);
	if ((reader->line == 1) != (strcmp(kind, "open") == 0))
		return error_set(err, ERROR_DATA, "%s:%zu: the first record, and only that, is 'open'", reader->path,
				 reader->line);
	if (reader->line == 1)
		return check_open(reader, tree, input, err);
	if (!reader->visitor)
		return 0;
	for (size_t i = 0; i < sizeof(visits) / sizeof(visits[0]); i++)
		if (strcmp(kind, visits[i].kind) == 0)
			return visits[i].visit(reader, tree, err);
	return 0;
}

static int read_segment(const char *directory, const struct campaign_visitor *visitor, struct campaign_input *input,
			struct error *err)
{
	CLEANUP(mem_free) char *path = segment_path(directory, input->segment, ".jsonl");
	CLEANUP(reader_release)
	struct reader reader = {visitor, directory, input->segment, path, 0, NULL, NULL, 0, -1};

	reader.file = fopen(path, "re");
	if (!reader.file)
		return error_set(err, ERROR_ENVIRONMENT, "cannot open '%s': %s", path, strerror(errno));
	strcpy(input->head_sum, SEGMENT_SUM_ZERO);
	for (;;) {
		ssize_t got = getline(&reader.buffer, &reader.buffer_size, reader.file);
		char sum[65];

		if (got < 0)
			break;
		if (reader.buffer[got - 1] != '\n') {
			input->torn = true;
			break;
		}
		size_t n = (size_t)got - 1;
		reader.line++;
		int r = segment_check_line(input->head_sum, reader.buffer, n, sum, err);
		if (r < 0)
			return error_wrap(r, err, "%s:%zu", path, reader.line);
		r = visit_line(&reader, reader.buffer, n, input, err);
		if (r != 0)
			return r;
		memcpy(input->head_sum, sum, sizeof(sum));
		input->records++;
	}
	if (ferror(reader.file))
		return error_set(err, ERROR_ENVIRONMENT, "cannot read '%s': %s", path, strerror(errno));
	return 0;
}

static int compare_segments(const void *a, const void *b)
{
	const struct campaign_input *x = a, *y = b;
	int natural = strverscmp(x->segment, y->segment);

	return natural ? natural : strcmp(x->segment, y->segment);
}

int segment_list(const char *directory, struct campaign_input **ret_inputs, size_t *ret_n, struct error *err)
{
	CLEANUP(mem_free) char *folder = path_join(directory, "log");
	DIR *stream = opendir(folder);
	const struct dirent *entry;

	if (!stream && errno == ENOENT)
		return 0;
	if (!stream)
		return error_set(err, ERROR_ENVIRONMENT, "cannot read folder '%s': %s", folder, strerror(errno));
	while ((entry = readdir(stream))) {
		size_t n = strlen(entry->d_name);

		if (n <= 6 || entry->d_name[0] == '.' || strcmp(entry->d_name + n - 6, ".jsonl") != 0)
			continue;
		struct campaign_input *input = record_add_row(ret_inputs, ret_n, sizeof(*input));
		input->segment = mem_dup_bytes(entry->d_name, n - 6);
	}
	closedir(stream);
	if (*ret_n > 0)
		qsort(*ret_inputs, *ret_n, sizeof(**ret_inputs), compare_segments);
	return 0;
}

int campaign_log_each(const char *directory, const struct campaign_visitor *visitor, struct campaign_input **ret_inputs,
		      size_t *ret_n, struct error *err)
{
	struct campaign_input *inputs = NULL;
	size_t n = 0;

	int r = segment_list(directory, &inputs, &n, err);
	for (size_t i = 0; r == 0 && i < n; i++)
		r = read_segment(directory, visitor, &inputs[i], err);
	if (r != 0 || !ret_inputs) {
		campaign_inputs_free(inputs, n);
		inputs = NULL;
		n = r != 0 ? 0 : n;
	}
	if (ret_inputs)
		*ret_inputs = inputs;
	if (ret_n)
		*ret_n = n;
	return r;
}

void campaign_inputs_free(struct campaign_input *inputs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(inputs[i].segment);
	free(inputs);
}
