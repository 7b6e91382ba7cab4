/* The keys of analysis.json; analysis.schema.json says the same, and a test compares the two. */
#include "record/fields.h"

#define REQUIRED .flags = JSON_REQUIRED
/* A number that may be undefined: null, and why. */
#define NUM .flags = JSON_NULLABLE | JSON_REASON
#define OR_NULL .flags = JSON_NULLABLE
/* A count: 0 until it is set. */
#define COUNT .flags = JSON_FALLBACK
#define COUNT_REQUIRED .flags = JSON_FALLBACK | JSON_REQUIRED

static const char *const kind_names[] = {"bench", "slice", NULL};
static const char *const floor_names[] = {"within_block", "paired", "cross_job", "borrowed", NULL};
static const char *const design_names[] = {"paired", "one_block", "single_pair", "cross_job", NULL};
static const char *const verdict_names[] = {"void", "no_number",     "null",           "immaterial", "win",
					    "harm", "win_size_open", "harm_size_open", "unreadable", NULL};
static const char *const qualifier_names[] = {"provisional",
					      "interim",
					      "network_unverified",
					      "when_it_finishes",
					      "no_evidence_of_effect",
					      "not_quality_neutral",
					      "not_the_target",
					      "mixed_versions",
					      NULL};
static const char *const hypothesis_names[] = {"held", "refuted", "undecided", NULL};
static const char *const check_names[] = {"network", "confound", "drift", "steady", "untrained_loss", NULL};
static const char *const network_names[] = {"as_expected", "different", "mixed", "unverified", NULL};

static const char *const loss_names[] = {"inside", "outside", "cannot_tell", "void", NULL};

static const struct json_field input_fields[] = {
	FIELD(campaign_input, "segment", JSON_STRING, segment, REQUIRED),
	FIELD(campaign_input, "head_sum", JSON_CHARS, head_sum, REQUIRED),
	FIELD(campaign_input, "records", JSON_INTEGER, records, COUNT),
	FIELD(campaign_input, "torn", JSON_BOOL, torn, .flags = 0),
	FIELD(campaign_input, "simulated", JSON_BOOL, simulated, .flags = 0),
};
const struct json_map campaign_input_map = MAP_OPEN(campaign_input, input_fields);

static const struct json_field floor_fields[] = {
	FIELD(doc_floor, "kind", JSON_WORD, kind, .names = floor_names, REQUIRED),
	FIELD(doc_floor, "setting", JSON_STRING, setting, .flags = 0),
	FIELD(doc_floor, "percent", JSON_NUMBER, percent, .flags = JSON_REQUIRED | JSON_NULLABLE | JSON_REASON),
	FIELD(doc_floor, "percent_reason", JSON_STRING, percent_reason, .flags = 0),
	FIELD(doc_floor, "sd_log", JSON_NUMBER, sd_log, NUM),
	FIELD(doc_floor, "df", JSON_NUMBER, df, .flags = JSON_REQUIRED | JSON_NULLABLE | JSON_REASON),
	FIELD(doc_floor, "blocks", JSON_INTEGER, blocks, COUNT),
	FIELD(doc_floor, "runs", JSON_INTEGER, runs, COUNT),
	FIELD(doc_floor, "s_r", JSON_NUMBER, s_r, .flags = 0),
	FIELD(doc_floor, "s_L", JSON_NUMBER, s_l, .flags = 0),
	FIELD(doc_floor, "s_L2_raw", JSON_NUMBER, s_l2_raw, .flags = 0),
};
const struct json_map doc_floor_map = MAP_OPEN(doc_floor, floor_fields);

