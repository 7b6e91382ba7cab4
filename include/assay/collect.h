/*
 * Collection: runs what a plan asks for, or takes in logs that others made, and records every run in the campaign log.
 * Takes a plan, programs and files; gives records. It knows launchers and log formats and nothing of statistics.
 */
#ifndef ASSAY_COLLECT_H
#define ASSAY_COLLECT_H

#include "assay/record.h"
#include "base/text.h"

#include <signal.h>

/* ---- running a plan ---- */

/* A launch that the plan asks for. */
struct planned_run {
	int64_t position; /* in its block, from 1 */
	const struct plan_harness *harness;
	const struct plan_setting *setting;
	enum run_role role;
};

struct planned_block {
	char *name; /* "b1" */
	struct planned_run *runs;
	size_t n;
};

struct schedule {
	struct planned_block *blocks;
	size_t n;
};

/**
 * The runs of a plan, block by block. In a block each harness has its settle runs (control), a sentinel (control), its
 * arms in the design's order, a sentinel. Interleaved: each round of the arms is ordered by the SHA-256 of seed, block,
 * harness, round and setting, so that adding a block or a harness moves nothing. ABBA: rounds in plan order forth and
 * back, and every other block begins with the way back. aa_pairs adds that many control arms.
 *
 * @return 0; ERROR_DATA: a harness that cannot be run here, with what to change (neither backend nor command, a
 *         benchmark that runs a setting which has only args, no op or bytes, a slice whose learning rate never leaves
 *         the warm-up ramp and that is not allow_untrained)
 */
int schedule_plan(const struct plan *plan, struct schedule *ret_schedule, struct error *err);
void schedule_release(struct schedule *schedule);
CLEANUP_VALUE(struct schedule, schedule_release)

enum planned_state {
	PLANNED_LACKING,
	PLANNED_RECORDED, /* for good: an attempt that no outside cause ended */
	PLANNED_MISSED,   /* added to the plan when its block, one allocation, was over: it will not be run */
};

/**
 * What the log holds of each run of a schedule. In a block that has ended, runs are told by harness, setting and role,
 * wherever they stood.
 *
 * @param ret_states  one a run, block after block, on the heap
 * @return 0; ERROR_DATA of the log, or a setting or harness that was run as something else than the plan now says;
 *         ERROR_ENVIRONMENT of the log
 */
int schedule_recorded(const char *directory, const struct plan *plan, const struct schedule *schedule,
		      enum planned_state **ret_states, struct error *err);

enum collect_event_kind {
	COLLECT_BLOCK_BEGIN, /* block, segment */
	COLLECT_BLOCK_BUSY,  /* another collector holds it: holder in text */
	COLLECT_REPAIRED,    /* a dead collector's torn bytes were moved: segment in text */
	COLLECT_RUN_BEGIN,
	COLLECT_TICK,    /* the run goes on: elapsed_s; of a slice step and loss */
	COLLECT_RUN_END, /* status, text: the reason of a lost run */
	COLLECT_BLOCK_END,
};

struct collect_event {
	enum collect_event_kind kind;
	const char *block;
	const struct planned_run *run;
	size_t done, total;            /* runs of this call's share: recorded so far, and planned */
	double elapsed_s, remaining_s; /* remaining_s NAN until one run has ended */
	int64_t step;                  /* the last one logged, RECORD_UNSET when unknown */
	double loss;                   /* the last one logged, NAN when unknown */
	enum run_status status;
	const char *text;
};

struct collect_options {
	const char *directory;
	const char *block;                   /* only this one; NULL: all */
	const volatile sig_atomic_t *cancel; /* becomes nonzero: finish the record and return */
	void (*report)(void *context, const struct collect_event *event);
	void *context;
};

struct collect_result {
	size_t planned, already, recorded, lost; /* runs: in scope, recorded before, recorded now, of these not ok */
	size_t busy;                             /* blocks left to another collector */
	bool cancelled;
};

/**
 * Run what the plan still lacks: every planned position without a record, or whose records were all lost to outside
 * causes. Each attempt is recorded, with its captures, as it ends. A block that is resumed runs its settle runs again.
 * A block that has ended is never run again.
 *
 * @return 0, lost runs included; ERROR_DATA (a plan that no longer fits a block already begun, or under whose names
 *         something else was run); ERROR_ENVIRONMENT (no mpirun, no worker, no permission, disk full, every block that
 *         lacks runs is held by another collector)
 */
int collect_run(const struct plan *plan, const struct collect_options *options, struct collect_result *ret_result,
		struct error *err);

/* ---- logs that others made ---- */

/* One row of an import manifest. */
struct import_row {
	char *file; /* as written */
	char *path; /* resolved against the manifest */
	char *harness, *setting, *block;
	int64_t position;                        /* RECORD_UNSET: the next free one of the block, in manifest order */
	char *role, *status, *started, *cluster; /* NULL when absent or empty */
	int external;                            /* 0, 1, or -1 when absent */
	size_t line;                             /* in the manifest, for messages; 0 for single-file imports */
};

struct import_manifest {
	char *path;
	struct import_row *rows;
	size_t n;
};

/**
 * Read a manifest (CSV, RFC 4180 quoting, CRLF taken): columns file,harness,setting,block and optional
 * position,role,status,external,started,cluster in any order. Checked whole: every message names file, line and column.
 */
int import_manifest_read(const char *path, struct import_manifest **ret_manifest, struct error *err);
void import_manifest_free(struct import_manifest *manifest);
CLEANUP_POINTER(struct import_manifest, import_manifest_free)

struct import_result {
	struct text readings; /* the reading list: one block of lines a file, escaped for a terminal */
	size_t imported, already;
	char *segment; /* the segment written, NULL when nothing was new */
};
void import_result_release(struct import_result *result);
CLEANUP_VALUE(struct import_result, import_result_release)

/**
 * Read every file of the manifest, then write them as one new segment `import-<n>`; nothing is written when any row
 * fails. A source (sha256) already imported at the same harness, setting, block and position counts as `already`.
 *
 * @return 0; ERROR_DATA (file, line, column), ERROR_ENVIRONMENT
 */
int import_run(const char *directory, const struct plan *plan, const struct import_manifest *manifest,
	       struct import_result *ret_result, struct error *err);

#endif
