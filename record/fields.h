/*
 * Rows of the field tables, and the tables that several files of this room share. Private to record/ and its tests.
 */
#ifndef RECORD_FIELDS_H
#define RECORD_FIELDS_H

#include "assay/record.h"
#include "base/json.h"

#include <stddef.h>

/* The last arguments are designated initialisers, at least `.flags = ...`. */
#define FIELD(owner, key, kind, member, ...)                                                         \
	{                                                                                            \
		.name = (key), .type = (kind), .offset = offsetof(struct owner, member), __VA_ARGS__ \
	}
/* A struct string_list. */
#define FIELD_STRINGS(owner, key, member, ...)                                                       \
	{                                                                                            \
		.name = (key), .type = JSON_STRINGS, .offset = offsetof(struct owner, member.items), \
		.count = offsetof(struct owner, member.n), __VA_ARGS__                               \
	}
/* A struct string_map. */
#define FIELD_PAIRS(owner, key, member, ...)                                                                \
	{                                                                                                   \
		.name = (key), .type = JSON_PAIRS, .offset = offsetof(struct owner, member.names),          \
		.second = offsetof(struct owner, member.values), .count = offsetof(struct owner, member.n), \
		__VA_ARGS__                                                                                 \
	}
/* Rows and their count. */
#define FIELD_ROWS(owner, key, kind, member, number, ...)                                \
	{                                                                                \
		.name = (key), .type = (kind), .offset = offsetof(struct owner, member), \
		.count = offsetof(struct owner, number), __VA_ARGS__                     \
	}
/* An object whose keys are members of the same struct. */
#define FIELD_GROUP(key, table, ...)                                                         \
	{                                                                                    \
		.name = (key), .type = JSON_OBJECT, .offset = 0, .map = (table), __VA_ARGS__ \
	}

#define MAP(owner, table)                                                                                \
	{                                                                                                \
		.fields = (table), .n = sizeof(table) / sizeof((table)[0]), .size = sizeof(struct owner) \
	}
#define MAP_OPEN(owner, table)                                                                                         \
	{                                                                                                              \
		.fields = (table), .n = sizeof(table) / sizeof((table)[0]), .size = sizeof(struct owner), .open = true \
	}

extern const struct json_map plan_map, plan_design_map;
extern const struct json_map run_record_map, run_table_map, run_net_map, note_record_map, block_record_map,
	host_record_map;
extern const struct json_map analysis_doc_map, doc_harness_map, doc_floor_map, doc_run_map, doc_lost_run_map,
	doc_effect_map, doc_void_map, doc_relabelled_map, doc_network_map, doc_confound_map, doc_drift_map,
	doc_fraction_map, doc_fraction_fit_map, doc_loss_pair_map, doc_inference_map, doc_parity_map,
	doc_parity_setting_map, doc_curve_point_map, doc_spread_map, doc_throughput_map, doc_scaling_map,
	doc_scaling_point_map, doc_trace_map, doc_price_map, doc_cost_map, doc_note_map, doc_question_map,
	doc_finding_map, campaign_input_map;

extern const char *const run_role_names[], *const run_status_names[], *const net_kind_names[];

/** Room for one more row: the moved array's new row, zeroed; *n grows. */
void *record_add_row(void *array_pointer, size_t *n, size_t size);

#endif
