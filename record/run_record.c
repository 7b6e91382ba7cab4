/* Runs and notes: their tables, their life. */
#include "record/fields.h"

#include <stdlib.h>
#include <string.h>

static const struct json_field net_fields[] = {
	FIELD(run_net, "kind", JSON_WORD, kind, .names = net_kind_names),
	FIELD(run_net, "raw", JSON_STRING, raw, .flags = JSON_NULLABLE),
	FIELD(run_net, "plugin", JSON_STRING, plugin, .flags = JSON_NULLABLE),
	FIELD(run_net, "plugin_version", JSON_STRING, plugin_version, .flags = JSON_NULLABLE),
	FIELD(run_net, "ranks_reporting", JSON_INTEGER, ranks_reporting, .flags = 0),
};
const struct json_map run_net_map = MAP_OPEN(run_net, net_fields);

static const struct json_field factors_fields[] = {
	FIELD(run_factors, "cluster", JSON_STRING, cluster, .flags = 0),
	FIELD(run_factors, "ranks", JSON_INTEGER, ranks, .flags = 0),
	FIELD(run_factors, "nodes", JSON_INTEGER, nodes, .flags = 0),
	FIELD_STRINGS(run_factors, "hosts", hosts, .flags = JSON_OMIT_EMPTY),
	FIELD(run_factors, "micro_steps", JSON_INTEGER, micro_steps, .flags = 0),
	FIELD(run_factors, "global_batch", JSON_INTEGER, global_batch, .flags = 0),
	FIELD(run_factors, "micro_batch", JSON_INTEGER, micro_batch, .flags = 0),
	FIELD(run_factors, "net", JSON_OBJECT, net, .map = &run_net_map, .flags = JSON_OMIT_EMPTY),
	FIELD(run_factors, "nccl", JSON_STRING, nccl, .flags = 0),
	FIELD(run_factors, "algo", JSON_STRING, algo, .flags = 0),
	FIELD(run_factors, "proto", JSON_STRING, proto, .flags = 0),
	FIELD(run_factors, "channels", JSON_INTEGER, channels, .flags = 0),
	FIELD(run_factors, "debug", JSON_STRING, debug, .flags = 0),
	FIELD(run_factors, "dtype", JSON_STRING, dtype, .flags = 0),
	FIELD_PAIRS(run_factors, "env", env, .flags = JSON_OMIT_EMPTY),
	FIELD_STRINGS(run_factors, "collectives", collectives, .flags = JSON_OMIT_EMPTY),
	FIELD_PAIRS(run_factors, "more", more, .flags = JSON_OMIT_EMPTY),
};
static const struct json_map factors_map = MAP_OPEN(run_factors, factors_fields);

static const struct json_field table_fields[] = {
	FIELD(run_table, "name", JSON_STRING, name, .flags = JSON_REQUIRED),
	FIELD(run_table, "op", JSON_STRING, op, .flags = 0),
	FIELD(run_table, "dtype", JSON_STRING, dtype, .flags = 0),
	FIELD(run_table, "placement", JSON_STRING, placement, .flags = 0),
	FIELD(run_table, "statistic", JSON_STRING, statistic, .flags = 0),
	FIELD(run_table, "averaged_over", JSON_INTEGER, averaged_over, .flags = 0),
	FIELD_STRINGS(run_table, "columns", columns, .flags = JSON_REQUIRED | JSON_NOT_EMPTY),
	FIELD_STRINGS(run_table, "units", units, .flags = 0),
	FIELD(run_table, "rows", JSON_INTEGER, rows, .flags = JSON_REQUIRED | JSON_MIN | JSON_FALLBACK, .min = 0),
	FIELD(run_table, "discarded", JSON_INTEGER, discarded, .flags = JSON_MIN | JSON_FALLBACK, .min = 0),
	FIELD(run_table, "offset", JSON_INTEGER, offset, .flags = JSON_REQUIRED | JSON_MIN, .min = 0),
	FIELD(run_table, "sha256", JSON_CHARS, sha256, .flags = JSON_REQUIRED),
};
const struct json_map run_table_map = MAP_OPEN(run_table, table_fields);

