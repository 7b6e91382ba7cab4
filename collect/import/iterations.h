/*
 * Iterations of a training log as any format found them, on their way into a run's table. A value that was not logged
 * is NAN.
 */
#ifndef COLLECT_IMPORT_ITERATIONS_H
#define COLLECT_IMPORT_ITERATIONS_H

#include "assay/record.h"

enum iteration_field {
	ITERATION_STEP,
	ITERATION_TIME, /* seconds */
	ITERATION_THROUGHPUT,
	ITERATION_LOSS,
	ITERATION_LR,
	ITERATION_SAMPLES,
	ITERATION_TOKENS,
	ITERATION_BATCH,
	ITERATION_TFLOPS, /* as printed: TFLOP/s a GPU */
	ITERATION_FIELDS,
};

struct iteration {
	double values[ITERATION_FIELDS];
	bool printed[ITERATION_FIELDS]; /* also when the number was not finite */
	size_t line;
	size_t stream;  /* the rank that wrote the line: among streams */
	bool evaluates; /* its time contains an evaluation: the table leaves the response out */
};

/* What a log says of the whole run; 0 when it says nothing. */
struct iteration_shape {
	int64_t ranks, global_batch, micro_batch, micro_steps;
	int64_t all_micro_steps; /* of all ranks together, from the printed tokens of a step; 0: not known */
	bool shares_micro_steps; /* micro_steps as printed may be of all ranks together */
};

/* A number that the log gives once for the whole run. */
struct iteration_closing {
	const char *name, *unit; /* static */
	double value;
};
#define ITERATION_CLOSINGS_MAX 8

struct iterations {
	struct iteration *rows;
	size_t n, capacity;
	bool has[ITERATION_FIELDS];
	char *throughput_unit; /* NULL: "1" */
	const char *statistic; /* of the rows, static; NULL: "sample" */
	int64_t total;         /* steps planned as the log prints them, 0 when it does not */
	struct iteration_shape shape;
	struct iteration_closing closings[ITERATION_CLOSINGS_MAX];
	size_t n_closings;
	struct string_list streams; /* labels of the ranks that wrote step lines */
	struct string_list flags;   /* what a reader of the run must know, in words */
};

/** A new row, all NAN. */
struct iteration *iterations_add(struct iterations *iterations, size_t line);
void iterations_set(struct iterations *iterations, struct iteration *row, enum iteration_field field, double value);
void iterations_release(struct iterations *iterations);
CLEANUP_VALUE(struct iterations, iterations_release)
/**
 * The run's "iterations" table: step, response, then what was logged; nothing for no rows. Closing numbers go into a
 * table "summary" of one row. Flags go to the run.
 */
void iterations_store(const struct iterations *iterations, int64_t discard, struct run_record *run);
/**
 * Keep one row a step where several ranks wrote it: of the first rank by label among those whose lines interleave, and
 * the first of equal steps in a row. Says so in a flag. Rows that follow another rank's last one are left: they are
 * another attempt.
 */
void iterations_merge_streams(struct iterations *iterations);
/**
 * Put rows of the same step together, which the log tells in several lines; a row without a step belongs to the one
 * before, or to none.
 */
void iterations_join_steps(struct iterations *iterations);
/** A closing number, once: the first of a name stays; not for a number that is not finite. */
void iterations_close(struct iterations *iterations, const char *name, const char *unit, double value);
/** Adds flags: losses printed that are not finite numbers, rows without the response that other rows have. */
void iterations_flag_gaps(struct iterations *iterations);
/** The first line whose step number is below the one before (a second attempt in the same file), or 0. */
size_t iterations_restart_line(const struct iterations *iterations);
/** The line of the first kept row whose response was printed and is not finite or not positive; 0: none. */
size_t iterations_bad_line(const struct iterations *iterations, int64_t discard);

#endif
