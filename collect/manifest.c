#include "assay/collect.h"

#include "base/file.h"
#include "base/nearest.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 64

enum column {
	COLUMN_FILE,
	COLUMN_HARNESS,
	COLUMN_SETTING,
	COLUMN_BLOCK,
	COLUMN_POSITION,
	COLUMN_ROLE,
	COLUMN_STATUS,
	COLUMN_EXTERNAL,
	COLUMN_STARTED,
	COLUMN_CLUSTER,
	COLUMNS
};

static const char *const column_names[COLUMNS] = {"file", "harness", "setting",  "block",   "position",
						  "role", "status",  "external", "started", "cluster"};
#define KNOWN_COLUMNS "file harness setting block position role status external started cluster"

struct field {
	struct text text;
	size_t line, column; /* where it begins, from 1 */
};

struct reader {
	const char *path, *bytes;
	size_t n, at, line, column;
	struct field fields[FIELDS_MAX];
	size_t n_fields;
	int index[COLUMNS]; /* of the header; -1 when absent */
};

static int reader_release_fields(struct reader *reader, int r)
{
	for (size_t i = 0; i < FIELDS_MAX; i++)
		text_release(&reader->fields[i].text);
	return r;
}

static void advance(struct reader *reader)
{
	if (reader->bytes[reader->at++] == '\n') {
		reader->line++;
		reader->column = 1;
	} else {
		reader->column++;
	}
}

static bool at_end_of_record(const struct reader *reader)
{
	char c = reader->at < reader->n ? reader->bytes[reader->at] : '\n';

	return c == '\n' || (c == '\r' && (reader->at + 1 >= reader->n || reader->bytes[reader->at + 1] == '\n'));
}

static int read_quoted(struct reader *reader, struct field *field, struct error *err)
{
	bool closed = false;

	advance(reader);
	for (; reader->at < reader->n; advance(reader)) {
		char c = reader->bytes[reader->at];
		if (c != '"') {
			text_add_char(&field->text, c);
			continue;
		}
		advance(reader);
		if (reader->at >= reader->n || reader->bytes[reader->at] != '"') {
			closed = true;
			break;
		}
		text_add_char(&field->text, '"');
	}
	if (!closed)
		return error_set(err, ERROR_DATA, "%s:%zu:%zu: the quote is never closed", reader->path, field->line,
				 field->column);
	if (!at_end_of_record(reader) && reader->bytes[reader->at] != ',')
		return error_set(err, ERROR_DATA, "%s:%zu:%zu: a comma is missing after the closing quote",
				 reader->path, reader->line, reader->column);
	return 0;
}

static int read_field(struct reader *reader, struct error *err)
{
	if (reader->n_fields == FIELDS_MAX)
		return error_set(err, ERROR_DATA, "%s:%zu:%zu: more than %d fields", reader->path, reader->line,
				 reader->column, FIELDS_MAX);
	struct field *field = &reader->fields[reader->n_fields++];
	text_clear(&field->text);
	field->line = reader->line;
	field->column = reader->column;
	if (reader->at < reader->n && reader->bytes[reader->at] == '"')
		return read_quoted(reader, field, err);
	while (!at_end_of_record(reader) && reader->bytes[reader->at] != ',') {
		if (reader->bytes[reader->at] == '"' || reader->bytes[reader->at] == '\0')
			return error_set(err, ERROR_DATA, "%s:%zu:%zu: a %s inside an unquoted field", reader->path,
					 reader->line, reader->column,
					 reader->bytes[reader->at] ? "quote" : "zero byte");
		text_add_char(&field->text, reader->bytes[reader->at]);
		advance(reader);
	}
	return 0;
}

/* The next record; blank lines are skipped. 1: read, 0: the end. */
static int read_record(struct reader *reader, struct error *err)
{
	while (reader->at < reader->n && at_end_of_record(reader))
		advance(reader);
	if (reader->at >= reader->n)
		return 0;
	reader->n_fields = 0;
	for (;;) {
		int r = read_field(reader, err);
		if (r < 0)
			return r;
		if (at_end_of_record(reader))
			break;
		advance(reader); /* the comma */
	}
	while (reader->at < reader->n && reader->bytes[reader->at] != '\n')
		advance(reader);
	if (reader->at < reader->n)
		advance(reader);
	return 1;
}

