/*
 * The contracts: the plan people write, the campaign log that collection and import append to, and the analysis
 * document that the report formats. This room reads and writes them and checks their form. It knows no statistic and no
 * log format.
 *
 * Conventions: a number that is absent or null is NAN; a string that is absent or null is NULL; an integer that is
 * absent is -1 (RECORD_UNSET). Every list is an array with a count beside it.
 */
#ifndef ASSAY_RECORD_H
#define ASSAY_RECORD_H

#include "base/error.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_UNSET (-1)

struct string_list {
	char **items;
	size_t n;
};

/* Ordered name/value pairs: environment variables, units, versions. */
struct string_map {
	char **names;
	char **values;
	size_t n;
};

/** The value of a name, or NULL. */
const char *string_map_get(const struct string_map *map, const char *name);
void string_map_set(struct string_map *map, const char *name, const char *value);
void string_list_add(struct string_list *list, const char *item);
bool string_list_has(const struct string_list *list, const char *item);
/** Adds an item that is not there yet. */
void string_list_add_once(struct string_list *list, const char *item);
/** The items with commas between, on the heap. */
char *string_list_join(const struct string_list *list);
void string_list_release(struct string_list *list);
CLEANUP_VALUE(struct string_list, string_list_release)

/* ---- the plan: campaign.json, defined by campaign.schema.json ---- */

enum plan_kind { PLAN_BENCH, PLAN_SLICE };
enum plan_nature { PLAN_TUNING, PLAN_DEFECT };
enum plan_order { PLAN_INTERLEAVED, PLAN_ABBA, PLAN_AS_LISTED };
enum plan_direction { PLAN_NO_HYPOTHESIS, PLAN_FASTER, PLAN_SLOWER, PLAN_NONE };

struct plan_design {
	bool present;
	int64_t blocks, runs_per_arm, settle_runs, aa_pairs;
	enum plan_order order;
	bool sentinels;
};

struct plan_expect {
	bool present;
	char *net, *net_plugin, *net_plugin_version, *algo, *proto;
};

struct plan_harness {
	char *name;
	enum plan_kind kind;
	int64_t nodes, ranks;                   /* RECORD_UNSET when absent */
	double deadline_s;                      /* default 900 */
	struct string_list settings;            /* empty: all of the plan's */
	char *backend, *op, *dtype, *placement; /* dtype default "float32", placement "out_of_place" */
	int64_t *bytes;
	size_t n_bytes;
	int64_t headline_bytes;
	int64_t warmup, iterations;
	double line_rate_bytes_per_s;
	struct string_list command;
	int64_t steps, discard; /* discard default 0 */
	char *format, *pattern;
	struct string_map units;
	int64_t global_batch, micro_batch, micro_steps;
	double tokens_per_step, flops_per_step, peak_flops_per_s;
	int64_t production_warmup_steps;
	char *cluster;
	struct plan_design design; /* design.present false: the plan's; fields absent inside fall back to the plan's */
	double peak_lr;
	bool allow_untrained;
	char *regime;
	int64_t overlap_micro_steps, overlap_buckets;
	double overlap_compute_s;
};

struct plan_setting {
	char *name, *title; /* title NULL: use the name */
	struct string_map env;
	struct string_list args, mpirun_args, declares, probes;
	struct plan_expect expect;
	bool quality_neutral; /* default true */
	double payload_ratio; /* NAN when absent */
	char *control;        /* NULL: the plan's */
	enum plan_nature nature;
	enum plan_direction hypothesis;
	char *hypothesis_because;
};

struct plan_pair {
	char *bench, *slice;
};

struct plan_scaling {
	struct string_list harnesses;
	char *reference, *setting;
};

struct plan_loss_pair {
	char *setting, *harness;
	int64_t steps;
	double tolerance_percent;
};