static const struct json_field harness_fields[] = {
	FIELD(doc_harness, "name", JSON_STRING, name, REQUIRED),
	FIELD(doc_harness, "kind", JSON_WORD, kind, .names = kind_names, REQUIRED),
	FIELD(doc_harness, "regime", JSON_STRING, regime, .flags = 0),
	FIELD(doc_harness, "runs", JSON_INTEGER, runs, COUNT_REQUIRED),
	FIELD(doc_harness, "completed", JSON_INTEGER, completed, COUNT_REQUIRED),
	FIELD(doc_harness, "statistic", JSON_STRING, statistic, .flags = 0),
	FIELD(doc_harness, "spread_percent", JSON_NUMBER, spread_percent, NUM),
	FIELD(doc_harness, "spread_n", JSON_INTEGER, spread_n, COUNT),
	FIELD(doc_harness, "cv_percent", JSON_NUMBER, cv_percent, NUM),
	FIELD(doc_harness, "cv_ci95_percent", JSON_INTERVAL, cv_ci95_percent, OR_NULL),
	FIELD(doc_harness, "unfloored", JSON_BOOL, unfloored, REQUIRED),
	FIELD_ROWS(doc_harness, "floors", JSON_OBJECTS, floors, n_floors, .map = &doc_floor_map, REQUIRED),
	FIELD(doc_harness, "nodes", JSON_INTEGER, nodes, OR_NULL),
	FIELD(doc_harness, "ranks", JSON_INTEGER, ranks, OR_NULL),
	FIELD(doc_harness, "micro_steps", JSON_INTEGER, micro_steps, OR_NULL),
	FIELD(doc_harness, "unit", JSON_STRING, unit, .flags = 0),
	FIELD(doc_harness, "note", JSON_STRING, note, .flags = 0),
};
const struct json_map doc_harness_map = MAP_OPEN(doc_harness, harness_fields);

static const struct json_field run_fields[] = {
	FIELD(doc_run, "id", JSON_STRING, id, REQUIRED),
	FIELD(doc_run, "segment", JSON_STRING, segment, .flags = 0),
	FIELD(doc_run, "block", JSON_STRING, block, REQUIRED),
	FIELD(doc_run, "position", JSON_INTEGER, position, OR_NULL),
	FIELD(doc_run, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_run, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_run, "observed", JSON_STRING, observed, OR_NULL),
	FIELD(doc_run, "role", JSON_WORD, role, .names = run_role_names, REQUIRED),
	FIELD(doc_run, "status", JSON_WORD, status, .names = run_status_names, REQUIRED),
	FIELD(doc_run, "reason", JSON_STRING, reason, OR_NULL),
	FIELD(doc_run, "external", JSON_BOOL, external, .flags = 0),
	FIELD(doc_run, "y", JSON_NUMBER, y, NUM),
	FIELD(doc_run, "y_reason", JSON_STRING, y_reason, .flags = 0),
	FIELD(doc_run, "units", JSON_INTEGER, units, OR_NULL),
	FIELD(doc_run, "discarded", JSON_INTEGER, discarded, COUNT),
	FIELD(doc_run, "source", JSON_STRING, source, .flags = 0),
	FIELD(doc_run, "net", JSON_OBJECT, net, .map = &run_net_map, OR_NULL),
	FIELD(doc_run, "started", JSON_STRING, started, OR_NULL),
};
const struct json_map doc_run_map = MAP_OPEN(doc_run, run_fields);

static const struct json_field lost_run_fields[] = {
	FIELD(doc_lost_run, "run", JSON_STRING, run, REQUIRED),
	FIELD(doc_lost_run, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_lost_run, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_lost_run, "block", JSON_STRING, block, REQUIRED),
	FIELD(doc_lost_run, "status", JSON_WORD, status, .names = run_status_names, REQUIRED),
	FIELD(doc_lost_run, "proof", JSON_STRING, proof, REQUIRED),
	FIELD(doc_lost_run, "external", JSON_BOOL, external, .flags = 0),
};
const struct json_map doc_lost_run_map = MAP_OPEN(doc_lost_run, lost_run_fields);