static int read_header(struct reader *reader, struct error *err)
{
	for (int c = 0; c < COLUMNS; c++)
		reader->index[c] = -1;
	int r = read_record(reader, err);
	if (r < 0)
		return r;
	if (r == 0)
		return error_set(err, ERROR_DATA, "%s:1: the manifest is empty; its columns are: " KNOWN_COLUMNS,
				 reader->path);
	for (size_t i = 0; i < reader->n_fields; i++) {
		const char *name = text_string(&reader->fields[i].text);
		int found = -1;
		for (int c = 0; c < COLUMNS; c++)
			if (strcmp(name, column_names[c]) == 0)
				found = c;
		if (found < 0) {
			const char *near = nearest_name(name, column_names, COLUMNS);
			return error_set(err, ERROR_DATA,
					 "%s:1:%zu: column '%s' is not known%s%s%s (known: " KNOWN_COLUMNS ")",
					 reader->path, reader->fields[i].column, name, near ? "; did you mean '" : "",
					 near ? near : "", near ? "'?" : "");
		}
		if (reader->index[found] >= 0)
			return error_set(err, ERROR_DATA, "%s:1:%zu: column '%s' stands twice", reader->path,
					 reader->fields[i].column, name);
		reader->index[found] = (int)i;
	}
	for (int c = COLUMN_FILE; c <= COLUMN_BLOCK; c++)
		if (reader->index[c] < 0)
			return error_set(err, ERROR_DATA, "%s:1: column '%s' is missing (known: " KNOWN_COLUMNS ")",
					 reader->path, column_names[c]);
	return 0;
}

static const char *value(const struct reader *reader, enum column column)
{
	if (reader->index[column] < 0)
		return NULL;
	const char *string = text_string(&reader->fields[reader->index[column]].text);
	return *string ? string : NULL;
}

static int bad(const struct reader *reader, enum column column, const char *wanted, struct error *err)
{
	const struct field *field = &reader->fields[reader->index[column]];

	return error_set(err, ERROR_DATA, "%s:%zu:%zu: %s '%s' is not %s", reader->path, field->line, field->column,
			 column_names[column], text_string(&field->text), wanted);
}

static bool is_block_name(const char *name)
{
	return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") == strlen(name) &&
	       strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* The shape of RFC 3339: digits where d stands. */
static bool is_time(const char *string)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:dd";

	for (size_t i = 0; shape[i]; i++) {
		bool digit = string[i] >= '0' && string[i] <= '9';
		if (shape[i] == 'd' ? !digit : string[i] != shape[i] && !(shape[i] == 'T' && string[i] == 't'))
			return false;
	}
	const char *zone = string + strlen(shape);
	if (*zone == '.') {
		size_t digits = strspn(zone + 1, "0123456789");
		if (digits == 0)
			return false;
		zone += 1 + digits;
	}
	if (strcmp(zone, "Z") == 0 || strcmp(zone, "z") == 0)
		return true;
	return strlen(zone) == 6 && (zone[0] == '+' || zone[0] == '-') && zone[3] == ':' &&
	       strspn(zone + 1, "0123456789") == 2 && strspn(zone + 4, "0123456789") == 2;
}

static int check_row(const struct reader *reader, struct import_row *row, struct error *err)
{
	enum run_role role;
	enum run_status status;
	const char *position = value(reader, COLUMN_POSITION), *external = value(reader, COLUMN_EXTERNAL);

	if (!is_block_name(row->block))
		return bad(reader, COLUMN_BLOCK, "a block name (letters, digits, . _ -)", err);
	if (position && (!number_parse_int(position, strlen(position), &row->position) || row->position < 1))
		return bad(reader, COLUMN_POSITION, "a whole number from 1", err);
	if (row->role && run_role_parse(row->role, &role) < 0)
		return bad(reader, COLUMN_ROLE, "one of arm settle sentinel", err);
	if (row->status && run_status_parse(row->status, &status) < 0)
		return bad(reader, COLUMN_STATUS, "one of ok crash oom timeout wrong truncated cancelled launch_failed",
			   err);
	if (row->started && !is_time(row->started))
		return bad(reader, COLUMN_STARTED, "a time with zone (RFC 3339, 2026-02-03T08:00:00Z)", err);
	if (external) {
		bool yes = strcmp(external, "true") == 0 || strcmp(external, "1") == 0 || strcmp(external, "yes") == 0;
		bool no = strcmp(external, "false") == 0 || strcmp(external, "0") == 0 || strcmp(external, "no") == 0;
		if (!yes && !no)
			return bad(reader, COLUMN_EXTERNAL, "true or false", err);
		row->external = yes;
	}
	return 0;
}

