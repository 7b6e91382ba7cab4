/* The keys of campaign.json; campaign.schema.json says the same, and a test compares the two. */
#include "record/fields.h"

#define NAME_PATTERN "^[a-z0-9][a-z0-9._-]{0,63}$"
#define AT_LEAST(least) .flags = JSON_MIN, .min = (least)
#define MORE_THAN_0 .flags = JSON_ABOVE, .min = 0
#define AT_LEAST_OR(least, otherwise) .flags = JSON_MIN | JSON_FALLBACK, .min = (least), .fallback = (otherwise)

static const char *const kind_names[] = {"bench", "slice", NULL};
static const char *const nature_names[] = {"tuning", "defect", NULL};
static const char *const order_names[] = {"interleaved", "abba", "as_listed", NULL};
static const char *const direction_names[] = {"", "faster", "slower", "none", NULL};
static const char *const backend_names[] = {"mpi", "nccl", NULL};
static const char *const op_names[] = {"allreduce", "allgather", "reducescatter", "broadcast",
				       "reduce",    "alltoall",  "sendrecv",      NULL};
static const char *const dtype_names[] = {"float32",     "float16", "bfloat16", "float8_e4m3",
					  "float8_e5m2", "float64", "int32",    NULL};
static const char *const placement_names[] = {"out_of_place", "in_place", NULL};
static const char *const unit_names[] = {"s", "ms", "us", "tokens/s", "images/s", "samples/s", "steps/s", "1", NULL};
static const char *const probe_names[] = {
	"more_bandwidth", "less_bandwidth", "less_latency", "more_channels", "fewer_hops", "fewer_launches", NULL};
static const char *const launcher_names[] = {"local", "slurm", "pbs", NULL};

static const struct json_field design_fields[] = {
	FIELD(plan_design, "blocks", JSON_INTEGER, blocks, AT_LEAST_OR(1, 4)),
	FIELD(plan_design, "runs_per_arm", JSON_INTEGER, runs_per_arm, AT_LEAST_OR(1, 1)),
	FIELD(plan_design, "order", JSON_ENUM, order, .names = order_names, .flags = JSON_FALLBACK),
	FIELD(plan_design, "settle_runs", JSON_INTEGER, settle_runs, AT_LEAST_OR(0, 1)),
	FIELD(plan_design, "sentinels", JSON_BOOL, sentinels, .flags = JSON_FALLBACK, .fallback = 1),
	FIELD(plan_design, "aa_pairs", JSON_INTEGER, aa_pairs, AT_LEAST_OR(0, 0)),
};
const struct json_map plan_design_map = MAP(plan_design, design_fields);

static const struct json_field expect_fields[] = {
	FIELD(plan_expect, "net", JSON_STRING, net, .flags = 0),
	FIELD(plan_expect, "net_plugin", JSON_STRING, net_plugin, .flags = 0),
	FIELD(plan_expect, "net_plugin_version", JSON_STRING, net_plugin_version, .flags = 0),
	FIELD(plan_expect, "algo", JSON_STRING, algo, .flags = 0),
	FIELD(plan_expect, "proto", JSON_STRING, proto, .flags = 0),
};
static const struct json_map expect_map = MAP(plan_expect, expect_fields);

#define EXPECT(owner)                                                                          \
	FIELD(owner, "expect", JSON_OBJECT, expect, .map = &expect_map, .flags = JSON_PRESENT, \
	      .second = offsetof(struct owner, expect.present))
#define DESIGN(owner)                                                                               \
	FIELD(owner, "design", JSON_OBJECT, design, .map = &plan_design_map, .flags = JSON_PRESENT, \
	      .second = offsetof(struct owner, design.present))

static const struct json_field overlap_fields[] = {
	FIELD(plan_harness, "micro_steps", JSON_INTEGER, overlap_micro_steps, .flags = 0),
	FIELD(plan_harness, "compute_s", JSON_NUMBER, overlap_compute_s, .flags = 0),
	FIELD(plan_harness, "buckets", JSON_INTEGER, overlap_buckets, .flags = 0),
};
static const struct json_map overlap_map = MAP(plan_harness, overlap_fields);