struct plan {
	char *name, *question, *cluster, *control; /* question, cluster: "" when absent */
	double margin_percent;                     /* default 1 */
	int64_t seed;                              /* default 1 */
	double cost_per_gpu_hour, use_gpu_hours_per_month;
	int64_t target_nodes, target_ranks, target_micro_steps;
	struct plan_expect expect; /* holds for settings that expect nothing themselves */
	struct plan_harness *harnesses;
	size_t n_harnesses;
	struct plan_setting *settings;
	size_t n_settings;
	struct plan_pair *parity;
	size_t n_parity;
	struct plan_scaling *scaling;
	size_t n_scaling;
	struct plan_loss_pair *loss_pairs;
	size_t n_loss_pairs;
	struct plan_design
		design; /* blocks 4, runs_per_arm 1, interleaved, settle_runs 1, sentinels true, aa_pairs 0 */
	char *launcher_kind;
	struct string_list launcher_mpirun_args, launcher_srun_args, launcher_submit_args;
	char sha256[65]; /* digest of the file's bytes, hex */
};

/**
 * Read and check a plan: syntax (line named), unknown keys (nearest known one suggested), types, ranges, required keys,
 * patterns, enums as campaign.schema.json has them; then cross references (control and harness settings exist, names
 * unique, parity names a bench and a slice, headline_bytes there for imported benches is not required).
 *
 * @return 0; ERROR_DATA with file and JSON path; ERROR_ENVIRONMENT when the file cannot be read
 */
int plan_read(const char *path, struct plan **ret_plan, struct error *err);
void plan_free(struct plan *plan);
CLEANUP_POINTER(struct plan, plan_free)

const struct plan_harness *plan_harness_find(const struct plan *plan, const char *name);
const struct plan_setting *plan_setting_find(const struct plan *plan, const char *name);
/** The control setting's name of a setting (its own or the plan's). */
const char *plan_control_of(const struct plan *plan, const struct plan_setting *setting);
/** The blocks a harness plans (its own design's or the plan's). */
int64_t plan_blocks(const struct plan *plan, const struct plan_harness *harness);
/** Whether a harness runs a setting (its `settings`, or all when absent; its control always). */
bool plan_harness_runs(const struct plan *plan, const struct plan_harness *harness, const char *setting);

/* ---- one run, as the log records it ---- */

enum run_role { RUN_ARM, RUN_SETTLE, RUN_SENTINEL };
enum run_status {
	RUN_OK,
	RUN_CRASH,
	RUN_OOM,
	RUN_TIMEOUT,
	RUN_WRONG,
	RUN_TRUNCATED,
	RUN_CANCELLED,
	RUN_LAUNCH_FAILED,
};
const char *run_role_name(enum run_role role);
const char *run_status_name(enum run_status status);
int run_status_parse(const char *name, enum run_status *ret_status); /* -1 when unknown */
int run_role_parse(const char *name, enum run_role *ret_role);

/* The network a run reports; kind is one of socket ib libfabric gib fastrak ibext shm tcp other mixed unknown. */
struct run_net {
	char *kind, *raw, *plugin, *plugin_version;
	int64_t ranks_reporting;
};

/** The normalised kind of a raw network name ("AWS Libfabric" -> "libfabric", "IB" -> "ib", "Socket" -> "socket"). */
const char *run_net_kind(const char *raw);

struct run_factors {
	char *cluster;
	int64_t ranks, nodes;
	struct string_list hosts;
	int64_t micro_steps, global_batch, micro_batch;
	struct run_net net;
	char *nccl;         /* library version, "2.20.5" (build suffix cut), "rccl 2.22.3" for RCCL */
	char *algo, *proto; /* lower case; "mixed" when several were logged */
	int64_t channels;
	char *debug;                    /* "INFO", "TRACE", ... when the log shows one */
	char *dtype;                    /* bench: of the table read, normalised as in the plan ("float32") */
	struct string_map env;          /* allow-listed or set by the plan */
	struct string_list collectives; /* "allreduce", "allgather", ... seen in the log */
	struct string_map more; /* any further factor, name to printed value (tests_version, provider, tuner, ...) */
};

/* The statistic of rows that each give the mean since the first steps. */
#define RUN_STATISTIC_RUNNING "running_mean"
/* A column that is 1 in the kept rows whose response is left out, and 0 in the others. */
#define RUN_COLUMN_LEFT_OUT "left_out"

