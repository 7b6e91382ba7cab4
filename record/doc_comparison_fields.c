/* The keys of analysis.json that set harnesses side by side: parity, spread, throughput, scaling, traces, price. */
#include "record/fields.h"

#define REQUIRED .flags = JSON_REQUIRED
/* A number that may be undefined: null, and why. */
#define NUM .flags = JSON_NULLABLE | JSON_REASON
#define OR_NULL .flags = JSON_NULLABLE
#define COUNT .flags = JSON_FALLBACK

static const char *const set_names[] = {"bounded", "exclusive", "half_line", "whole_line", NULL};
static const char *const class_names[] = {"production_only",
					  "benchmark_only",
					  "unreadable",
					  "reverses",
					  "missed_by_benchmark",
					  "null_in_both",
					  "null_in_production",
					  "transfers",
					  "amplified",
					  "attenuated",
					  NULL};
static const char *const spread_names[] = {"within_job", "cross_job", NULL};

static const struct json_field ratio_set_fields[] = {
	FIELD(doc_ratio_set, "type", JSON_WORD, type, .names = set_names, REQUIRED),
	FIELD(doc_ratio_set, "lo", JSON_NUMBER, lo, OR_NULL),
	FIELD(doc_ratio_set, "hi", JSON_NUMBER, hi, OR_NULL),
	FIELD(doc_ratio_set, "df", JSON_NUMBER, df, OR_NULL),
};
static const struct json_map ratio_set_map = MAP_OPEN(doc_ratio_set, ratio_set_fields);