static const struct json_field harness_fields[] = {
	FIELD(plan_harness, "name", JSON_STRING, name, .flags = JSON_REQUIRED, .pattern = NAME_PATTERN),
	FIELD(plan_harness, "kind", JSON_ENUM, kind, .names = kind_names, .flags = JSON_REQUIRED),
	FIELD(plan_harness, "nodes", JSON_INTEGER, nodes, AT_LEAST(1)),
	FIELD(plan_harness, "ranks", JSON_INTEGER, ranks, AT_LEAST(1)),
	FIELD(plan_harness, "deadline_s", JSON_NUMBER, deadline_s, .flags = JSON_ABOVE | JSON_FALLBACK, .min = 0,
	      .fallback = 900),
	FIELD_STRINGS(plan_harness, "settings", settings, .flags = JSON_OMIT_EMPTY),
	FIELD(plan_harness, "backend", JSON_WORD, backend, .names = backend_names),
	FIELD(plan_harness, "op", JSON_WORD, op, .names = op_names),
	FIELD_ROWS(plan_harness, "bytes", JSON_INTEGERS, bytes, n_bytes, AT_LEAST(1)),
	FIELD(plan_harness, "headline_bytes", JSON_INTEGER, headline_bytes, AT_LEAST(1)),
	FIELD(plan_harness, "dtype", JSON_WORD, dtype, .names = dtype_names, .flags = JSON_FALLBACK, .text = "float32"),
	FIELD(plan_harness, "placement", JSON_WORD, placement, .names = placement_names, .flags = JSON_FALLBACK,
	      .text = "out_of_place"),
	FIELD(plan_harness, "warmup", JSON_INTEGER, warmup, AT_LEAST_OR(0, 5)),
	FIELD(plan_harness, "iterations", JSON_INTEGER, iterations, AT_LEAST_OR(1, 20)),
	FIELD_GROUP("overlap", &overlap_map, .flags = JSON_OMIT_EMPTY),
	FIELD(plan_harness, "line_rate_bytes_per_s", JSON_NUMBER, line_rate_bytes_per_s, MORE_THAN_0),
	FIELD_STRINGS(plan_harness, "command", command, .flags = JSON_OMIT_EMPTY),
	FIELD(plan_harness, "steps", JSON_INTEGER, steps, AT_LEAST(1)),
	FIELD(plan_harness, "discard", JSON_INTEGER, discard, AT_LEAST_OR(0, 0)),
	FIELD(plan_harness, "format", JSON_STRING, format, .flags = 0),
	FIELD(plan_harness, "pattern", JSON_STRING, pattern, .flags = 0),
	FIELD_PAIRS(plan_harness, "units", units, .names = unit_names, .flags = JSON_OMIT_EMPTY),
	FIELD(plan_harness, "global_batch", JSON_INTEGER, global_batch, AT_LEAST(1)),
	FIELD(plan_harness, "micro_batch", JSON_INTEGER, micro_batch, AT_LEAST(1)),
	FIELD(plan_harness, "micro_steps", JSON_INTEGER, micro_steps, AT_LEAST(1)),
	FIELD(plan_harness, "tokens_per_step", JSON_NUMBER, tokens_per_step, .flags = 0),
	FIELD(plan_harness, "flops_per_step", JSON_NUMBER, flops_per_step, .flags = 0),
	FIELD(plan_harness, "peak_flops_per_s", JSON_NUMBER, peak_flops_per_s, .flags = 0),
	FIELD(plan_harness, "production_warmup_steps", JSON_INTEGER, production_warmup_steps, AT_LEAST(0)),
	FIELD(plan_harness, "cluster", JSON_STRING, cluster, .flags = 0),
	DESIGN(plan_harness),
	FIELD(plan_harness, "peak_lr", JSON_NUMBER, peak_lr, MORE_THAN_0),
	FIELD(plan_harness, "allow_untrained", JSON_BOOL, allow_untrained, .flags = JSON_FALLBACK),
	FIELD(plan_harness, "regime", JSON_STRING, regime, .flags = 0),
};
static const struct json_map harness_map = MAP(plan_harness, harness_fields);

static const struct json_field hypothesis_fields[] = {
	FIELD(plan_setting, "direction", JSON_ENUM, hypothesis, .names = direction_names, .flags = JSON_REQUIRED),
	FIELD(plan_setting, "because", JSON_STRING, hypothesis_because, .flags = 0),
};
static const struct json_map hypothesis_map = MAP(plan_setting, hypothesis_fields);

static const struct json_field setting_fields[] = {
	FIELD(plan_setting, "name", JSON_STRING, name, .flags = JSON_REQUIRED, .pattern = NAME_PATTERN),
	FIELD(plan_setting, "title", JSON_STRING, title, .flags = 0),
	FIELD_PAIRS(plan_setting, "env", env, .flags = JSON_OMIT_EMPTY),
	FIELD_STRINGS(plan_setting, "args", args, .flags = JSON_OMIT_EMPTY),
	FIELD_STRINGS(plan_setting, "mpirun_args", mpirun_args, .flags = JSON_OMIT_EMPTY),
	FIELD_STRINGS(plan_setting, "declares", declares, .flags = JSON_OMIT_EMPTY),
	EXPECT(plan_setting),
	FIELD(plan_setting, "quality_neutral", JSON_BOOL, quality_neutral, .flags = JSON_FALLBACK, .fallback = 1),
	FIELD(plan_setting, "payload_ratio", JSON_NUMBER, payload_ratio, MORE_THAN_0),
	FIELD(plan_setting, "control", JSON_STRING, control, .flags = 0),
	FIELD_STRINGS(plan_setting, "probes", probes, .names = probe_names, .flags = JSON_OMIT_EMPTY),
	FIELD(plan_setting, "nature", JSON_ENUM, nature, .names = nature_names, .flags = JSON_FALLBACK),
	FIELD_GROUP("hypothesis", &hypothesis_map, .flags = JSON_OMIT_EMPTY),
};
static const struct json_map setting_map = MAP(plan_setting, setting_fields);