/* A table of samples in the .data file: rows x columns float64, row-major. `values` is loaded on request. */
struct run_table {
	char *name; /* "iterations" (slice steps), "summary" (slice, what a log gives once) or "sizes" (bench) */
	char *op, *dtype, *placement; /* bench only, one table a placement */
	char *statistic;              /* "mean", "median", "sample", "running_mean"; of the rows' response */
	int64_t averaged_over;        /* iterations behind a printed mean, or RECORD_UNSET */
	/* sizes: bytes,time_s. iterations: step, time_s and throughput or one of them, then what else was logged of
	 * loss, lr, samples, tokens, batch, tflops */
	struct string_list columns;
	struct string_list units;        /* one a column: "B" "s" "1" "images/s" "tokens/s" "samples/s" "steps/s" */
	int64_t rows, discarded, offset; /* discarded: rows at the head that are warm-up */
	char sha256[65];
	double *values; /* NULL until loaded; rows * columns.n */
};

struct run_capture {
	char *name;
	int64_t offset, bytes;
	char sha256[65];
	char *cut; /* what was cut out before storing (secrets), or NULL */
};

struct run_record {
	char *id, *block; /* id: <block>/<position>.<attempt> */
	int64_t position, attempt;
	char *harness, *setting;
	enum run_role role;
	enum run_status status;
	char *reason;  /* the proof line of a lost run, or NULL */
	bool external; /* lost by a cause outside the setting (launch failed, cancelled, node lost) */
	struct run_factors factors;
	struct run_table *tables;
	size_t n_tables;
	struct run_capture *captures;
	size_t n_captures;
	char *recipe; /* digest of what was run and how it was read, NULL: not collected by assay */
	char *source_file, *source_sha256;
	char *started; /* RFC 3339 or NULL */
	double elapsed_s;
	struct string_list flags; /* checks failed at import, in words */
	char *segment;            /* set by the reader: "import-1.1" */
};
void run_record_free(struct run_record *run);
CLEANUP_POINTER(struct run_record, run_record_free)
struct run_record *run_record_new(void); /* all integers RECORD_UNSET, numbers NAN */
struct run_table *run_record_add_table(struct run_record *run);
/** Index of a column by name, or -1. */
int run_table_column(const struct run_table *table, const char *name);

struct note_record {
	char *on;   /* run id, "<harness>/<setting>", or "campaign" */
	char *kind; /* "decision", "correction", "annotation" */
	char *text, *time, *author;
	char *segment;
};
void note_record_free(struct note_record *note);
CLEANUP_POINTER(struct note_record, note_record_free)

/* ---- what else the log records ---- */

/* The state of a host at one moment. */
struct host_interface {
	char *name;
	double speed_bytes_per_s; /* NAN: the driver does not say */
	int64_t mtu, rx_bytes, tx_bytes;
};

struct host_record {
	char *host, *run; /* run: the id it belongs to, NULL for none */
	char *when;       /* "before", "after" */
	char *time;       /* RFC 3339 */
	char *kernel, *cpu;
	int64_t cores, numa_nodes, memory_bytes, memory_available_bytes;
	double load_1min;
	char *mpi; /* "Open MPI 4.1.4", NULL when none is found */
	struct host_interface *interfaces;
	size_t n_interfaces;
};
void host_record_free(struct host_record *host);
CLEANUP_POINTER(struct host_record, host_record_free)
struct host_record *host_record_new(void);
struct host_interface *host_record_add_interface(struct host_record *host);

/* What a collector set out to do in a block. */
struct block_planned {
	int64_t position;
	char *harness, *setting;
	enum run_role role;
};

struct block_record {
	char *block, *time; /* RFC 3339 */
	int64_t seed;
	struct block_planned *planned;
	size_t n_planned;
};
void block_record_free(struct block_record *block);
CLEANUP_POINTER(struct block_record, block_record_free)
struct block_record *block_record_new(void);
struct block_planned *block_record_add_planned(struct block_record *block);

/* ---- the campaign log: log/<block>.<attempt>.jsonl and .data ---- */

struct segment_writer;

/**
 * Claim a new segment: log/<name>.<attempt>.jsonl by O_EXCL with the first free attempt, and write its `open` record.
 *
 * @param directory  the campaign's
 * @param name       block name or "import-<n>" or "note-<n>"; [A-Za-z0-9._-]
 * @return 0; ERROR_ENVIRONMENT (no permission, disk full)
 */
int segment_create(const char *directory, const char *name, const char *plan_sha256, struct segment_writer **ret_writer,
		   struct error *err);
