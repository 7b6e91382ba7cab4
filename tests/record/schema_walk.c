#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/record/schema_walk.h"

#include "base/file.h"
#include "record/fields.h"

#include <stdio.h>
#include <string.h>

#ifndef ASSAY_SOURCE_DIR
#define ASSAY_SOURCE_DIR "."
#endif

static cJSON *schema;
static const char *property_elsewhere;

static bool is_elsewhere(const char *name)
{
	return property_elsewhere && strcmp(name, property_elsewhere) == 0;
}

static const cJSON *resolve(const cJSON *node)
{
	const char *reference = json_get_string(node, "$ref");

	if (json_get(node, "anyOf"))
		return resolve(cJSON_GetArrayItem(json_get(node, "anyOf"), 0));
	if (!reference)
		return node;
	const cJSON *found = json_get(json_get(schema, "$defs"), strrchr(reference, '/') + 1);
	if (!found)
		fail_msg("no definition '%s'", reference);
	return found;
}

static const struct json_field *find(const struct json_map *map, const char *name)
{
	for (size_t i = 0; i < map->n; i++) {
		if (strcmp(map->fields[i].name, name) == 0)
			return &map->fields[i];
	}
	return NULL;
}

/* The schema's words and the table's are the same set; null is no word. */
static void compare_words(const cJSON *words, const struct json_field *field)
{
	const cJSON *word;
	size_t n = 0, known = 0;

	assert_non_null(field->names);
	cJSON_ArrayForEach(word, words)
	{
		bool found = cJSON_IsNull(word);

		n += !found;
		for (size_t i = 0; !found && field->names[i]; i++)
			found = strcmp(field->names[i], word->valuestring) == 0;
		if (!found)
			fail_msg("%s: '%s' is not in the table", field->name, word->valuestring);
	}
	for (size_t i = 0; field->names[i]; i++)
		known += *field->names[i] != '\0';
	if (n != known)
		fail_msg("%s: the table has words that the schema has not", field->name);
}

static bool has_type(const cJSON *node, const char *type)
{
	const cJSON *types = json_get(node, "type"), *one;

	if (cJSON_IsString(types))
		return strcmp(types->valuestring, type) == 0;
	cJSON_ArrayForEach(one, types)
	{
		if (strcmp(one->valuestring, type) == 0)
			return true;
	}
	return false;
}

static void compare_limit(const cJSON *node, const char *key, const struct json_field *field, unsigned flag,
			  double value)
{
	const cJSON *limit = json_get(node, key);

	if (!limit != !(field->flags & flag) || (limit && limit->valuedouble != value))
		fail_msg("%s: %s differs", field->name, key);
}

static void compare_object(const cJSON *node, const struct json_map *map, const char *path);

static void compare_field(const cJSON *raw, const struct json_field *field, const char *path)
{
	static const char *const types[] = {
		[JSON_STRING] = "string",   [JSON_WORD] = NULL,       [JSON_ENUM] = NULL,
		[JSON_INTEGER] = "integer", [JSON_NUMBER] = "number", [JSON_BOOL] = "boolean",
		[JSON_INTERVAL] = "array",  [JSON_CHARS] = "string",  [JSON_STRINGS] = "array",
		[JSON_INTEGERS] = "array",  [JSON_DOUBLES] = "array", [JSON_PAIRS] = "object",
		[JSON_NUMBERS] = "object",  [JSON_OBJECT] = "object", [JSON_OBJECTS] = "array",
		[JSON_CONST] = NULL,
	};
	const cJSON *node = resolve(raw), *items = json_get(node, "items");
	const cJSON *limits = field->type == JSON_INTEGERS ? items : node;
	char below[256];

	snprintf(below, sizeof(below), "%s.%s", path, field->name);
	if (types[field->type] && !has_type(node, types[field->type]))
		fail_msg("%s: type differs", below);
	if (field->type == JSON_WORD || field->type == JSON_ENUM)
		compare_words(json_get(node, "enum"), field);
	else if (json_get(node, "enum"))
		fail_msg("%s: the schema has an enum", below);
	if (field->type == JSON_STRINGS && json_get(resolve(items), "enum"))
		compare_words(json_get(resolve(items), "enum"), field);
	if (field->type == JSON_PAIRS && json_get(json_get(node, "additionalProperties"), "enum"))
		compare_words(json_get(json_get(node, "additionalProperties"), "enum"), field);
	compare_limit(limits, "minimum", field, JSON_MIN, field->min);
	compare_limit(limits, "exclusiveMinimum", field, JSON_ABOVE, field->min);
	compare_limit(limits, "maximum", field, JSON_MAX, field->max);
	compare_limit(limits, "exclusiveMaximum", field, JSON_BELOW, field->max);
	const char *pattern = json_get_string(node, "pattern");
	if (!pattern != !field->pattern || (pattern && strcmp(pattern, field->pattern) != 0))
		fail_msg("%s: pattern differs", below);
	const cJSON *otherwise = json_get(node, "default");
	if (cJSON_IsNumber(otherwise) && (!(field->flags & JSON_FALLBACK) || otherwise->valuedouble != field->fallback))
		fail_msg("%s: default differs", below);
	if (cJSON_IsBool(otherwise) && (double)cJSON_IsTrue(otherwise) != field->fallback)
		fail_msg("%s: default differs", below);
	if (cJSON_IsString(otherwise) &&
	    strcmp(field->text ? field->text : field->names[(int)field->fallback], otherwise->valuestring) != 0)
		fail_msg("%s: default differs", below);
	if (field->type != JSON_INTERVAL && !json_get(node, "minItems") != !(field->flags & JSON_NOT_EMPTY))
		fail_msg("%s: minItems differs", below);
	if (field->type == JSON_OBJECT)
		compare_object(node, field->map, below);
	if (field->type == JSON_OBJECTS)
		compare_object(resolve(items), field->map, below);
}

static bool is_required(const cJSON *node, const char *name)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_get(node, "required"))
	{
		if (strcmp(one->valuestring, name) == 0)
			return true;
	}
	return false;
}

static void compare_object(const cJSON *node, const struct json_map *map, const char *path)
{
	const cJSON *properties = json_get(node, "properties"), *property;

	cJSON_ArrayForEach(property, properties)
	{
		const struct json_field *field = find(map, property->string);

		if (!field && is_elsewhere(property->string))
			continue;
		if (!field)
			fail_msg("%s: the table has no '%s'", path, property->string);
		if (is_required(node, property->string) != !!(field->flags & JSON_REQUIRED))
			fail_msg("%s.%s: required differs", path, property->string);
		compare_field(property, field, path);
	}
	for (size_t i = 0; i < map->n; i++) {
		if (!json_get(properties, map->fields[i].name))
			fail_msg("%s: the schema has no '%s'", path, map->fields[i].name);
	}
	if (cJSON_IsFalse(json_get(node, "additionalProperties")) == map->open)
		fail_msg("%s: openness differs", path);
}

static void load_schema(const char *name)
{
	CLEANUP(mem_free) char *path = path_join(ASSAY_SOURCE_DIR, name);
	CLEANUP(mem_free) char *bytes = NULL;
	size_t n = 0;
	struct error err;

	if (file_read(path, &bytes, &n, &err) < 0 || json_parse(bytes, n, path, 1, &schema, &err) < 0)
		fail_msg("%s", err.message);
}

void schema_compare(const char *name, const struct json_map *map, const char *elsewhere)
{
	load_schema(name);
	property_elsewhere = elsewhere;
	compare_object(schema, map, "");
	json_free(schema);
	schema = NULL;
}
