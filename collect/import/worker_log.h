/*
 * Lines of worker_protocol.h, from clean lines to numbers: what a worker printed, checked line by line. Knows nothing
 * of records of runs.
 */
#ifndef COLLECT_IMPORT_WORKER_LOG_H
#define COLLECT_IMPORT_WORKER_LOG_H

#include "assay/record.h"
#include "collect/import/unmess.h"

enum worker_column { WORKER_BYTES, WORKER_ITERATION, WORKER_RANK, WORKER_TIME, WORKER_ARRIVAL, WORKER_COLUMNS };

/* The samples of one size: a row a rank, iteration after iteration. */
struct worker_size {
	int64_t bytes, iterations; /* read, warm-up included */
	double (*cells)[WORKER_COLUMNS];
	size_t capacity; /* in iterations */
	bool checked;
	bool broken; /* iterations are missing: what follows them is passed over */
};

struct worker_log {
	size_t matched; /* lines of the protocol */
	bool began, ended;
	char *library;            /* as it names itself */
	struct string_list test;  /* operation, type, placement */
	struct string_list hosts; /* each once, in order of ranks */
	int64_t ranks, warmup;
	int64_t total; /* iterations of a size, warm-up included; 0: no shape was read */
	struct worker_size *sizes;
	size_t n_sizes, sizes_capacity;
	int64_t wrong, wrong_bytes; /* elements, of the first size that has any */
	char *first_wrong;          /* in words, or NULL */
	char *error;                /* what the worker gave up for, or NULL */
	char *lost;                 /* the first sign that output was lost, in words, or NULL */
};
void worker_log_release(struct worker_log *log);
CLEANUP_VALUE(struct worker_log, worker_log_release)

/** What follows the protocol's name on a line (its version first), or NULL when it is no line of the protocol. */
const char *worker_log_facts(const struct clean_line *line);

/** Note a loss, unless one was noted before: later ones are its consequence. */
void worker_log_lose(struct worker_log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * A last line that was cut in its middle is a loss, not an error.
 *
 * @param file  for messages
 * @return 0; ERROR_DATA "file:line: ..."
 */
int worker_log_read(const struct clean_lines *lines, const char *file, struct worker_log *ret, struct error *err);

#endif
