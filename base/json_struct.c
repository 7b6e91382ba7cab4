/* The other uses of the tables: empty structs, write, release. */
#include "base/json.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name_number {
	char *name;
	double value;
};

static void *at(void *target, size_t offset)
{
	return (char *)target + offset;
}

static const void *see(const void *source, size_t offset)
{
	return (const char *)source + offset;
}

static void *pointer_at(const void *source, size_t offset)
{
	void *p;

	memcpy(&p, see(source, offset), sizeof(p));
	return p;
}

static void clear_pointer(void *target, size_t offset)
{
	void *none = NULL;

	memcpy(at(target, offset), &none, sizeof(none));
}

void json_init_struct(const struct json_map *map, void *target)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct json_field *field = &map->fields[i];
		bool fallback = field->flags & JSON_FALLBACK;
		void *here = at(target, field->offset);
		char *copy = NULL;

		switch (field->type) {
		case JSON_STRING:
		case JSON_WORD:
			copy = fallback ? mem_dup_string(field->text) : NULL;
			memcpy(here, &copy, sizeof(copy));
			break;
		case JSON_ENUM:
			*(int *)here = fallback ? (int)field->fallback : 0;
			break;
		case JSON_INTEGER:
			*(int64_t *)here = fallback ? (int64_t)field->fallback : -1;
			break;
		case JSON_NUMBER:
			*(double *)here = fallback ? field->fallback : (double)NAN;
			break;
		case JSON_BOOL:
			*(bool *)here = fallback && field->fallback != 0;
			break;
		case JSON_INTERVAL:
			((double *)here)[0] = (double)NAN;
			((double *)here)[1] = (double)NAN;
			break;
		case JSON_CHARS:
			memset(here, 0, 65);
			break;
		case JSON_STRINGS:
		case JSON_INTEGERS:
		case JSON_DOUBLES:
		case JSON_OBJECTS:
		case JSON_PAIRS:
		case JSON_NUMBERS:
			clear_pointer(target, field->offset);
			if (field->type == JSON_PAIRS)
				clear_pointer(target, field->second);
			*(size_t *)at(target, field->count) = 0;
			break;
		case JSON_OBJECT:
			if (field->flags & JSON_PRESENT)
				*(bool *)at(target, field->second) = false;
			json_init_struct(field->map, here);
			break;
		case JSON_CONST:
			break;
		}
	}
}

static void free_strings(const void *source, size_t offset, size_t n)
{
	char **items = pointer_at(source, offset);

	for (size_t i = 0; i < n; i++)
		free(items[i]);
	free(items);
}

static void release_list(const struct json_field *field, void *target)
{
	size_t *count = at(target, field->count);
	char *rows = pointer_at(target, field->offset);

	switch (field->type) {
	case JSON_PAIRS:
		free_strings(target, field->second, *count);
		clear_pointer(target, field->second);
		free_strings(target, field->offset, *count);
		break;
	case JSON_STRINGS:
		free_strings(target, field->offset, *count);
		break;
	case JSON_NUMBERS:
		for (size_t i = 0; i < *count; i++)
			free(((struct name_number *)(void *)rows)[i].name);
		free(rows);
		break;
	case JSON_OBJECTS:
		for (size_t i = 0; i < *count; i++)
			json_release_struct(field->map, rows + i * field->map->size);
		free(rows);
		break;
	default:
		free(rows);
	}
	clear_pointer(target, field->offset);
	*count = 0;
}

void json_release_struct(const struct json_map *map, void *target)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct json_field *field = &map->fields[i];

		switch (field->type) {
		case JSON_STRING:
		case JSON_WORD:
			free(pointer_at(target, field->offset));
			clear_pointer(target, field->offset);
			break;
		case JSON_STRINGS:
		case JSON_INTEGERS:
		case JSON_DOUBLES:
		case JSON_OBJECTS:
		case JSON_PAIRS:
		case JSON_NUMBERS:
			release_list(field, target);
			break;
		case JSON_OBJECT:
			json_release_struct(field->map, at(target, field->offset));
			break;
		default:
			break;
		}
	}
}

static bool is_absent(const struct json_field *field, const void *source);

/* An object is absent when the struct says so, or when its first field is a string that is absent. */
static bool object_absent(const struct json_field *field, const void *source)
{
	const void *here = see(source, field->offset);
	const struct json_map *map = field->map;

	if (field->flags & JSON_PRESENT)
		return !*(const bool *)see(source, field->second);
	if ((field->flags & JSON_NULLABLE) && map->fields[0].type <= JSON_WORD)
		return is_absent(&map->fields[0], here);
	if (!(field->flags & JSON_OMIT_EMPTY))
		return false;
	for (size_t i = 0; i < map->n; i++) {
		if (!is_absent(&map->fields[i], here))
			return false;
	}
	return true;
}