/** Append bytes to the .data file, fsynced; their offset and digest come back. Call before the record that points
 * there. */
int segment_append_data(struct segment_writer *writer, const void *bytes, size_t n, int64_t *ret_offset,
			char ret_sha256[65], struct error *err);
/** Append a run: stores each table's `values` in .data first (filling offset, sha256), then the line, then fsync. */
int segment_append_run(struct segment_writer *writer, struct run_record *run, struct error *err);
int segment_append_note(struct segment_writer *writer, const struct note_record *note, struct error *err);
int segment_append_block(struct segment_writer *writer, const struct block_record *block, struct error *err);
int segment_append_host(struct segment_writer *writer, const struct host_record *host, struct error *err);
/** Every planned run of the block is recorded: nothing will be added. */
int segment_append_block_end(struct segment_writer *writer, const char *block, int64_t runs, struct error *err);
/** A segment of invented runs: its `open` record carries "simulated":true, and so does every page made of it. */
int segment_create_simulated(const char *directory, const char *name, const char *plan_sha256,
			     struct segment_writer **ret_writer, struct error *err);
const char *segment_name(const struct segment_writer *writer); /* "import-1.1" */
/** Remove a segment that its writer could not finish, so that half of an import never counts, and close it. */
void segment_abandon(struct segment_writer *writer);
void segment_close(struct segment_writer *writer);
CLEANUP_POINTER(struct segment_writer, segment_close)

/* A block that one process works on: an advisory lock on log/<block>.lock, which ends with its holder and the holder's
 * children. */
struct block_lock;

enum block_claim { BLOCK_CLAIMED, BLOCK_BUSY };

/**
 * Take a block, if no other process holds it; then move torn bytes of its earlier segments to <segment>.torn.
 *
 * @param ret_lock      when BLOCK_CLAIMED
 * @param ret_holder    when BLOCK_BUSY: "host, pid N" on the heap
 * @param ret_repaired  names of the segments that were torn, may be NULL
 * @return BLOCK_CLAIMED, BLOCK_BUSY, or ERROR_ENVIRONMENT
 */
int block_lock_claim(const char *directory, const char *block, struct block_lock **ret_lock, char **ret_holder,
		     struct string_list *ret_repaired, struct error *err);
void block_lock_release(struct block_lock *lock);
CLEANUP_POINTER(struct block_lock, block_lock_release)

struct campaign_input {
	char *segment;     /* "b1.1" */
	char head_sum[65]; /* the last line's sum */
	int64_t records;
	bool torn;      /* final bytes without newline were left alone */
	bool simulated; /* its `open` record says so */
};

struct campaign_visitor {
	int (*run)(void *context, struct run_record *run, struct error *err); /* takes no ownership; freed after */
	int (*note)(void *context, const struct note_record *note, struct error *err);
	int (*block)(void *context, const struct block_record *block, struct error *err);
	int (*block_end)(void *context, const char *block, struct error *err);
	int (*host)(void *context, const struct host_record *host, struct error *err);
	void *context;    /* a visit that is NULL passes over its records */
	bool load_tables; /* fill run_table.values and verify their sha256 */
};

/**
 * Read every segment of the campaign in name order (natural: import-2 before import-10), one line at a time: sums
 * verified, an edited line named (file and line), non-finite values in an ok run's kept rows rejected.
 *
 * @param ret_inputs, ret_n  the segments read; may be NULL
 * @return 0; what the visitor returned; ERROR_DATA with file:line; ERROR_ENVIRONMENT
 */
int campaign_log_each(const char *directory, const struct campaign_visitor *visitor, struct campaign_input **ret_inputs,
		      size_t *ret_n, struct error *err);
void campaign_inputs_free(struct campaign_input *inputs, size_t n);

/* ---- the analysis document: analysis.json, defined by analysis.schema.json ---- */

struct doc_interval {
	double lo, hi; /* NAN both: null */
};

struct doc_floor {
	char *kind; /* within_block paired cross_job borrowed; NULL: no floor */
	char *setting;
	double percent;
	char *percent_reason;
	double sd_log, df;
	int64_t blocks, runs;
	double s_r, s_l, s_l2_raw; /* cross_job only: components, logs; NAN when not defined */
};

