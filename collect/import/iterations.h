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
	ITERATION_FIELDS,
};

struct iteration {
	double values[ITERATION_FIELDS];
	size_t line;
};

struct iterations {
	struct iteration *rows;
	size_t n, capacity;
	bool has[ITERATION_FIELDS];
	char *throughput_unit; /* NULL: "1" */
};

/** A new row, all NAN. */
struct iteration *iterations_add(struct iterations *iterations, size_t line);
void iterations_set(struct iterations *iterations, struct iteration *row, enum iteration_field field, double value);
void iterations_release(struct iterations *iterations);
CLEANUP_VALUE(struct iterations, iterations_release)
/** The run's "iterations" table: step, response, then what was logged. Nothing for no rows. */
void iterations_store(const struct iterations *iterations, int64_t discard, struct run_record *run);
/** The line of the first kept row whose response is not finite or not positive; 0 when there is none. */
/** The first line whose step number is below the one before (a second attempt in the same file), or 0. */
size_t iterations_restart_line(const struct iterations *iterations);
size_t iterations_bad_line(const struct iterations *iterations, int64_t discard);

#endif
