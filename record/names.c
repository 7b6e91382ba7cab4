/* Lists and maps of strings; the names of enums; names of networks. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "record/fields.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void *record_add_row(void *array_pointer, size_t *n, size_t size)
{
	char *rows;
	size_t capacity = *n;

	memcpy(&rows, array_pointer, sizeof(rows));
	rows = mem_grow(rows, &capacity, *n + 1, size);
	memcpy(array_pointer, &rows, sizeof(rows));
	memset(rows + *n * size, 0, size);
	return rows + (*n)++ * size;
}

const char *string_map_get(const struct string_map *map, const char *name)
{
	for (size_t i = 0; i < map->n; i++) {
		if (strcmp(map->names[i], name) == 0)
			return map->values[i];
	}
	return NULL;
}

void string_map_set(struct string_map *map, const char *name, const char *value)
{
	for (size_t i = 0; i < map->n; i++) {
		if (strcmp(map->names[i], name) != 0)
			continue;
		char *copy = mem_dup_string(value);
		free(map->values[i]);
		map->values[i] = copy;
		return;
	}

	size_t n = map->n;
	char **last_name = record_add_row(&map->names, &n, sizeof(*map->names));
	char **last_value = record_add_row(&map->values, &map->n, sizeof(*map->values));
	*last_name = mem_dup_string(name);
	*last_value = mem_dup_string(value);
}

void string_list_add(struct string_list *list, const char *item)
{
	char **last = record_add_row(&list->items, &list->n, sizeof(*list->items));

	*last = mem_dup_string(item);
}

bool string_list_has(const struct string_list *list, const char *item)
{
	for (size_t i = 0; i < list->n; i++) {
		if (strcmp(list->items[i], item) == 0)
			return true;
	}
	return false;
}

void string_list_add_once(struct string_list *list, const char *item)
{
	if (!string_list_has(list, item))
		string_list_add(list, item);
}

char *string_list_join(const struct string_list *list)
{
	CLEANUP(text_release) struct text text = {0};

	for (size_t i = 0; i < list->n; i++)
		text_format(&text, "%s%s", i > 0 ? ", " : "", list->items[i]);
	return text_take(&text);
}

void string_list_release(struct string_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct string_list){0};
}

const char *const run_role_names[] = {"arm", "settle", "sentinel", NULL};
const char *const run_status_names[] = {"ok",        "crash",     "oom",           "timeout", "wrong",
					"truncated", "cancelled", "launch_failed", NULL};
const char *const net_kind_names[] = {"socket", "ib",  "libfabric", "gib",   "fastrak", "ibext",
				      "shm",    "tcp", "other",     "mixed", "unknown", NULL};

const char *run_role_name(enum run_role role)
{
	return run_role_names[role];
}

const char *run_status_name(enum run_status status)
{
	return run_status_names[status];
}

static int find_name(const char *name, const char *const *names)
{
	for (int i = 0; name && names[i]; i++) {
		if (strcmp(names[i], name) == 0)
			return i;
	}
	return -1;
}

int run_status_parse(const char *name, enum run_status *ret_status)
{
	int i = find_name(name, run_status_names);

	if (i < 0)
		return -1;
	*ret_status = (enum run_status)i;
	return 0;
}

int run_role_parse(const char *name, enum run_role *ret_role)
{
	int i = find_name(name, run_role_names);

	if (i < 0)
		return -1;
	*ret_role = (enum run_role)i;
	return 0;
}

/* What a raw name holds, first match wins; the longer names before those that they contain. */
static const struct {
	const char *part, *kind;
} net_parts[] = {
	{"libfabric", "libfabric"},
	{"ofi", "libfabric"},
	{"efa", "libfabric"},
	{"fastrak", "fastrak"},
	{"tcpxo", "fastrak"},
	{"ibext", "ibext"},
	{"gib", "gib"},
	{"socket", "socket"},
	{"tcp", "tcp"},
	{"shm", "shm"},
	{"mixed", "mixed"},
	{"unknown", "unknown"},
	{"infiniband", "ib"},
	{"roce", "ib"},
};

const char *run_net_kind(const char *raw)
{
	if (!raw || !*raw)
		return "unknown";
	if (strncasecmp(raw, "ib", 2) == 0 && !isalnum((unsigned char)raw[2]))
		return "ib";
	for (size_t i = 0; i < sizeof(net_parts) / sizeof(net_parts[0]); i++) {
		if (strcasestr(raw, net_parts[i].part))
			return net_parts[i].kind;
	}
	return "other";
}