struct doc_harness {
	char *name, *kind, *regime, *statistic; /* kind "bench" or "slice" */
	int64_t runs, completed;
	double spread_percent;
	int64_t spread_n;
	double cv_percent;
	struct doc_interval cv_ci95_percent;
	bool unfloored;
	struct doc_floor *floors;
	size_t n_floors;
	int64_t nodes, ranks,
		micro_steps; /* slices: as planned, else as every run reports; RECORD_UNSET when unknown */
	char *unit;          /* what y inverts: "s" or e.g. "images/s" (for pages) */
	char *note;          /* what the response leaves out, or NULL */
};

struct doc_run {
	char *id, *segment, *block, *harness, *setting, *observed;
	int64_t position;
	char *role, *status, *reason;
	bool external;
	double y;
	char *y_reason;
	int64_t units, discarded;
	char *source;
	struct run_net net;
	char *started;
};

struct doc_lost_run {
	char *run, *harness, *setting, *block, *status, *proof;
	bool external;
};

struct doc_block_gain {
	char *block;
	double log_gain;
};

struct doc_effect {
	char *harness, *setting, *control;
	bool relabelled;
	char *design; /* paired one_block single_pair cross_job, NULL */
	int64_t blocks, blocks_planned, runs, attempted, completed, external;
	struct doc_interval completed_ci95;
	double mcnemar_p, mcnemar_p_with_void;
	double log_gain, gain_percent;
	struct doc_interval ci95_percent, ci90_percent;
	double df, p, p_holm;
	struct doc_floor floor; /* kind NULL: null */
	double blocks_to_settle;
	char *verdict;
	struct string_list qualifiers, reasons;
	bool adoptable;
	char *hypothesis;                 /* held refuted undecided, NULL */
	struct doc_block_gain *log_gains; /* by block, usable pairs */
	size_t n_log_gains;
	struct string_list void_blocks;
	struct string_map holds_for; /* versions and shape that the verdict was read on */
};

struct doc_void {
	char *harness, *setting, *block, *check, *reason;
	double would_read_percent;
};

struct doc_relabelled {
	char *run, *declared, *named, *evidence;
};

struct doc_network {
	char *harness, *setting, *expected, *status;
	int64_t runs;
	struct run_net net;
};

struct doc_confound {
	char *harness, *setting, *factor, *control, *treatment;
	struct string_list blocks;
	bool voids;
};

struct doc_drift {
	char *harness;
	int64_t blocks;
	bool flagged;
	double mean_log_change, p;
	struct doc_interval ci95_log;
};

/* The communication fraction that one setting with fewer bytes on the wire gives on one slice; shares of the control's
 * step. */
struct doc_fraction {
	char *harness, *setting, *control;
	double payload_ratio; /* the setting's bytes by its control's */
	int64_t blocks;
	double f, recovered;
	char *f_reason;
	struct doc_interval f_ci95, f_ci95_delta, recovered_ci95;
	struct doc_interval exposed; /* the bracket: recovered to f; null when the model is violated */
	double total_at_least;       /* likewise */
	double ceiling_percent;      /* the most that a perfect network gains */
	struct doc_interval ceiling_ci95_percent;
	double df;
	bool model_violated; /* f outside [0, 1] */
	bool resolved;       /* f has an interval that excludes 0, and the model holds */
	char *reason;        /* why it is not resolved, or NULL */
	struct string_list assumptions;
};

/* The same from several payload ratios of one slice. */
struct doc_fraction_fit {
	char *harness, *control;
	struct doc_block_gain *ratios; /* by setting, the control's 1 first */
	size_t n_ratios;
	int64_t blocks; /* that hold the control and every setting */
	double f;
	char *f_reason;
	struct doc_interval f_ci95;
	double df;
	bool equal_weights;      /* the settings do not differ over blocks: no spread to weigh by */
	double hinge_difference; /* slope at the mildest ratio less that at the strongest, shares of the step */
	struct doc_interval hinge_ci95;
	double hinge_p;
	bool hinge_found;    /* the saving stops short: the rest is hidden */
	bool model_violated; /* the ratios contradict one model: f stands for none of them */
	char *reason;        /* why, NULL otherwise */
	struct string_list left_out, assumptions;
};