static const struct json_field effect_fields[] = {
	FIELD(doc_effect, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_effect, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_effect, "control", JSON_STRING, control, REQUIRED),
	FIELD(doc_effect, "relabelled", JSON_BOOL, relabelled, .flags = 0),
	FIELD(doc_effect, "design", JSON_WORD, design, .names = design_names, .flags = JSON_REQUIRED | JSON_NULLABLE),
	FIELD(doc_effect, "blocks", JSON_INTEGER, blocks, COUNT_REQUIRED),
	FIELD(doc_effect, "blocks_planned", JSON_INTEGER, blocks_planned, COUNT),
	FIELD(doc_effect, "runs", JSON_INTEGER, runs, COUNT),
	FIELD(doc_effect, "attempted", JSON_INTEGER, attempted, COUNT),
	FIELD(doc_effect, "completed", JSON_INTEGER, completed, COUNT),
	FIELD(doc_effect, "external", JSON_INTEGER, external, COUNT),
	FIELD(doc_effect, "completed_ci95", JSON_INTERVAL, completed_ci95, OR_NULL),
	FIELD(doc_effect, "mcnemar_p", JSON_NUMBER, mcnemar_p, NUM),
	FIELD(doc_effect, "mcnemar_p_with_void", JSON_NUMBER, mcnemar_p_with_void, NUM),
	FIELD(doc_effect, "log_gain", JSON_NUMBER, log_gain, NUM),
	FIELD(doc_effect, "gain_percent", JSON_NUMBER, gain_percent, NUM),
	FIELD(doc_effect, "ci95_percent", JSON_INTERVAL, ci95_percent, OR_NULL),
	FIELD(doc_effect, "ci90_percent", JSON_INTERVAL, ci90_percent, OR_NULL),
	FIELD(doc_effect, "df", JSON_NUMBER, df, NUM),
	FIELD(doc_effect, "p", JSON_NUMBER, p, NUM),
	FIELD(doc_effect, "p_holm", JSON_NUMBER, p_holm, NUM),
	FIELD(doc_effect, "floor", JSON_OBJECT, floor, .map = &doc_floor_map, OR_NULL),
	FIELD(doc_effect, "blocks_to_settle", JSON_NUMBER, blocks_to_settle, NUM),
	FIELD(doc_effect, "verdict", JSON_WORD, verdict, .names = verdict_names, REQUIRED),
	FIELD_STRINGS(doc_effect, "qualifiers", qualifiers, .names = qualifier_names, REQUIRED),
	FIELD(doc_effect, "adoptable", JSON_BOOL, adoptable, .flags = 0),
	FIELD_STRINGS(doc_effect, "reasons", reasons, REQUIRED),
	FIELD(doc_effect, "hypothesis", JSON_WORD, hypothesis, .names = hypothesis_names, OR_NULL),
	FIELD_ROWS(doc_effect, "log_gains", JSON_NUMBERS, log_gains, n_log_gains, .flags = 0),
	FIELD_STRINGS(doc_effect, "void_blocks", void_blocks, .flags = 0),
	FIELD_PAIRS(doc_effect, "holds_for", holds_for, .flags = 0),
};
const struct json_map doc_effect_map = MAP_OPEN(doc_effect, effect_fields);

static const struct json_field void_fields[] = {
	FIELD(doc_void, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_void, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_void, "block", JSON_STRING, block, REQUIRED),
	FIELD(doc_void, "check", JSON_WORD, check, .names = check_names, REQUIRED),
	FIELD(doc_void, "reason", JSON_STRING, reason, REQUIRED),
	FIELD(doc_void, "would_read_percent", JSON_NUMBER, would_read_percent, NUM),
};
const struct json_map doc_void_map = MAP_OPEN(doc_void, void_fields);

static const struct json_field relabelled_fields[] = {
	FIELD(doc_relabelled, "run", JSON_STRING, run, REQUIRED),
	FIELD(doc_relabelled, "declared", JSON_STRING, declared, REQUIRED),
	FIELD(doc_relabelled, "named", JSON_STRING, named, REQUIRED),
	FIELD(doc_relabelled, "evidence", JSON_STRING, evidence, REQUIRED),
};
const struct json_map doc_relabelled_map = MAP_OPEN(doc_relabelled, relabelled_fields);

static const struct json_field network_fields[] = {
	FIELD(doc_network, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_network, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_network, "runs", JSON_INTEGER, runs, COUNT),
	FIELD(doc_network, "net", JSON_OBJECT, net, .map = &run_net_map, OR_NULL),
	FIELD(doc_network, "expected", JSON_STRING, expected, OR_NULL),
	FIELD(doc_network, "status", JSON_WORD, status, .names = network_names, REQUIRED),
};
const struct json_map doc_network_map = MAP_OPEN(doc_network, network_fields);

static const struct json_field confound_fields[] = {
	FIELD(doc_confound, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_confound, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_confound, "factor", JSON_STRING, factor, REQUIRED),
	FIELD(doc_confound, "control", JSON_STRING, control, .flags = JSON_REQUIRED | JSON_NULLABLE),
	FIELD(doc_confound, "treatment", JSON_STRING, treatment, .flags = JSON_REQUIRED | JSON_NULLABLE),
	FIELD_STRINGS(doc_confound, "blocks", blocks, REQUIRED),
	FIELD(doc_confound, "voids", JSON_BOOL, voids, REQUIRED),
};
const struct json_map doc_confound_map = MAP_OPEN(doc_confound, confound_fields);

