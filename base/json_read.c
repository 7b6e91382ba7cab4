#ifndef PCRE2_CODE_UNIT_WIDTH
#define PCRE2_CODE_UNIT_WIDTH 8
#endif

#include "base/json.h"
#include "base/nearest.h"
#include "base/text.h"

#include <math.h>
#include <pcre2.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A longer path is cut in the message. */
#define PATH_LENGTH 512
#define INTEGER_MAX 9007199254740991.0

/* Where we are, for messages. */
struct place {
	const char *file, *path;
	struct error *err;
};

__attribute__((format(printf, 2, 3))) static void set_path(char ret_path[PATH_LENGTH], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(ret_path, PATH_LENGTH, format, args);
	va_end(args);
}

static int wrong(const struct place *place, const char *what)
{
	const char *dot = *place->path ? ": " : "";

	return error_set(place->err, ERROR_DATA, "%s: %s%s%s", place->file, place->path, dot, what);
}

static void *at(char *target, size_t offset)
{
	return target + offset;
}

static int expected(const struct place *place, const cJSON *item, const char *what)
{
	CLEANUP(text_release) struct text text = {0};
	const char *got = cJSON_IsString(item)   ? "a string"
			  : cJSON_IsNumber(item) ? "a number"
			  : cJSON_IsBool(item)   ? "true or false"
			  : cJSON_IsArray(item)  ? "an array"
			  : cJSON_IsNull(item)   ? "null"
						 : "an object";

	text_format(&text, "expected %s, got %s", what, got);
	return wrong(place, text_string(&text));
}

static bool pattern_matches(const char *pattern, const char *string)
{
	int code_error;
	PCRE2_SIZE where;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, PCRE2_DOLLAR_ENDONLY, &code_error,
					 &where, NULL);
	if (!code)
		return false;
	pcre2_match_data *match = pcre2_match_data_create_from_pattern(code, NULL);
	int found = pcre2_match(code, (PCRE2_SPTR)string, strlen(string), 0, 0, match, NULL);

	pcre2_match_data_free(match);
	pcre2_code_free(code);
	return found >= 0;
}

/* The index of a word, or -1 with the nearest one suggested. */
static int find_word(const cJSON *item, const struct json_field *field, const struct place *place, int *ret_index)
{
	CLEANUP(text_release) struct text text = {0};
	size_t n = 0;

	if (!cJSON_IsString(item))
		return expected(place, item, "a string");
	for (; field->names[n]; n++) {
		if (*item->valuestring && strcmp(field->names[n], item->valuestring) == 0) {
			*ret_index = (int)n;
			return 0;
		}
	}
	text_format(&text, "'%.200s' is not one of", item->valuestring);
	for (size_t i = 0; i < n; i++) {
		if (*field->names[i])
			text_format(&text, " '%s'", field->names[i]);
	}
	return wrong(place, text_string(&text));
}

static int read_string(const cJSON *item, const struct json_field *field, const struct place *place, char **target)
{
	CLEANUP(text_release) struct text text = {0};
	int index;

	if (field->type == JSON_WORD) {
		int r = find_word(item, field, place, &index);
		if (r < 0)
			return r;
	} else if (!cJSON_IsString(item)) {
		return expected(place, item, "a string");
	}
	if (field->pattern && !pattern_matches(field->pattern, item->valuestring)) {
		text_format(&text, "'%.200s' does not match %s", item->valuestring, field->pattern);
		return wrong(place, text_string(&text));
	}
	free(*target);
	*target = mem_dup_string(item->valuestring);
	return 0;
}

static int read_number(const cJSON *item, const struct json_field *field, const struct place *place, bool whole,
		       double *ret_value)
{
	CLEANUP(text_release) struct text text = {0};
	unsigned flags = field->flags;

	if (!cJSON_IsNumber(item))
		return expected(place, item, whole ? "an integer" : "a number");
	double v = item->valuedouble;
	if (!isfinite(v))
		return wrong(place, "number is not finite");
	if (whole && (v != floor(v) || fabs(v) > INTEGER_MAX))
		return wrong(place, "expected an integer");
	if (((flags & JSON_MIN) && v < field->min) || ((flags & JSON_ABOVE) && v <= field->min)) {
		text_format(&text, "%.17g is out of range: it must be %s %.17g", v,
			    flags & JSON_MIN ? "at least" : "more than", field->min);
		return wrong(place, text_string(&text));
	}
	if (((flags & JSON_MAX) && v > field->max) || ((flags & JSON_BELOW) && v >= field->max)) {
		text_format(&text, "%.17g is out of range: it must be %s %.17g", v,
			    flags & JSON_MAX ? "at most" : "less than", field->max);
		return wrong(place, text_string(&text));
	}
	*ret_value = v;
	return 0;
}

