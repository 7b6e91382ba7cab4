/*
 * JSON text in the order of the calls. Numbers are the shortest of up to 17 digits that read back the same; NAN and
 * infinities are null; strings that are not valid UTF-8 are cleaned.
 */
#ifndef BASE_JSON_WRITER_H
#define BASE_JSON_WRITER_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct json_writer {
	struct text text;
	int depth;
	int open_depth; /* containers up to this depth have a line per member; 0: everything on one line */
	bool first;     /* nothing written in the current container yet */
	bool after_key;
};

void json_writer_release(struct json_writer *writer);
CLEANUP_VALUE(struct json_writer, json_writer_release)

void json_write_begin_object(struct json_writer *writer);
void json_write_end_object(struct json_writer *writer);
void json_write_begin_array(struct json_writer *writer);
void json_write_end_array(struct json_writer *writer);
void json_write_key(struct json_writer *writer, const char *key);
void json_write_string(struct json_writer *writer, const char *string); /* NULL: null */
void json_write_number(struct json_writer *writer, double value);
void json_write_integer(struct json_writer *writer, int64_t value);
void json_write_bool(struct json_writer *writer, bool value);
void json_write_null(struct json_writer *writer);

/* A key and its value. */
void json_write_key_string(struct json_writer *writer, const char *key, const char *string);
void json_write_key_number(struct json_writer *writer, const char *key, double value);
void json_write_key_integer(struct json_writer *writer, const char *key, int64_t value);
void json_write_key_bool(struct json_writer *writer, const char *key, bool value);

#endif