/* Matched runs of a setting that changes the arithmetic: the loss over the last common steps. */
struct doc_loss_pair {
	char *harness, *setting, *control;
	int64_t blocks, steps, last_step; /* steps compared a block; the last one of the shortest run */
	double control_loss, treatment_loss, difference_percent;
	struct doc_interval difference_ci95_percent;
	double tolerance_percent;
	char *verdict; /* inside outside cannot_tell void */
	char *reason;
};

/* What the verdicts of settings that probe the network imply together about the payload of one slice. */
struct doc_inference {
	char *harness;
	char *implies;                      /* bandwidth_bound latency_bound contradictory undetermined */
	struct string_list supported_by;    /* settings whose verdicts say so */
	struct string_list contradicted_by; /* settings whose verdicts say the other */
	struct string_list explains;        /* settings without effect, of which nothing else was to be expected */
	struct string_list qualified_by;    /* more channels that do not help */
	struct string_list within_tax;      /* LL128 losing no more than its own 120/128 takes: no evidence */
};

/* ---- benchmark against production ---- */

/* A set of ratios (Fieller); not always an interval. */
struct doc_ratio_set {
	char *type;    /* bounded exclusive half_line whole_line; NULL: null */
	double lo, hi; /* exclusive: everything outside them; NAN: unbounded on that side */
	double df;
};

/* One setting of a pair: x the benchmark's log gain, y the production's. */
struct doc_parity_setting {
	char *setting;
	double x_log_gain, x_percent;
	struct doc_interval x_ci95_percent;
	char *x_verdict, *x_lost; /* lost: in words why there is no number ("crashed"), or NULL */
	double y_log_gain, y_percent;
	struct doc_interval y_ci95_percent;
	char *y_verdict, *y_lost;
	double ratio;
	struct doc_ratio_set fieller;
	char *class_name, *why; /* why: in words, NULL where the class says it all */
	/* Place by point estimate, 1 is the fastest; and the places it cannot be told apart from. RECORD_UNSET: not
	 * ranked. */
	int64_t x_place, x_tied_from, x_tied_to, y_place, y_tied_from, y_tied_to;
	int64_t agree, reversed, unresolved; /* the pairs that this setting is in */
};

struct doc_parity_ranking {
	int64_t settings; /* ranked: a number on both sides */
	double tau_b, p_exact, spearman;
	char *p_exact_reason;
	int64_t agree, reversed, unresolved; /* pairs of settings */
};

/* Of the benchmark's wins, what became of them in production; their sum with `other` is benchmark_wins. */
struct doc_parity_sentence {
	int64_t benchmark_wins, win, null, harm, crashed, other;
	char *text;
};

/* York's line through the origin-free cloud, for five settings and more. */
struct doc_parity_slope {
	int64_t n;
	double slope;
	char *slope_reason;
	struct doc_interval slope_ci95, leave_one_out; /* the range of slopes with one setting left out */
};

struct doc_curve_point {
	double x, y, lo, hi; /* lo, hi: NAN where there is no band */
};

/* What Amdahl allows for a solved communication fraction. */
struct doc_amdahl {
	char *setting; /* that solved f; NULL: no curve */
	double f;
	struct doc_interval f_ci95;
	struct doc_curve_point *points; /* percent gains, over the range of the settings */
	size_t n_points;
};

struct doc_parity {
	char *bench, *slice;
	struct doc_parity_setting *settings;
	size_t n_settings;
	struct doc_parity_ranking ranking;
	struct doc_parity_sentence sentence;
	struct doc_parity_slope slope;
	struct doc_amdahl amdahl;
	struct string_list production_collectives, benchmarked_collectives, uncovered_collectives;
	char *coverage_reason; /* why coverage is not known, or NULL */
};

/* ---- spread, throughput, scaling, traces: what the figures of single runs show ---- */

/* What identical runs of one harness differ by; one row of the spread figure. */
struct doc_spread {
	char *harness, *kind; /* within_job: from the median of their job and setting; cross_job: of all controls */
	int64_t runs, blocks;
	double *deviations_percent; /* a run each, of its throughput */
	size_t n_deviations;
	double spread_percent;    /* (max - min) / median */
	double floor_percent;     /* one run a side; the gain it ends at */
	double floor_low_percent; /* the loss it ends at, negative: it is even on the scale of the logs */
	char *floor_percent_reason;
	double df;
	int64_t effects;     /* declared effects of the harness with a number */
	int64_t above_floor; /* those larger than the floor; RECORD_UNSET without a floor */
};