#define SIDE(prefix)                                                                                               \
	FIELD(doc_parity_setting, #prefix "_log_gain", JSON_NUMBER, prefix##_log_gain, NUM),                       \
		FIELD(doc_parity_setting, #prefix "_percent", JSON_NUMBER, prefix##_percent, OR_NULL),             \
		FIELD(doc_parity_setting, #prefix "_ci95_percent", JSON_INTERVAL, prefix##_ci95_percent, OR_NULL), \
		FIELD(doc_parity_setting, #prefix "_verdict", JSON_STRING, prefix##_verdict, OR_NULL),             \
		FIELD(doc_parity_setting, #prefix "_lost", JSON_STRING, prefix##_lost, OR_NULL),                   \
		FIELD(doc_parity_setting, #prefix "_place", JSON_INTEGER, prefix##_place, OR_NULL),                \
		FIELD(doc_parity_setting, #prefix "_tied_from", JSON_INTEGER, prefix##_tied_from, OR_NULL),        \
		FIELD(doc_parity_setting, #prefix "_tied_to", JSON_INTEGER, prefix##_tied_to, OR_NULL)

static const struct json_field parity_setting_fields[] = {
	FIELD(doc_parity_setting, "setting", JSON_STRING, setting, REQUIRED),
	SIDE(x),
	SIDE(y),
	FIELD(doc_parity_setting, "ratio", JSON_NUMBER, ratio, NUM),
	FIELD(doc_parity_setting, "fieller", JSON_OBJECT, fieller, .map = &ratio_set_map, OR_NULL),
	FIELD(doc_parity_setting, "class", JSON_WORD, class_name, .names = class_names, REQUIRED),
	FIELD(doc_parity_setting, "why", JSON_STRING, why, OR_NULL),
	FIELD(doc_parity_setting, "resolved_agree", JSON_INTEGER, agree, COUNT),
	FIELD(doc_parity_setting, "resolved_reversed", JSON_INTEGER, reversed, COUNT),
	FIELD(doc_parity_setting, "unresolved", JSON_INTEGER, unresolved, COUNT),
};
const struct json_map doc_parity_setting_map = MAP_OPEN(doc_parity_setting, parity_setting_fields);

static const struct json_field ranking_fields[] = {
	FIELD(doc_parity_ranking, "settings", JSON_INTEGER, settings, COUNT),
	FIELD(doc_parity_ranking, "tau_b", JSON_NUMBER, tau_b, NUM),
	FIELD(doc_parity_ranking, "p_exact", JSON_NUMBER, p_exact, NUM),
	FIELD(doc_parity_ranking, "p_exact_reason", JSON_STRING, p_exact_reason, .flags = 0),
	FIELD(doc_parity_ranking, "spearman", JSON_NUMBER, spearman, NUM),
	FIELD(doc_parity_ranking, "resolved_agree", JSON_INTEGER, agree, COUNT),
	FIELD(doc_parity_ranking, "resolved_reversed", JSON_INTEGER, reversed, COUNT),
	FIELD(doc_parity_ranking, "unresolved", JSON_INTEGER, unresolved, COUNT),
};
static const struct json_map ranking_map = MAP_OPEN(doc_parity_ranking, ranking_fields);

static const struct json_field sentence_fields[] = {
	FIELD(doc_parity_sentence, "benchmark_wins", JSON_INTEGER, benchmark_wins, COUNT),
	FIELD(doc_parity_sentence, "win", JSON_INTEGER, win, COUNT),
	FIELD(doc_parity_sentence, "null", JSON_INTEGER, null, COUNT),
	FIELD(doc_parity_sentence, "harm", JSON_INTEGER, harm, COUNT),
	FIELD(doc_parity_sentence, "crashed", JSON_INTEGER, crashed, COUNT),
	FIELD(doc_parity_sentence, "other", JSON_INTEGER, other, COUNT),
	FIELD(doc_parity_sentence, "text", JSON_STRING, text, OR_NULL),
};
static const struct json_map sentence_map = MAP_OPEN(doc_parity_sentence, sentence_fields);

static const struct json_field slope_fields[] = {
	FIELD(doc_parity_slope, "n", JSON_INTEGER, n, COUNT),
	FIELD(doc_parity_slope, "slope", JSON_NUMBER, slope, NUM),
	FIELD(doc_parity_slope, "slope_reason", JSON_STRING, slope_reason, .flags = 0),
	FIELD(doc_parity_slope, "slope_ci95", JSON_INTERVAL, slope_ci95, OR_NULL),
	FIELD(doc_parity_slope, "leave_one_out", JSON_INTERVAL, leave_one_out, OR_NULL),
};
static const struct json_map slope_map = MAP_OPEN(doc_parity_slope, slope_fields);

static const struct json_field curve_point_fields[] = {
	FIELD(doc_curve_point, "x", JSON_NUMBER, x, REQUIRED),
	FIELD(doc_curve_point, "y", JSON_NUMBER, y, REQUIRED),
	FIELD(doc_curve_point, "lo", JSON_NUMBER, lo, OR_NULL),
	FIELD(doc_curve_point, "hi", JSON_NUMBER, hi, OR_NULL),
};
const struct json_map doc_curve_point_map = MAP_OPEN(doc_curve_point, curve_point_fields);

static const struct json_field amdahl_fields[] = {
	FIELD(doc_amdahl, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_amdahl, "f", JSON_NUMBER, f, OR_NULL),
	FIELD(doc_amdahl, "f_ci95", JSON_INTERVAL, f_ci95, OR_NULL),
	FIELD_ROWS(doc_amdahl, "points", JSON_OBJECTS, points, n_points, .map = &doc_curve_point_map, .flags = 0),
};
static const struct json_map amdahl_map = MAP_OPEN(doc_amdahl, amdahl_fields);

static const struct json_field parity_fields[] = {
	FIELD(doc_parity, "bench", JSON_STRING, bench, REQUIRED),
	FIELD(doc_parity, "slice", JSON_STRING, slice, REQUIRED),
	FIELD(doc_parity, "ranking", JSON_OBJECT, ranking, .map = &ranking_map, REQUIRED),
	FIELD_ROWS(doc_parity, "settings", JSON_OBJECTS, settings, n_settings, .map = &doc_parity_setting_map,
		   REQUIRED),
	FIELD(doc_parity, "sentence", JSON_OBJECT, sentence, .map = &sentence_map, .flags = 0),
	FIELD(doc_parity, "slope", JSON_OBJECT, slope, .map = &slope_map, .flags = 0),
	FIELD(doc_parity, "amdahl", JSON_OBJECT, amdahl, .map = &amdahl_map, OR_NULL),
	FIELD_STRINGS(doc_parity, "production_collectives", production_collectives, .flags = 0),
	FIELD_STRINGS(doc_parity, "benchmarked_collectives", benchmarked_collectives, .flags = 0),
	FIELD_STRINGS(doc_parity, "uncovered_collectives", uncovered_collectives, .flags = 0),
	FIELD(doc_parity, "coverage_reason", JSON_STRING, coverage_reason, OR_NULL),
};
const struct json_map doc_parity_map = MAP_OPEN(doc_parity, parity_fields);

static const struct json_field spread_fields[] = {
	FIELD(doc_spread, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_spread, "kind", JSON_WORD, kind, .names = spread_names, REQUIRED),
	FIELD(doc_spread, "runs", JSON_INTEGER, runs, COUNT),
	FIELD(doc_spread, "blocks", JSON_INTEGER, blocks, COUNT),
	FIELD_ROWS(doc_spread, "deviations_percent", JSON_DOUBLES, deviations_percent, n_deviations, .flags = 0),
	FIELD(doc_spread, "spread_percent", JSON_NUMBER, spread_percent, NUM),
	FIELD(doc_spread, "floor_percent", JSON_NUMBER, floor_percent, NUM),
	FIELD(doc_spread, "floor_low_percent", JSON_NUMBER, floor_low_percent, OR_NULL),
	FIELD(doc_spread, "floor_percent_reason", JSON_STRING, floor_percent_reason, .flags = 0),
	FIELD(doc_spread, "df", JSON_NUMBER, df, NUM),
	FIELD(doc_spread, "effects", JSON_INTEGER, effects, COUNT),
	FIELD(doc_spread, "above_floor", JSON_INTEGER, above_floor, OR_NULL),
};
const struct json_map doc_spread_map = MAP_OPEN(doc_spread, spread_fields);

static const struct json_field throughput_fields[] = {
	FIELD(doc_throughput, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_throughput, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_throughput, "unit", JSON_STRING, unit, REQUIRED),
	FIELD(doc_throughput, "ranks", JSON_INTEGER, ranks, OR_NULL),
	FIELD(doc_throughput, "runs", JSON_INTEGER, runs, COUNT),
	FIELD(doc_throughput, "blocks", JSON_INTEGER, blocks, COUNT),
	FIELD(doc_throughput, "median", JSON_NUMBER, median, NUM),
	FIELD(doc_throughput, "best", JSON_NUMBER, best, OR_NULL),
	FIELD(doc_throughput, "worst", JSON_NUMBER, worst, OR_NULL),
	FIELD(doc_throughput, "median_per_gpu", JSON_NUMBER, median_per_gpu, NUM),
	FIELD(doc_throughput, "best_per_gpu", JSON_NUMBER, best_per_gpu, OR_NULL),
	FIELD(doc_throughput, "worst_per_gpu", JSON_NUMBER, worst_per_gpu, OR_NULL),
	FIELD(doc_throughput, "change_percent", JSON_NUMBER, change_percent, OR_NULL),
	FIELD(doc_throughput, "ceiling_per_gpu", JSON_NUMBER, ceiling_per_gpu, OR_NULL),
	FIELD(doc_throughput, "ceiling_harness", JSON_STRING, ceiling_harness, OR_NULL),
};
const struct json_map doc_throughput_map = MAP_OPEN(doc_throughput, throughput_fields);

static const struct json_field scaling_point_fields[] = {
	FIELD(doc_scaling_point, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_scaling_point, "cluster", JSON_STRING, cluster, OR_NULL),
	FIELD(doc_scaling_point, "nodes", JSON_INTEGER, nodes, OR_NULL),
	FIELD(doc_scaling_point, "ranks", JSON_INTEGER, ranks, OR_NULL),
	FIELD(doc_scaling_point, "micro_steps", JSON_INTEGER, micro_steps, OR_NULL),
	FIELD(doc_scaling_point, "global_batch", JSON_INTEGER, global_batch, OR_NULL),
	FIELD(doc_scaling_point, "runs", JSON_INTEGER, runs, COUNT),
	FIELD(doc_scaling_point, "blocks", JSON_INTEGER, blocks, COUNT),
	FIELD(doc_scaling_point, "median", JSON_NUMBER, median, NUM),
	FIELD(doc_scaling_point, "best", JSON_NUMBER, best, OR_NULL),
	FIELD(doc_scaling_point, "worst", JSON_NUMBER, worst, OR_NULL),
	FIELD_ROWS(doc_scaling_point, "values", JSON_DOUBLES, values, n_values, .flags = 0),
	FIELD(doc_scaling_point, "lost_percent", JSON_NUMBER, lost_percent, NUM),
	FIELD(doc_scaling_point, "reference", JSON_BOOL, reference, .flags = 0),
	FIELD(doc_scaling_point, "confounded", JSON_BOOL, confounded, .flags = 0),
	FIELD_STRINGS(doc_scaling_point, "confounds", confounds, .flags = 0),
	FIELD(doc_scaling_point, "missing_control", JSON_STRING, missing_control, OR_NULL),
	FIELD(doc_scaling_point, "matched_control", JSON_STRING, matched_control, OR_NULL),
	FIELD(doc_scaling_point, "matched_lost_percent", JSON_NUMBER, matched_lost_percent, OR_NULL),
};
const struct json_map doc_scaling_point_map = MAP_OPEN(doc_scaling_point, scaling_point_fields);

static const struct json_field scaling_fields[] = {
	FIELD(doc_scaling, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_scaling, "reference", JSON_STRING, reference, REQUIRED),
	FIELD(doc_scaling, "unit", JSON_STRING, unit, OR_NULL),
	FIELD_ROWS(doc_scaling, "points", JSON_OBJECTS, points, n_points, .map = &doc_scaling_point_map, REQUIRED),
	FIELD(doc_scaling, "reason", JSON_STRING, reason, OR_NULL),
};
const struct json_map doc_scaling_map = MAP_OPEN(doc_scaling, scaling_fields);

static const struct json_field trace_fields[] = {
	FIELD(doc_trace, "run", JSON_STRING, run, REQUIRED),
	FIELD(doc_trace, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_trace, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_trace, "block", JSON_STRING, block, REQUIRED),
	FIELD(doc_trace, "role", JSON_WORD, role, .names = run_role_names, REQUIRED),
	FIELD(doc_trace, "steps", JSON_INTEGER, steps, COUNT),
	FIELD(doc_trace, "discarded", JSON_INTEGER, discarded, COUNT),
	FIELD(doc_trace, "steady_from", JSON_NUMBER, steady_from, OR_NULL),
	FIELD_ROWS(doc_trace, "step", JSON_DOUBLES, step, n_step, REQUIRED),
	FIELD_ROWS(doc_trace, "time_s", JSON_DOUBLES, time_s, n_time_s, REQUIRED),
};
const struct json_map doc_trace_map = MAP_OPEN(doc_trace, trace_fields);

static const struct json_field price_fields[] = {
	FIELD(doc_price, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_price, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_price, "gpu_hours_saved_month", JSON_NUMBER, gpu_hours_saved_month, NUM),
	FIELD(doc_price, "gpu_hours_saved_month_reason", JSON_STRING, gpu_hours_saved_month_reason, .flags = 0),
	FIELD(doc_price, "gpu_hours_saved_month_ci95", JSON_INTERVAL, gpu_hours_saved_month_ci95, OR_NULL),
	FIELD(doc_price, "gpu_hours_lost_month", JSON_NUMBER, gpu_hours_lost_month, OR_NULL),
	FIELD(doc_price, "money_saved_month", JSON_NUMBER, money_saved_month, OR_NULL),
	FIELD(doc_price, "money_lost_month", JSON_NUMBER, money_lost_month, OR_NULL),
};
const struct json_map doc_price_map = MAP_OPEN(doc_price, price_fields);

static const struct json_field cost_fields[] = {
	FIELD(doc_cost, "gpu_hours", JSON_NUMBER, gpu_hours, NUM),
	FIELD(doc_cost, "gpu_hours_reason", JSON_STRING, gpu_hours_reason, .flags = 0),
	FIELD(doc_cost, "money", JSON_NUMBER, money, NUM),
	FIELD(doc_cost, "money_reason", JSON_STRING, money_reason, .flags = 0),
};
const struct json_map doc_cost_map = MAP_OPEN(doc_cost, cost_fields);