static const struct json_field drift_fields[] = {
	FIELD(doc_drift, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_drift, "blocks", JSON_INTEGER, blocks, COUNT),
	FIELD(doc_drift, "flagged", JSON_BOOL, flagged, REQUIRED),
	FIELD(doc_drift, "mean_log_change", JSON_NUMBER, mean_log_change, NUM),
	FIELD(doc_drift, "ci95_log", JSON_INTERVAL, ci95_log, OR_NULL),
	FIELD(doc_drift, "p", JSON_NUMBER, p, NUM),
};
const struct json_map doc_drift_map = MAP_OPEN(doc_drift, drift_fields);

static const struct json_field fraction_fields[] = {
	FIELD(doc_fraction, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_fraction, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_fraction, "control", JSON_STRING, control, REQUIRED),
	FIELD(doc_fraction, "payload_ratio", JSON_NUMBER, payload_ratio, REQUIRED),
	FIELD(doc_fraction, "blocks", JSON_INTEGER, blocks, COUNT),
	FIELD(doc_fraction, "f", JSON_NUMBER, f, .flags = JSON_REQUIRED | JSON_NULLABLE | JSON_REASON),
	FIELD(doc_fraction, "f_reason", JSON_STRING, f_reason, .flags = 0),
	FIELD(doc_fraction, "f_ci95", JSON_INTERVAL, f_ci95, OR_NULL),
	FIELD(doc_fraction, "f_ci95_delta", JSON_INTERVAL, f_ci95_delta, OR_NULL),
	FIELD(doc_fraction, "recovered", JSON_NUMBER, recovered, NUM),
	FIELD(doc_fraction, "recovered_ci95", JSON_INTERVAL, recovered_ci95, OR_NULL),
	FIELD(doc_fraction, "exposed", JSON_INTERVAL, exposed, OR_NULL),
	FIELD(doc_fraction, "total_at_least", JSON_NUMBER, total_at_least, NUM),
	FIELD(doc_fraction, "ceiling_percent", JSON_NUMBER, ceiling_percent, NUM),
	FIELD(doc_fraction, "ceiling_ci95_percent", JSON_INTERVAL, ceiling_ci95_percent, OR_NULL),
	FIELD(doc_fraction, "df", JSON_NUMBER, df, NUM),
	FIELD(doc_fraction, "model_violated", JSON_BOOL, model_violated, REQUIRED),
	FIELD(doc_fraction, "resolved", JSON_BOOL, resolved, REQUIRED),
	FIELD(doc_fraction, "reason", JSON_STRING, reason, OR_NULL),
	FIELD_STRINGS(doc_fraction, "assumptions", assumptions, REQUIRED),
};
const struct json_map doc_fraction_map = MAP_OPEN(doc_fraction, fraction_fields);

static const struct json_field fraction_fit_fields[] = {
	FIELD(doc_fraction_fit, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_fraction_fit, "control", JSON_STRING, control, REQUIRED),
	FIELD_ROWS(doc_fraction_fit, "ratios", JSON_NUMBERS, ratios, n_ratios, REQUIRED),
	FIELD(doc_fraction_fit, "blocks", JSON_INTEGER, blocks, COUNT),
	FIELD(doc_fraction_fit, "f", JSON_NUMBER, f, .flags = JSON_REQUIRED | JSON_NULLABLE | JSON_REASON),
	FIELD(doc_fraction_fit, "f_reason", JSON_STRING, f_reason, .flags = 0),
	FIELD(doc_fraction_fit, "f_ci95", JSON_INTERVAL, f_ci95, OR_NULL),
	FIELD(doc_fraction_fit, "df", JSON_NUMBER, df, NUM),
	FIELD(doc_fraction_fit, "equal_weights", JSON_BOOL, equal_weights, .flags = 0),
	FIELD(doc_fraction_fit, "hinge_difference", JSON_NUMBER, hinge_difference, NUM),
	FIELD(doc_fraction_fit, "hinge_ci95", JSON_INTERVAL, hinge_ci95, OR_NULL),
	FIELD(doc_fraction_fit, "hinge_p", JSON_NUMBER, hinge_p, NUM),
	FIELD(doc_fraction_fit, "hinge_found", JSON_BOOL, hinge_found, .flags = 0),
	FIELD(doc_fraction_fit, "model_violated", JSON_BOOL, model_violated, .flags = 0),
	FIELD(doc_fraction_fit, "reason", JSON_STRING, reason, .flags = JSON_NULLABLE),
	FIELD_STRINGS(doc_fraction_fit, "left_out", left_out, .flags = 0),
	FIELD_STRINGS(doc_fraction_fit, "assumptions", assumptions, REQUIRED),
};
const struct json_map doc_fraction_fit_map = MAP_OPEN(doc_fraction_fit, fraction_fit_fields);

