/* The writing side of the campaign log: one writer a segment, bytes before the line that points to them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "record/segment.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/text.h"
#include "record/fields.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef ASSAY_VERSION
#define ASSAY_VERSION "0.1.0"
#endif

#define ATTEMPTS_MAX 100000

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tables are stored as float64 little-endian");

struct segment_writer {
	char *name;
	char *path, *data_path;
	int fd, data_fd;
	int64_t size, data_size; /* of what is whole */
	bool torn;               /* bytes of a line that could not be cut back follow */
	char sum[65];
};

char *segment_path(const char *directory, const char *segment, const char *suffix)
{
	CLEANUP(text_release) struct text name = {0};

	text_format(&name, "log/%s%s", segment, suffix);
	return path_join(directory, text_string(&name));
}

bool segment_name_ok(const char *name)
{
	size_t n = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");

	return n > 0 && n <= 128 && name[n] == '\0' && name[0] != '.';
}

static int write_line(const struct segment_writer *writer, const struct text *line, struct error *err)
{
	int r = file_write_all(writer->fd, writer->path, line->bytes, line->length, err);
	if (r < 0)
		return r;
	if (fsync(writer->fd) < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot sync '%s': %s", writer->path, strerror(errno));
	return 0;
}

/* Append a line: body is an object's text without its closing brace. */
static int append_line(struct segment_writer *writer, struct json_writer *body, struct error *err)
{
	char sum[65];

	if (writer->torn)
		return error_set(err, ERROR_ENVIRONMENT, "'%s' ends in a line that could not be written whole",
				 writer->path);
	segment_sum(writer->sum, body->text.bytes, body->text.length, sum);
	text_format(&body->text, ",\"sum\":\"%s\"}\n", sum);
	int r = write_line(writer, &body->text, err);
	if (r < 0) {
		/* Half a line must not meet the next one, and a log without it is clean. */
		writer->torn = ftruncate(writer->fd, (off_t)writer->size) < 0;
		return r;
	}
	writer->size += (int64_t)body->text.length;
	memcpy(writer->sum, sum, sizeof(sum));
	return 0;
}

static const char *job_id(void)
{
	const char *slurm = getenv("SLURM_JOB_ID"), *pbs = getenv("PBS_JOBID");

	return slurm && *slurm ? slurm : pbs && *pbs ? pbs : NULL;
}

enum segment_origin { SEGMENT_MEASURED, SEGMENT_SIMULATED };

static int append_open(struct segment_writer *writer, const char *plan_sha256, enum segment_origin origin,
		       struct error *err)
{
	CLEANUP(json_writer_release) struct json_writer body = {0};
	char host[256] = "";

	if (gethostname(host, sizeof(host) - 1) < 0)
		strcpy(host, "unknown");
	json_write_begin_object(&body);
	json_write_key_string(&body, "kind", "open");
	json_write_key_integer(&body, "format", SEGMENT_FORMAT);
	json_write_key_string(&body, "plan_sha256", plan_sha256);
	json_write_key_string(&body, "assay", ASSAY_VERSION);
	json_write_key_string(&body, "host", host);
	json_write_key_integer(&body, "pid", getpid());
	json_write_key_string(&body, "job", job_id());
	if (origin == SEGMENT_SIMULATED)
		json_write_key_bool(&body, "simulated", true);
	return append_line(writer, &body, err);
}

/* Creation by O_EXCL is the claim: of two writers, one gets the attempt, the other the next. */
static int claim(struct segment_writer *writer, const char *directory, const char *name, struct error *err)
{
	for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
		CLEANUP(text_release) struct text segment = {0};

		text_format(&segment, "%s.%d", name, attempt);
		free(writer->path);
		writer->path = segment_path(directory, text_string(&segment), ".jsonl");
		writer->fd = open(writer->path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (writer->fd >= 0) {
			writer->name = text_take(&segment);
			writer->data_path = segment_path(directory, writer->name, ".data");
			return file_sync_folder_of(writer->path, err);
		}
		if (errno != EEXIST)
			return error_set(err, ERROR_ENVIRONMENT, "cannot create '%s': %s", writer->path,
					 strerror(errno));
	}
	return error_set(err, ERROR_ENVIRONMENT, "no free attempt for '%s'", name);
}

static int create(const char *directory, const char *name, const char *plan_sha256, enum segment_origin origin,
		  struct segment_writer **ret_writer, struct error *err)
{
	CLEANUP(mem_free) char *folder = path_join(directory, "log");
	CLEANUP(segment_close) struct segment_writer *writer = NULL;

	if (!segment_name_ok(name))
		return error_set(err, ERROR_DATA, "segment name '%s' may hold only letters, digits, '.', '_' and '-'",
				 name);
	int r = file_make_folder(folder, err);
	if (r < 0)
		return r;
	writer = mem_new(1, sizeof(*writer));
	writer->fd = -1;
	writer->data_fd = -1;
	strcpy(writer->sum, SEGMENT_SUM_ZERO);
	r = claim(writer, directory, name, err);
	if (r < 0)
		return r;
	r = append_open(writer, plan_sha256, origin, err);
	if (r < 0) {
		segment_abandon(TAKE(writer));
		return r;
	}
	*ret_writer = TAKE(writer);
	return 0;
}

int segment_create(const char *directory, const char *name, const char *plan_sha256, struct segment_writer **ret_writer,
		   struct error *err)
{
	return create(directory, name, plan_sha256, SEGMENT_MEASURED, ret_writer, err);
}

int segment_create_simulated(const char *directory, const char *name, const char *plan_sha256,
			     struct segment_writer **ret_writer, struct error *err)
{
	return create(directory, name, plan_sha256, SEGMENT_SIMULATED, ret_writer, err);
}

static int open_data(struct segment_writer *writer, struct error *err)
{
	struct stat status;

	writer->data_fd = open(writer->data_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (writer->data_fd < 0 || fstat(writer->data_fd, &status) < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot open '%s': %s", writer->data_path, strerror(errno));
	writer->data_size = status.st_size;
	return file_sync_folder_of(writer->data_path, err);
}

static int write_data(const struct segment_writer *writer, const void *bytes, size_t n, struct error *err)
{
	int r = file_write_all(writer->data_fd, writer->data_path, bytes, n, err);
	if (r < 0)
		return r;
	if (fsync(writer->data_fd) < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot sync '%s': %s", writer->data_path, strerror(errno));
	return 0;
}

int segment_append_data(struct segment_writer *writer, const void *bytes, size_t n, int64_t *ret_offset,
			char ret_sha256[65], struct error *err)
{
	int r = writer->data_fd < 0 ? open_data(writer, err) : 0;
	if (r < 0)
		return r;
	r = write_data(writer, bytes, n, err);
	if (r < 0) {
		/* When the bytes cannot be cut back, the next call asks the file for its size again. */
		if (ftruncate(writer->data_fd, (off_t)writer->data_size) < 0) {
			close(writer->data_fd);
			writer->data_fd = -1;
		}
		return r;
	}
	digest_sha256(bytes, n, ret_sha256);
	*ret_offset = writer->data_size;
	writer->data_size += (int64_t)n;
	return 0;
}

int run_record_check_finite(const struct run_record *run, struct error *err)
{
	static const char *const responses[] = {"time_s", "time", "throughput"};

	for (size_t t = 0; run->status == RUN_OK && t < run->n_tables; t++) {
		const struct run_table *table = &run->tables[t];

		for (size_t c = 0; table->values && c < sizeof(responses) / sizeof(responses[0]); c++) {
			int column = run_table_column(table, responses[c]);
			int left_out = run_table_column(table, RUN_COLUMN_LEFT_OUT);

			for (int64_t row = table->discarded; column >= 0 && row < table->rows; row++) {
				const double *cells = table->values + (size_t)row * table->columns.n;
				if (isfinite(cells[column]) || (left_out >= 0 && cells[left_out] == 1))
					continue;
				return error_set(err, ERROR_DATA,
						 "run '%s': table '%s' row %lld: %s is not finite in a kept iteration",
						 run->id, table->name, (long long)row + 1, responses[c]);
			}
		}
	}
	return 0;
}

int segment_append_run(struct segment_writer *writer, struct run_record *run, struct error *err)
{
	CLEANUP(json_writer_release) struct json_writer body = {0};

	int r = run_record_check_finite(run, err);
	for (size_t i = 0; r == 0 && i < run->n_tables; i++) {
		struct run_table *table = &run->tables[i];
		size_t cells = (size_t)table->rows * table->columns.n;

		if (table->rows < 0 || (cells > 0 && !table->values))
			return error_set(err, ERROR_INTERNAL, "run '%s': table '%s' has no values", run->id,
					 table->name);
		r = segment_append_data(writer, table->values, cells * sizeof(double), &table->offset, table->sha256,
					err);
	}
	if (r < 0)
		return r;
	json_write_begin_object(&body);
	json_write_key_string(&body, "kind", "run");
	json_write_fields(&body, &run_record_map, run);
	return append_line(writer, &body, err);
}

int segment_append_note(struct segment_writer *writer, const struct note_record *note, struct error *err)
{
	CLEANUP(json_writer_release) struct json_writer body = {0};

	json_write_begin_object(&body);
	json_write_key_string(&body, "kind", "note");
	json_write_fields(&body, &note_record_map, note);
	return append_line(writer, &body, err);
}

int segment_append_block(struct segment_writer *writer, const struct block_record *block, struct error *err)
{
	CLEANUP(json_writer_release) struct json_writer body = {0};

	json_write_begin_object(&body);
	json_write_key_string(&body, "kind", "block");
	json_write_fields(&body, &block_record_map, block);
	return append_line(writer, &body, err);
}

int segment_append_host(struct segment_writer *writer, const struct host_record *host, struct error *err)
{
	CLEANUP(json_writer_release) struct json_writer body = {0};

	json_write_begin_object(&body);
	json_write_key_string(&body, "kind", "host");
	json_write_fields(&body, &host_record_map, host);
	return append_line(writer, &body, err);
}

int segment_append_block_end(struct segment_writer *writer, const char *block, int64_t runs, struct error *err)
{
	CLEANUP(json_writer_release) struct json_writer body = {0};

	json_write_begin_object(&body);
	json_write_key_string(&body, "kind", "block_end");
	json_write_key_string(&body, "block", block);
	json_write_key_integer(&body, "runs", runs);
	return append_line(writer, &body, err);
}

const char *segment_name(const struct segment_writer *writer)
{
	return writer->name;
}

void segment_abandon(struct segment_writer *writer)
{
	unlink(writer->path);
	unlink(writer->data_path);
	segment_close(writer);
}

void segment_close(struct segment_writer *writer)
{
	if (!writer)
		return;
	if (writer->fd >= 0)
		close(writer->fd);
	if (writer->data_fd >= 0)
		close(writer->data_fd);
	free(writer->name);
	free(writer->path);
	free(writer->data_path);
	free(writer);
}

static int save_torn(const char *path, const char *bytes, size_t n, struct error *err)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot open '%s': %s", path, strerror(errno));
	int r = file_write_all(fd, path, bytes, n, err);
	if (r == 0 && fsync(fd) < 0)
		r = error_set(err, ERROR_ENVIRONMENT, "cannot sync '%s': %s", path, strerror(errno));
	close(fd);
	return r < 0 ? r : file_sync_folder_of(path, err);
}

int segment_repair(const char *directory, const char *segment, size_t *ret_moved, struct error *err)
{
	CLEANUP(mem_free) char *path = segment_path(directory, segment, ".jsonl");
	CLEANUP(mem_free) char *torn_path = segment_path(directory, segment, ".torn");
	CLEANUP(mem_free) char *bytes = NULL;
	size_t n = 0;

	*ret_moved = 0;
	int r = file_read(path, &bytes, &n, err);
	if (r < 0)
		return r;
	size_t kept = n;
	while (kept > 0 && bytes[kept - 1] != '\n')
		kept--;
	if (kept == n)
		return 0;
	r = save_torn(torn_path, bytes + kept, n - kept, err);
	if (r < 0)
		return r;
	if (truncate(path, (off_t)kept) < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot shorten '%s': %s", path, strerror(errno));
	*ret_moved = n - kept;
	return 0;
}