static int read_row(const struct reader *reader, size_t n_columns, const char *folder, struct import_row *row,
		    struct error *err)
{
	row->line = reader->fields[0].line;
	if (reader->n_fields != n_columns)
		return error_set(err, ERROR_DATA, "%s:%zu: %zu fields, but the header has %zu columns", reader->path,
				 row->line, reader->n_fields, n_columns);
	for (enum column c = COLUMN_FILE; c <= COLUMN_BLOCK; c++)
		if (!value(reader, c))
			return error_set(err, ERROR_DATA, "%s:%zu:%zu: column '%s' is empty", reader->path, row->line,
					 reader->fields[reader->index[c]].column, column_names[c]);
	row->file = mem_dup_string(value(reader, COLUMN_FILE));
	row->path = path_join(folder, row->file);
	row->harness = mem_dup_string(value(reader, COLUMN_HARNESS));
	row->setting = mem_dup_string(value(reader, COLUMN_SETTING));
	row->block = mem_dup_string(value(reader, COLUMN_BLOCK));
	row->role = mem_dup_string(value(reader, COLUMN_ROLE));
	row->status = mem_dup_string(value(reader, COLUMN_STATUS));
	row->started = mem_dup_string(value(reader, COLUMN_STARTED));
	row->cluster = mem_dup_string(value(reader, COLUMN_CLUSTER));
	if (!file_exists(row->path))
		return error_set(err, ERROR_DATA, "%s:%zu:%zu: file '%s' does not exist", reader->path, row->line,
				 reader->fields[reader->index[COLUMN_FILE]].column, row->file);
	return check_row(reader, row, err);
}

static int read_rows(struct reader *reader, struct import_manifest *manifest, struct error *err)
{
	const char *slash = strrchr(reader->path, '/');
	CLEANUP(mem_free)
	char *folder = slash ? mem_dup_bytes(reader->path, (size_t)(slash - reader->path) + 1) : mem_dup_string("");
	size_t capacity = 0;

	if (folder[0] && folder[1])
		folder[strlen(folder) - 1] = '\0';
	int r = read_header(reader, err);
	if (r < 0)
		return r;
	size_t n_columns = reader->n_fields;
	while ((r = read_record(reader, err)) > 0) {
		manifest->rows = mem_grow(manifest->rows, &capacity, manifest->n + 1, sizeof(*manifest->rows));
		struct import_row *row = &manifest->rows[manifest->n++];
		*row = (struct import_row){.position = RECORD_UNSET, .external = -1};
		r = read_row(reader, n_columns, folder, row, err);
		if (r < 0)
			return r;
	}
	if (r == 0 && manifest->n == 0)
		return error_set(err, ERROR_DATA, "%s: the manifest has no rows", reader->path);
	return r;
}

int import_manifest_read(const char *path, struct import_manifest **ret_manifest, struct error *err)
{
	CLEANUP(mem_free) char *bytes = NULL;
	CLEANUP(import_manifest_free) struct import_manifest *manifest = mem_new(1, sizeof(*manifest));
	struct reader reader = {.path = path, .line = 1, .column = 1};

	int r = file_read(path, &bytes, &reader.n, err);
	if (r < 0)
		return r;
	reader.bytes = bytes;
	if (reader.n >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
		reader.at = 3;
	manifest->path = mem_dup_string(path);
	r = reader_release_fields(&reader, read_rows(&reader, manifest, err));
	if (r < 0)
		return r;
	*ret_manifest = TAKE(manifest);
	return 0;
}

void import_manifest_free(struct import_manifest *manifest)
{
	for (size_t i = 0; i < manifest->n; i++) {
		struct import_row *row = &manifest->rows[i];
		char *strings[] = {row->file, row->path,   row->harness, row->setting, row->block,
				   row->role, row->status, row->started, row->cluster};
		for (size_t k = 0; k < sizeof(strings) / sizeof(*strings); k++)
			free(strings[k]);
	}
	free(manifest->rows);
	free(manifest->path);
	free(manifest);
}