static const struct json_field loss_pair_fields[] = {
	FIELD(doc_loss_pair, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_loss_pair, "setting", JSON_STRING, setting, REQUIRED),
	FIELD(doc_loss_pair, "control", JSON_STRING, control, REQUIRED),
	FIELD(doc_loss_pair, "blocks", JSON_INTEGER, blocks, COUNT),
	FIELD(doc_loss_pair, "steps", JSON_INTEGER, steps, COUNT),
	FIELD(doc_loss_pair, "last_step", JSON_INTEGER, last_step, OR_NULL),
	FIELD(doc_loss_pair, "control_loss", JSON_NUMBER, control_loss, NUM),
	FIELD(doc_loss_pair, "treatment_loss", JSON_NUMBER, treatment_loss, NUM),
	FIELD(doc_loss_pair, "difference_percent", JSON_NUMBER, difference_percent, NUM),
	FIELD(doc_loss_pair, "difference_ci95_percent", JSON_INTERVAL, difference_ci95_percent, OR_NULL),
	FIELD(doc_loss_pair, "tolerance_percent", JSON_NUMBER, tolerance_percent, REQUIRED),
	FIELD(doc_loss_pair, "verdict", JSON_WORD, verdict, .names = loss_names, REQUIRED),
	FIELD(doc_loss_pair, "reason", JSON_STRING, reason, OR_NULL),
};
const struct json_map doc_loss_pair_map = MAP_OPEN(doc_loss_pair, loss_pair_fields);

static const struct json_field note_fields[] = {
	FIELD(doc_note, "on", JSON_STRING, on, REQUIRED),        FIELD(doc_note, "kind", JSON_STRING, kind, .flags = 0),
	FIELD(doc_note, "text", JSON_STRING, text, REQUIRED),    FIELD(doc_note, "time", JSON_STRING, time, OR_NULL),
	FIELD(doc_note, "author", JSON_STRING, author, OR_NULL),
};
const struct json_map doc_note_map = MAP_OPEN(doc_note, note_fields);

static const struct json_field question_fields[] = {
	FIELD(doc_question, "code", JSON_STRING, code, REQUIRED),
	FIELD(doc_question, "subject", JSON_STRING, subject, REQUIRED),
	FIELD(doc_question, "text", JSON_STRING, text, REQUIRED),
	FIELD(doc_question, "settles", JSON_STRING, settles, REQUIRED),
};
const struct json_map doc_question_map = MAP_OPEN(doc_question, question_fields);

static const char *const implied_names[] = {"bandwidth_bound", "latency_bound", "contradictory", "undetermined", NULL};

static const struct json_field inference_fields[] = {
	FIELD(doc_inference, "harness", JSON_STRING, harness, REQUIRED),
	FIELD(doc_inference, "implies", JSON_WORD, implies, .names = implied_names, REQUIRED),
	FIELD_STRINGS(doc_inference, "supported_by", supported_by, REQUIRED),
	FIELD_STRINGS(doc_inference, "contradicted_by", contradicted_by, REQUIRED),
	FIELD_STRINGS(doc_inference, "explains", explains, REQUIRED),
	FIELD_STRINGS(doc_inference, "qualified_by", qualified_by, REQUIRED),
	FIELD_STRINGS(doc_inference, "within_tax", within_tax, REQUIRED),
};
const struct json_map doc_inference_map = MAP_OPEN(doc_inference, inference_fields);

static const struct json_field finding_fields[] = {
	FIELD(doc_finding, "code", JSON_STRING, code, REQUIRED, .pattern = "^[a-z0-9_]+$"),
	FIELD(doc_finding, "text", JSON_STRING, text, REQUIRED),
	FIELD_STRINGS(doc_finding, "paths", paths, REQUIRED),
};
const struct json_map doc_finding_map = MAP_OPEN(doc_finding, finding_fields);