static const struct json_field capture_fields[] = {
	FIELD(run_capture, "name", JSON_STRING, name, .flags = JSON_REQUIRED),
	FIELD(run_capture, "offset", JSON_INTEGER, offset, .flags = JSON_REQUIRED | JSON_MIN, .min = 0),
	FIELD(run_capture, "bytes", JSON_INTEGER, bytes, .flags = JSON_REQUIRED | JSON_MIN, .min = 0),
	FIELD(run_capture, "sha256", JSON_CHARS, sha256, .flags = JSON_REQUIRED),
	FIELD(run_capture, "cut", JSON_STRING, cut, .flags = 0),
};
static const struct json_map capture_map = MAP_OPEN(run_capture, capture_fields);

static const struct json_field source_fields[] = {
	FIELD(run_record, "file", JSON_STRING, source_file, .flags = 0),
	FIELD(run_record, "sha256", JSON_STRING, source_sha256, .flags = 0),
};
static const struct json_map source_map = MAP_OPEN(run_record, source_fields);

static const struct json_field run_fields[] = {
	FIELD(run_record, "id", JSON_STRING, id, .flags = JSON_REQUIRED),
	FIELD(run_record, "block", JSON_STRING, block, .flags = JSON_REQUIRED),
	FIELD(run_record, "position", JSON_INTEGER, position, .flags = 0),
	FIELD(run_record, "attempt", JSON_INTEGER, attempt, .flags = 0),
	FIELD(run_record, "harness", JSON_STRING, harness, .flags = JSON_REQUIRED),
	FIELD(run_record, "setting", JSON_STRING, setting, .flags = JSON_REQUIRED),
	FIELD(run_record, "role", JSON_ENUM, role, .names = run_role_names, .flags = JSON_REQUIRED),
	FIELD(run_record, "status", JSON_ENUM, status, .names = run_status_names, .flags = JSON_REQUIRED),
	FIELD(run_record, "reason", JSON_STRING, reason, .flags = 0),
	FIELD(run_record, "external", JSON_BOOL, external, .flags = 0),
	FIELD(run_record, "factors", JSON_OBJECT, factors, .map = &factors_map),
	FIELD_ROWS(run_record, "tables", JSON_OBJECTS, tables, n_tables, .map = &run_table_map),
	FIELD_ROWS(run_record, "captures", JSON_OBJECTS, captures, n_captures, .map = &capture_map),
	FIELD(run_record, "recipe", JSON_STRING, recipe, .flags = 0),
	FIELD_GROUP("source", &source_map, .flags = JSON_OMIT_EMPTY),
	FIELD(run_record, "started", JSON_STRING, started, .flags = 0),
	FIELD(run_record, "elapsed_s", JSON_NUMBER, elapsed_s, .flags = 0),
	FIELD_STRINGS(run_record, "flags", flags, .flags = JSON_OMIT_EMPTY),
};
const struct json_map run_record_map = MAP_OPEN(run_record, run_fields);

static const struct json_field note_fields[] = {
	FIELD(note_record, "on", JSON_STRING, on, .flags = JSON_REQUIRED),
	FIELD(note_record, "note", JSON_STRING, kind, .flags = 0),
	FIELD(note_record, "text", JSON_STRING, text, .flags = JSON_REQUIRED),
	FIELD(note_record, "time", JSON_STRING, time, .flags = 0),
	FIELD(note_record, "author", JSON_STRING, author, .flags = 0),
};
const struct json_map note_record_map = MAP_OPEN(note_record, note_fields);

struct run_record *run_record_new(void)
{
	struct run_record *run = mem_new(1, sizeof(*run));

	json_init_struct(&run_record_map, run);
	return run;
}

void run_record_free(struct run_record *run)
{
	if (!run)
		return;
	for (size_t i = 0; i < run->n_tables; i++)
		free(run->tables[i].values);
	json_release_struct(&run_record_map, run);
	free(run->segment);
	free(run);
}

struct run_table *run_record_add_table(struct run_record *run)
{
	struct run_table *table = record_add_row(&run->tables, &run->n_tables, sizeof(*table));

	json_init_struct(&run_table_map, table);
	return table;
}

int run_table_column(const struct run_table *table, const char *name)
{
	for (size_t i = 0; i < table->columns.n; i++) {
		if (strcmp(table->columns.items[i], name) == 0)
			return (int)i;
	}
	return -1;
}

void note_record_free(struct note_record *note)
{
	if (!note)
		return;
	json_release_struct(&note_record_map, note);
	free(note->segment);
	free(note);
}