static int read_interval(const cJSON *item, const struct place *place, double *target)
{
	const cJSON *end;
	size_t i = 0;

	if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 2)
		return expected(place, item, "an array of two numbers");
	cJSON_ArrayForEach(end, item)
	{
		if (!cJSON_IsNumber(end) && !cJSON_IsNull(end))
			return expected(place, end, "a number or null");
		target[i++] = cJSON_IsNumber(end) ? end->valuedouble : (double)NAN;
	}
	return 0;
}

/* Each list grows one by one, so that an error half-way leaves what the release frees. */
static int read_list(const cJSON *item, const struct json_field *field, const struct place *place, char *target)
{
	size_t *count = at(target, field->count);
	const cJSON *child;
	size_t n = (size_t)cJSON_GetArraySize(item);
	size_t size = field->type == JSON_OBJECTS    ? field->map->size
		      : field->type == JSON_INTEGERS ? sizeof(int64_t)
		      : field->type == JSON_DOUBLES  ? sizeof(double)
						     : sizeof(char *);

	if (!cJSON_IsArray(item))
		return expected(place, item, "an array");
	if ((field->flags & JSON_NOT_EMPTY) && n == 0)
		return wrong(place, "must have at least one item");
	if (*count > 0)
		return wrong(place, "is set twice");
	char *rows = mem_new(n, size);
	memcpy(at(target, field->offset), &rows, sizeof(rows));
	cJSON_ArrayForEach(child, item)
	{
		char path[PATH_LENGTH];
		set_path(path, "%s[%zu]", place->path, *count);
		struct place here = {place->file, path, place->err};
		char *row = rows + *count * size;
		struct json_field one = *field;
		double value = 0;
		int r;

		if (field->type == JSON_OBJECTS) {
			json_init_struct(field->map, row);
			++*count;
			r = json_read_struct(child, field->map, here.file, here.path, row, here.err);
		} else if (field->type == JSON_INTEGERS) {
			r = read_number(child, field, &here, true, &value);
			*(int64_t *)(void *)row = (int64_t)value;
			++*count;
		} else if (field->type == JSON_DOUBLES) {
			r = read_number(child, field, &here, false, (double *)(void *)row);
			++*count;
		} else {
			one.type = field->names ? JSON_WORD : JSON_STRING;
			++*count;
			r = read_string(child, &one, &here, (char **)(void *)row);
		}
		if (r < 0)
			return r;
	}
	return 0;
}

struct name_number {
	char *name;
	double value;
};

static int read_pairs(const cJSON *item, const struct json_field *field, const struct place *place, char *target)
{
	size_t *count = at(target, field->count);
	size_t n = (size_t)cJSON_GetArraySize(item);
	const cJSON *child;
	char **names = NULL, **values = NULL;
	struct name_number *numbers = NULL;

	if (!cJSON_IsObject(item))
		return expected(place, item, "an object");
	if (*count > 0)
		return wrong(place, "is set twice");
	if (field->type == JSON_PAIRS) {
		names = mem_new(n, sizeof(*names));
		values = mem_new(n, sizeof(*values));
		memcpy(at(target, field->offset), &names, sizeof(names));
		memcpy(at(target, field->second), &values, sizeof(values));
	} else {
		numbers = mem_new(n, sizeof(*numbers));
		memcpy(at(target, field->offset), &numbers, sizeof(numbers));
	}
	cJSON_ArrayForEach(child, item)
	{
		char path[PATH_LENGTH];
		set_path(path, "%s.%s", place->path, child->string);
		struct place here = {place->file, path, place->err};
		struct json_field one = *field;
		size_t i = (*count)++;
		int r;

		one.type = field->names ? JSON_WORD : JSON_STRING;
		if (numbers) {
			numbers[i].name = mem_dup_string(child->string);
			numbers[i].value = (double)NAN;
			r = cJSON_IsNull(child) ? 0 : read_number(child, field, &here, false, &numbers[i].value);
		} else {
			names[i] = mem_dup_string(child->string);
			r = read_string(child, &one, &here, &values[i]);
		}
		if (r < 0)
			return r;
	}
	return 0;
}