static const struct json_field campaign_fields[] = {
	FIELD(analysis_doc, "name", JSON_STRING, name, REQUIRED),
	FIELD(analysis_doc, "question", JSON_STRING, question, .flags = 0),
	FIELD(analysis_doc, "cluster", JSON_STRING, cluster, .flags = 0),
	FIELD(analysis_doc, "margin_percent", JSON_NUMBER, margin_percent, REQUIRED),
	FIELD(analysis_doc, "control", JSON_STRING, control, REQUIRED),
	FIELD(analysis_doc, "plan_sha256", JSON_STRING, plan_sha256, REQUIRED),
	FIELD(analysis_doc, "simulated", JSON_BOOL, simulated, REQUIRED),
	FIELD(analysis_doc, "first_started", JSON_STRING, first_started, OR_NULL),
	FIELD(analysis_doc, "last_started", JSON_STRING, last_started, OR_NULL),
	FIELD_PAIRS(analysis_doc, "titles", titles, .flags = 0),
};
static const struct json_map campaign_map = MAP_OPEN(analysis_doc, campaign_fields);

#define LIST(key, member, number, table, ...) \
	FIELD_ROWS(analysis_doc, key, JSON_OBJECTS, member, number, .map = &table, __VA_ARGS__)

static const struct json_field doc_fields[] = {
	{.name = "format", .type = JSON_CONST, REQUIRED, .fallback = 1},
	FIELD_GROUP("campaign", &campaign_map, REQUIRED),
	LIST("inputs", inputs, n_inputs, campaign_input_map, REQUIRED),
	FIELD(analysis_doc, "seed", JSON_INTEGER, seed, .flags = JSON_REQUIRED | JSON_FALLBACK, .fallback = 1),
	FIELD_PAIRS(analysis_doc, "versions", versions, REQUIRED),
	LIST("harnesses", harnesses, n_harnesses, doc_harness_map, REQUIRED),
	LIST("runs", runs, n_runs, doc_run_map, REQUIRED),
	LIST("lost_runs", lost_runs, n_lost_runs, doc_lost_run_map, REQUIRED),
	LIST("effects", effects, n_effects, doc_effect_map, REQUIRED),
	LIST("void", voids, n_voids, doc_void_map, REQUIRED),
	LIST("relabelled", relabelled, n_relabelled, doc_relabelled_map, REQUIRED),
	LIST("network", networks, n_networks, doc_network_map, REQUIRED),
	LIST("confounds", confounds, n_confounds, doc_confound_map, .flags = 0),
	LIST("drift", drifts, n_drifts, doc_drift_map, .flags = 0),
	LIST("communication_fraction", fractions, n_fractions, doc_fraction_map, .flags = 0),
	LIST("communication_fraction_multi", fraction_fits, n_fraction_fits, doc_fraction_fit_map, .flags = 0),
	LIST("loss_pairs", loss_pairs, n_loss_pairs, doc_loss_pair_map, .flags = 0),
	LIST("inference", inferences, n_inferences, doc_inference_map, .flags = 0),
	LIST("parity", parities, n_parities, doc_parity_map, .flags = 0),
	LIST("spread", spreads, n_spreads, doc_spread_map, .flags = 0),
	LIST("throughput", throughputs, n_throughputs, doc_throughput_map, .flags = 0),
	LIST("scaling", scalings, n_scalings, doc_scaling_map, .flags = 0),
	LIST("traces", traces, n_traces, doc_trace_map, .flags = 0),
	FIELD(analysis_doc, "traces_left_out", JSON_INTEGER, traces_left_out, .flags = JSON_FALLBACK),
	LIST("price", prices, n_prices, doc_price_map, .flags = 0),
	FIELD(analysis_doc, "cost", JSON_OBJECT, cost, .map = &doc_cost_map, .flags = 0),
	FIELD_STRINGS(analysis_doc, "scope", scope, .flags = 0),
	LIST("decisions", decisions, n_decisions, doc_note_map, .flags = 0),
	LIST("corrections", corrections, n_corrections, doc_note_map, .flags = 0),
	LIST("open_questions", questions, n_questions, doc_question_map, REQUIRED),
	LIST("findings", findings, n_findings, doc_finding_map, REQUIRED),
};
const struct json_map analysis_doc_map = MAP_OPEN(analysis_doc, doc_fields);