static bool is_absent(const struct json_field *field, const void *source)
{
	const void *here = see(source, field->offset);

	switch (field->type) {
	case JSON_STRING:
	case JSON_WORD:
		return !pointer_at(source, field->offset);
	case JSON_ENUM:
		return !*field->names[*(const int *)here];
	case JSON_INTEGER:
		return *(const int64_t *)here == -1;
	case JSON_NUMBER:
		return !isfinite(*(const double *)here);
	case JSON_INTERVAL:
		return !isfinite(((const double *)here)[0]) && !isfinite(((const double *)here)[1]);
	case JSON_CHARS:
		return !*(const char *)here;
	case JSON_BOOL:
		return (field->flags & JSON_OMIT_EMPTY) && !*(const bool *)here;
	case JSON_OBJECT:
		return object_absent(field, source);
	case JSON_CONST:
		return false;
	default:
		return (field->flags & JSON_OMIT_EMPTY) && *(const size_t *)see(source, field->count) == 0;
	}
}

static void write_list(struct json_writer *writer, const struct json_field *field, const void *source)
{
	size_t n = *(const size_t *)see(source, field->count);
	char *rows = pointer_at(source, field->offset);
	char **values = field->type == JSON_PAIRS ? pointer_at(source, field->second) : NULL;
	bool object = field->type == JSON_PAIRS || field->type == JSON_NUMBERS;

	if (object)
		json_write_begin_object(writer);
	else
		json_write_begin_array(writer);
	for (size_t i = 0; i < n; i++) {
		const struct name_number *number = (void *)rows;

		if (field->type == JSON_PAIRS)
			json_write_key_string(writer, ((char **)(void *)rows)[i], values[i]);
		else if (field->type == JSON_NUMBERS)
			json_write_key_number(writer, number[i].name, number[i].value);
		else if (field->type == JSON_STRINGS)
			json_write_string(writer, ((char **)(void *)rows)[i]);
		else if (field->type == JSON_INTEGERS)
			json_write_integer(writer, ((int64_t *)(void *)rows)[i]);
		else if (field->type == JSON_DOUBLES)
			json_write_number(writer, ((double *)(void *)rows)[i]);
		else
			json_write_struct(writer, field->map, rows + i * field->map->size);
	}
	if (object)
		json_write_end_object(writer);
	else
		json_write_end_array(writer);
}

static void write_value(struct json_writer *writer, const struct json_field *field, const void *source)
{
	const void *here = see(source, field->offset);

	switch (field->type) {
	case JSON_STRING:
	case JSON_WORD:
		json_write_string(writer, pointer_at(source, field->offset));
		break;
	case JSON_ENUM:
		json_write_string(writer, field->names[*(const int *)here]);
		break;
	case JSON_INTEGER:
		json_write_integer(writer, *(const int64_t *)here);
		break;
	case JSON_NUMBER:
		json_write_number(writer, *(const double *)here);
		break;
	case JSON_BOOL:
		json_write_bool(writer, *(const bool *)here);
		break;
	case JSON_INTERVAL:
		json_write_begin_array(writer);
		json_write_number(writer, ((const double *)here)[0]);
		json_write_number(writer, ((const double *)here)[1]);
		json_write_end_array(writer);
		break;
	case JSON_CHARS:
		json_write_string(writer, here);
		break;
	case JSON_OBJECT:
		json_write_struct(writer, field->map, here);
		break;
	case JSON_CONST:
		json_write_integer(writer, (int64_t)field->fallback);
		break;
	default:
		write_list(writer, field, source);
	}
}

/* The reason of a null, unless the struct holds one that its own field writes. */
static void write_reason(struct json_writer *writer, const struct json_map *map, const struct json_field *field,
			 const void *source)
{
	char name[128];

	snprintf(name, sizeof(name), "%s_reason", field->name);
	for (size_t i = 0; i < map->n; i++) {
		if (strcmp(map->fields[i].name, name) == 0 && !is_absent(&map->fields[i], source))
			return;
	}
	json_write_key_string(writer, name, "not determined");
}

void json_write_fields(struct json_writer *writer, const struct json_map *map, const void *source)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct json_field *field = &map->fields[i];
		bool absent = is_absent(field, source);

		if (absent && !(field->flags & (JSON_NULLABLE | JSON_REQUIRED)))
			continue;
		json_write_key(writer, field->name);
		if (!absent) {
			write_value(writer, field, source);
		} else if (!(field->flags & JSON_NULLABLE) && field->type <= JSON_WORD) {
			json_write_string(writer, "");
		} else if (!(field->flags & JSON_NULLABLE) &&
			   (field->type > JSON_INTERVAL || field->type == JSON_INTEGER)) {
			write_value(writer, field, source);
		} else {
			json_write_null(writer);
		}
		if (absent && (field->flags & JSON_REASON))
			write_reason(writer, map, field, source);
	}
}

void json_write_struct(struct json_writer *writer, const struct json_map *map, const void *source)
{
	json_write_begin_object(writer);
	json_write_fields(writer, map, source);
	json_write_end_object(writer);
}
