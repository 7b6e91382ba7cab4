#include "collect/recipe.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Every string goes with its length, so that no two recipes share a text. */
static void add_string(struct text *text, const char *key, const char *value)
{
	if (value)
		text_format(text, "%s %zu:%s\n", key, strlen(value), value);
}

static void add_integer(struct text *text, const char *key, int64_t value)
{
	text_format(text, "%s %lld\n", key, (long long)value);
}

static void add_list(struct text *text, const char *key, const struct string_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		add_string(text, key, list->items[i]);
}

struct pair {
	const char *name, *value;
};

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void add_map(struct text *text, const char *key, const struct string_map *map)
{
	CLEANUP(mem_free) struct pair *pairs = mem_new(map->n + 1, sizeof(*pairs));

	for (size_t i = 0; i < map->n; i++)
		pairs[i] = (struct pair){map->names[i], map->values[i]};
	qsort(pairs, map->n, sizeof(*pairs), compare_pairs);
	for (size_t i = 0; i < map->n; i++) {
		add_string(text, key, pairs[i].name);
		add_string(text, "=", pairs[i].value);
	}
}

static void add_harness(struct text *text, const struct plan_harness *harness)
{
	add_integer(text, "kind", harness->kind);
	add_integer(text, "nodes", harness->nodes);
	add_integer(text, "ranks", harness->ranks);
	add_string(text, "backend", harness->backend);
	add_string(text, "op", harness->op);
	add_string(text, "dtype", harness->dtype);
	add_string(text, "placement", harness->placement);
	for (size_t i = 0; i < harness->n_bytes; i++)
		add_integer(text, "bytes", harness->bytes[i]);
	add_integer(text, "warmup", harness->warmup);
	add_integer(text, "iterations", harness->iterations);
	add_list(text, "command", &harness->command);
	add_integer(text, "steps", harness->steps);
	add_integer(text, "discard", harness->discard);
	add_string(text, "format", harness->format);
	add_string(text, "pattern", harness->pattern);
	add_map(text, "units", &harness->units);
}

void recipe_digest(const struct plan *plan, const struct plan_harness *harness, const struct plan_setting *setting,
		   char ret_hex[DIGEST_HEX])
{
	CLEANUP(text_release) struct text text = {0};

	add_list(&text, "launcher.mpirun_args", &plan->launcher_mpirun_args);
	add_harness(&text, harness);
	add_map(&text, "env", &setting->env);
	add_list(&text, "args", &setting->args);
	add_list(&text, "mpirun_args", &setting->mpirun_args);
	digest_sha256(text.bytes, text.length, ret_hex);
}