/* Steady throughput of one setting on one slice; no controlled comparison. */
struct doc_throughput {
	char *harness, *setting, *unit; /* "images/s", "steps/s", ... */
	int64_t ranks, runs, blocks;
	double median, best, worst; /* of the runs, whole job */
	double median_per_gpu, best_per_gpu, worst_per_gpu;
	double change_percent;  /* median against the control's median on this slice */
	double ceiling_per_gpu; /* the single-node reference of the scaling series */
	char *ceiling_harness;
};

struct doc_scaling_point {
	char *harness, *cluster;
	int64_t nodes, ranks, micro_steps, global_batch, runs, blocks;
	double median, best, worst; /* per GPU */
	double *values;             /* per GPU, a run each */
	size_t n_values;
	double lost_percent; /* of the reference's median; positive is slower */
	bool reference, confounded;
	struct string_list confounds; /* "66 micro-steps, not 132" */
	char *missing_control;        /* what would part the cost from the confound, or NULL */
	char *matched_control;        /* the slice of the reference's size in this point's regime, where it was run */
	double matched_lost_percent;  /* of its median */
};

struct doc_scaling {
	char *setting, *reference, *unit; /* unit per GPU: "tokens/s" */
	struct doc_scaling_point *points;
	size_t n_points;
	char *reason; /* why there is no curve, or NULL */
};

/* Time per step of one run, decimated to what a figure can show. */
struct doc_trace {
	char *run, *harness, *setting, *block, *role;
	int64_t steps, discarded; /* recorded; at the head left out */
	double steady_from;       /* the step of the first one behind the head; NAN when none is */
	double *step, *time_s;    /* both n: the largest of each stretch of steps is kept */
	size_t n_step, n_time_s;
};

/* ---- price and scope ---- */

/* What adopting a setting saves at the declared use. */
struct doc_price {
	char *harness, *setting;
	double gpu_hours_saved_month;
	char *gpu_hours_saved_month_reason;
	struct doc_interval gpu_hours_saved_month_ci95;
	double gpu_hours_lost_month; /* expected loss to runs that do not finish; 0 when every arm finished */
	double money_saved_month, money_lost_month;
};

/* What the campaign itself took. */
struct doc_cost {
	double gpu_hours, money;
	char *gpu_hours_reason, *money_reason;
};

struct doc_note {
	char *on, *kind, *text, *time, *author;
};

struct doc_question {
	char *code, *subject, *text, *settles;
};

struct doc_finding {
	char *code, *text;
	struct string_list paths;
};

struct analysis_doc {
	char *name, *question, *cluster, *control, *plan_sha256;
	double margin_percent;
	bool simulated;
	char *first_started, *last_started; /* RFC 3339 of the dated runs, or NULL */
	struct campaign_input *inputs;
	size_t n_inputs;
	int64_t seed;
	struct string_map versions; /* assay, nccl, plugin, ... */
	struct string_map titles;   /* setting name to title, of those that have one */
	struct doc_harness *harnesses;
	size_t n_harnesses;
	struct doc_run *runs;
	size_t n_runs;
	struct doc_lost_run *lost_runs;
	size_t n_lost_runs;
	struct doc_effect *effects;
	size_t n_effects;
	struct doc_void *voids;
	size_t n_voids;
	struct doc_relabelled *relabelled;
	size_t n_relabelled;
	struct doc_network *networks;
	size_t n_networks;
	struct doc_confound *confounds;
	size_t n_confounds;
	struct doc_drift *drifts;
	size_t n_drifts;
	struct doc_fraction *fractions;
	size_t n_fractions;
	struct doc_fraction_fit *fraction_fits;
	size_t n_fraction_fits;
	struct doc_loss_pair *loss_pairs;
	size_t n_loss_pairs;
	struct doc_inference *inferences;
	size_t n_inferences;
	struct doc_parity *parities;
	size_t n_parities;
	struct doc_spread *spreads;
	size_t n_spreads;
	struct doc_throughput *throughputs;
	size_t n_throughputs;
	struct doc_scaling *scalings;
	size_t n_scalings;
	struct doc_trace *traces;
	size_t n_traces;
	int64_t traces_left_out; /* runs with steps beyond those that a document holds */
	struct doc_price *prices;
	size_t n_prices;
	struct doc_cost cost;
	struct string_list scope; /* where the verdicts hold, a line each */
	struct doc_note *decisions, *corrections;
	size_t n_decisions, n_corrections;
	struct doc_question *questions;
	size_t n_questions;
	struct doc_finding *findings;
	size_t n_findings;
	char sha256[65]; /* digest of the written bytes; set by write and read */
};

