/*
 * Strict JSON, and its mapping to structs by tables: one reader, one writer and one release serve the plan, the records
 * and the analysis document. A table row names a key, its type and where it lives in the struct.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/error.h"
#include "base/json_writer.h"
#include "base/mem.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * Parse, refusing what cJSON lets through: trailing bytes, duplicate keys, invalid UTF-8, control characters in
 * strings, numbers that are not finite or not JSON.
 *
 * @param file       for messages
 * @param line_base  line number of the first line (1 for a whole file)
 * @return 0; ERROR_DATA "file:line: ..."
 */
int json_parse(const char *bytes, size_t n, const char *file, size_t line_base, cJSON **ret_tree, struct error *err);
void json_free(cJSON *tree);
CLEANUP_POINTER(cJSON, json_free)

/** The member of an object, case-sensitive, or NULL. */
const cJSON *json_get(const cJSON *object, const char *key);
/** The member's string, or NULL when it is absent or no string. */
const char *json_get_string(const cJSON *object, const char *key);

enum json_type {
	JSON_STRING,   /* char * */
	JSON_WORD,     /* char *, one of `names` */
	JSON_ENUM,     /* enum, index into `names`; an empty name is never read nor written */
	JSON_INTEGER,  /* int64_t; absent -1 */
	JSON_NUMBER,   /* double; absent NAN */
	JSON_BOOL,     /* bool */
	JSON_INTERVAL, /* two doubles: [lo, hi], or null when both are NAN */
	JSON_CHARS,    /* char[65] */
	JSON_STRINGS,  /* char ** at offset, size_t at count; `names` when the items are words */
	JSON_INTEGERS, /* int64_t * at offset, size_t at count */
	JSON_DOUBLES,  /* double * at offset, size_t at count; all finite */
	JSON_PAIRS,    /* names at offset, values at second, size_t at count: an object of strings */
	JSON_NUMBERS, /* row of structs { char *name; double value } at offset, size_t at count: an object of numbers */
	JSON_OBJECT,  /* struct in place (offset 0: fields of the same struct) */
	JSON_OBJECTS, /* struct * at offset, size_t at count */
	JSON_CONST    /* not stored: the integer `fallback` */
};

enum json_flag {
	JSON_REQUIRED = 1,
	JSON_NULLABLE = 2,     /* null stands for absent, and absent is written as null */
	JSON_REASON = 4,       /* a null is followed by <name>_reason */
	JSON_MIN = 8,          /* value >= min */
	JSON_ABOVE = 16,       /* value > min */
	JSON_MAX = 32,         /* value <= max */
	JSON_BELOW = 64,       /* value < max */
	JSON_FALLBACK = 128,   /* absent: `fallback`, or `text` for strings */
	JSON_NOT_EMPTY = 256,  /* an array has an item */
	JSON_PRESENT = 512,    /* object: bool at `second` tells whether it is there */
	JSON_OMIT_EMPTY = 1024 /* lists and objects without content, and false, are not written */
};

struct json_map;

struct json_field {
	const char *name;
	enum json_type type;
	unsigned flags;
	size_t offset, count, second;
	const struct json_map *map;
	const char *const *names; /* NULL-terminated */
	double min, max, fallback;
	const char *text, *pattern; /* PCRE2 */
};

struct json_map {
	const struct json_field *fields;
	size_t n;
	size_t size; /* of the struct */
	bool open;   /* unknown keys are passed over */
};

/** Set every field to what absence means. The memory holds nothing that is owned. */
void json_init_struct(const struct json_map *map, void *target);
/**
 * Read the keys that are there over what the struct holds (initialised before, or by the caller).
 *
 * @param path  of the object inside the file, "" for the root
 * @return 0; ERROR_DATA "file: path: ..."
 */
int json_read_struct(const cJSON *tree, const struct json_map *map, const char *file, const char *path, void *target,
		     struct error *err);
/** The members of an object, without its braces. */
void json_write_fields(struct json_writer *writer, const struct json_map *map, const void *source);
void json_write_struct(struct json_writer *writer, const struct json_map *map, const void *source);
/** Free what the fields own; the struct itself stays, empty. */
void json_release_struct(const struct json_map *map, void *target);

#endif