static int read_chars(const cJSON *item, const struct place *place, char *target)
{
	if (!cJSON_IsString(item))
		return expected(place, item, "a string");
	if (strlen(item->valuestring) > 64)
		return wrong(place, "expected a digest of 64 hex digits");
	memset(target, 0, 65);
	memcpy(target, item->valuestring, strlen(item->valuestring));
	return 0;
}

static int read_value(const cJSON *item, const struct json_field *field, const struct place *place, char *target)
{
	void *here = at(target, field->offset);
	double number = 0;
	int r, index = 0;

	if (cJSON_IsNull(item) && (field->flags & JSON_NULLABLE))
		return 0;
	switch (field->type) {
	case JSON_STRING:
	case JSON_WORD:
		return read_string(item, field, place, here);
	case JSON_ENUM:
		r = find_word(item, field, place, &index);
		if (r == 0)
			*(int *)here = index;
		return r;
	case JSON_INTEGER:
		r = read_number(item, field, place, true, &number);
		if (r == 0)
			*(int64_t *)here = (int64_t)number;
		return r;
	case JSON_NUMBER:
		return read_number(item, field, place, false, here);
	case JSON_BOOL:
		if (!cJSON_IsBool(item))
			return expected(place, item, "true or false");
		*(bool *)here = cJSON_IsTrue(item);
		return 0;
	case JSON_INTERVAL:
		return read_interval(item, place, here);
	case JSON_CHARS:
		return read_chars(item, place, here);
	case JSON_STRINGS:
	case JSON_INTEGERS:
	case JSON_DOUBLES:
	case JSON_OBJECTS:
		return read_list(item, field, place, target);
	case JSON_PAIRS:
	case JSON_NUMBERS:
		return read_pairs(item, field, place, target);
	case JSON_OBJECT:
		if (field->flags & JSON_PRESENT)
			*(bool *)at(target, field->second) = true;
		return json_read_struct(item, field->map, place->file, place->path, here, place->err);
	case JSON_CONST:
		r = read_number(item, field, place, true, &number);
		if (r == 0 && number != field->fallback)
			return wrong(place, "a value that this version does not know");
		return r;
	}
	return error_set(place->err, ERROR_INTERNAL, "a field of no type");
}

static int unknown_key(const struct json_map *map, const char *key, const struct place *place)
{
	CLEANUP(mem_free) const char **known = mem_new(map->n, sizeof(*known));

	for (size_t i = 0; i < map->n; i++)
		known[i] = map->fields[i].name;
	const char *near = nearest_name(key, known, map->n);
	if (near)
		return error_set(place->err, ERROR_DATA, "%s: %s: unknown key, did you mean '%s'?", place->file,
				 place->path, near);
	return wrong(place, "unknown key");
}

static const struct json_field *find_field(const struct json_map *map, const char *name)
{
	for (size_t i = 0; i < map->n; i++) {
		if (strcmp(map->fields[i].name, name) == 0)
			return &map->fields[i];
	}
	return NULL;
}

int json_read_struct(const cJSON *tree, const struct json_map *map, const char *file, const char *path, void *target,
		     struct error *err)
{
	struct place place = {file, path, err};
	const cJSON *item;

	if (!cJSON_IsObject(tree))
		return expected(&place, tree, "an object");
	cJSON_ArrayForEach(item, tree)
	{
		char below[PATH_LENGTH];
		set_path(below, "%s%s%s", path, *path ? "." : "", item->string);
		struct place here = {file, below, err};
		const struct json_field *field = find_field(map, item->string);
		int r = 0;

		if (field)
			r = read_value(item, field, &here, target);
		else if (!map->open)
			r = unknown_key(map, item->string, &here);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < map->n; i++) {
		if (!(map->fields[i].flags & JSON_REQUIRED) || json_get(tree, map->fields[i].name))
			continue;
		return error_set(err, ERROR_DATA, "%s: %s%srequired key '%s' is missing", file, path, *path ? ": " : "",
				 map->fields[i].name);
	}
	return 0;
}