struct analysis_doc *analysis_doc_new(void);
void analysis_doc_free(struct analysis_doc *doc);
CLEANUP_POINTER(struct analysis_doc, analysis_doc_free)

/* Lists grow by one zeroed row (numbers NAN, integers RECORD_UNSET where optional); the pointer holds until the next
 * add. */
struct doc_harness *analysis_doc_add_harness(struct analysis_doc *doc);
/** The harness of a name, or NULL. */
const struct doc_harness *analysis_doc_find_harness(const struct analysis_doc *doc, const char *name);
struct doc_floor *doc_harness_add_floor(struct doc_harness *harness);
struct doc_run *analysis_doc_add_run(struct analysis_doc *doc);
struct doc_lost_run *analysis_doc_add_lost_run(struct analysis_doc *doc);
struct doc_effect *analysis_doc_add_effect(struct analysis_doc *doc);
/** Of a setting of the plan: no arm renamed for what it ran, no sub-arm of one version. */
bool doc_effect_is_declared(const struct doc_effect *effect);
void doc_effect_add_gain(struct doc_effect *effect, const char *block, double log_gain);
struct doc_void *analysis_doc_add_void(struct analysis_doc *doc);
struct doc_relabelled *analysis_doc_add_relabelled(struct analysis_doc *doc);
struct doc_network *analysis_doc_add_network(struct analysis_doc *doc);
struct doc_confound *analysis_doc_add_confound(struct analysis_doc *doc);
struct doc_drift *analysis_doc_add_drift(struct analysis_doc *doc);
struct doc_fraction *analysis_doc_add_fraction(struct analysis_doc *doc);
struct doc_fraction_fit *analysis_doc_add_fraction_fit(struct analysis_doc *doc);
void doc_fraction_fit_add_ratio(struct doc_fraction_fit *fit, const char *setting, double payload_ratio);
struct doc_loss_pair *analysis_doc_add_loss_pair(struct analysis_doc *doc);
struct doc_inference *analysis_doc_add_inference(struct analysis_doc *doc);
struct doc_parity *analysis_doc_add_parity(struct analysis_doc *doc);
struct doc_parity_setting *doc_parity_add_setting(struct doc_parity *parity);
struct doc_curve_point *doc_amdahl_add_point(struct doc_amdahl *amdahl);
struct doc_spread *analysis_doc_add_spread(struct analysis_doc *doc);
struct doc_throughput *analysis_doc_add_throughput(struct analysis_doc *doc);
struct doc_scaling *analysis_doc_add_scaling(struct analysis_doc *doc);
struct doc_scaling_point *doc_scaling_add_point(struct doc_scaling *scaling);
struct doc_trace *analysis_doc_add_trace(struct analysis_doc *doc);
struct doc_price *analysis_doc_add_price(struct analysis_doc *doc);
/** Append to a list of doubles of a row: &spread->deviations_percent, &spread->n_deviations. */
void doc_add_double(double **values, size_t *n, double value);
struct doc_note *analysis_doc_add_decision(struct analysis_doc *doc);
struct doc_note *analysis_doc_add_correction(struct analysis_doc *doc);
struct doc_question *analysis_doc_add_question(struct analysis_doc *doc);
struct doc_finding *analysis_doc_add_finding(struct analysis_doc *doc);

/** Write as JSON (17 digits, fixed key order, null numbers with their reason) by atomic replacement. */
int analysis_doc_write(struct analysis_doc *doc, const char *path, struct error *err);
int analysis_doc_read(const char *path, struct analysis_doc **ret_doc, struct error *err);

#endif