static const struct json_field target_fields[] = {
	FIELD(plan, "nodes", JSON_INTEGER, target_nodes, AT_LEAST(1)),
	FIELD(plan, "ranks", JSON_INTEGER, target_ranks, AT_LEAST(1)),
	FIELD(plan, "micro_steps", JSON_INTEGER, target_micro_steps, AT_LEAST(1)),
};
static const struct json_map target_map = MAP(plan, target_fields);

static const struct json_field scaling_fields[] = {
	FIELD_STRINGS(plan_scaling, "harnesses", harnesses, .flags = JSON_REQUIRED),
	FIELD(plan_scaling, "reference", JSON_STRING, reference, .flags = JSON_REQUIRED),
	FIELD(plan_scaling, "setting", JSON_STRING, setting, .flags = 0),
};
static const struct json_map scaling_map = MAP(plan_scaling, scaling_fields);

static const struct json_field loss_pair_fields[] = {
	FIELD(plan_loss_pair, "setting", JSON_STRING, setting, .flags = JSON_REQUIRED),
	FIELD(plan_loss_pair, "harness", JSON_STRING, harness, .flags = JSON_REQUIRED),
	FIELD(plan_loss_pair, "steps", JSON_INTEGER, steps, AT_LEAST(1)),
	FIELD(plan_loss_pair, "tolerance_percent", JSON_NUMBER, tolerance_percent, .flags = JSON_REQUIRED | JSON_ABOVE,
	      .min = 0),
};
static const struct json_map loss_pair_map = MAP(plan_loss_pair, loss_pair_fields);

static const struct json_field pair_fields[] = {
	FIELD(plan_pair, "bench", JSON_STRING, bench, .flags = JSON_REQUIRED),
	FIELD(plan_pair, "slice", JSON_STRING, slice, .flags = JSON_REQUIRED),
};
static const struct json_map pair_map = MAP(plan_pair, pair_fields);

static const struct json_field launcher_fields[] = {
	FIELD(plan, "kind", JSON_WORD, launcher_kind, .names = launcher_names, .flags = JSON_REQUIRED),
	FIELD_STRINGS(plan, "mpirun_args", launcher_mpirun_args, .flags = JSON_OMIT_EMPTY),
	FIELD_STRINGS(plan, "srun_args", launcher_srun_args, .flags = JSON_OMIT_EMPTY),
	FIELD_STRINGS(plan, "submit_args", launcher_submit_args, .flags = JSON_OMIT_EMPTY),
};
static const struct json_map launcher_map = MAP(plan, launcher_fields);

static const struct json_field plan_fields[] = {
	FIELD(plan, "name", JSON_STRING, name, .flags = JSON_REQUIRED, .pattern = NAME_PATTERN),
	FIELD(plan, "question", JSON_STRING, question, .flags = JSON_FALLBACK, .text = ""),
	FIELD(plan, "cluster", JSON_STRING, cluster, .flags = JSON_FALLBACK, .text = ""),
	FIELD(plan, "margin_percent", JSON_NUMBER, margin_percent, .flags = JSON_ABOVE | JSON_BELOW | JSON_FALLBACK,
	      .min = 0, .max = 100, .fallback = 1),
	FIELD(plan, "seed", JSON_INTEGER, seed, .flags = JSON_MIN | JSON_MAX | JSON_FALLBACK, .min = 0,
	      .max = 9007199254740991.0, .fallback = 1),
	FIELD(plan, "control", JSON_STRING, control, .flags = JSON_REQUIRED),
	FIELD(plan, "cost_per_gpu_hour", JSON_NUMBER, cost_per_gpu_hour, AT_LEAST(0)),
	FIELD(plan, "use_gpu_hours_per_month", JSON_NUMBER, use_gpu_hours_per_month, AT_LEAST(0)),
	FIELD_GROUP("target", &target_map, .flags = JSON_OMIT_EMPTY),
	EXPECT(plan),
	FIELD_ROWS(plan, "harnesses", JSON_OBJECTS, harnesses, n_harnesses, .map = &harness_map,
		   .flags = JSON_REQUIRED | JSON_NOT_EMPTY),
	FIELD_ROWS(plan, "settings", JSON_OBJECTS, settings, n_settings, .map = &setting_map,
		   .flags = JSON_REQUIRED | JSON_NOT_EMPTY),
	FIELD_ROWS(plan, "scaling", JSON_OBJECTS, scaling, n_scaling, .map = &scaling_map, .flags = JSON_OMIT_EMPTY),
	FIELD_ROWS(plan, "loss_pair", JSON_OBJECTS, loss_pairs, n_loss_pairs, .map = &loss_pair_map,
		   .flags = JSON_OMIT_EMPTY),
	FIELD_ROWS(plan, "parity", JSON_OBJECTS, parity, n_parity, .map = &pair_map, .flags = JSON_OMIT_EMPTY),
	DESIGN(plan),
	FIELD_GROUP("launcher", &launcher_map, .flags = JSON_OMIT_EMPTY),
};
const struct json_map plan_map = MAP(plan, plan_fields);
