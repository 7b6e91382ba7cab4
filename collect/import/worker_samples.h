/*
 * Reads what assay's workers print (worker_protocol.h): one table of raw samples a size, the run's shape, and whether
 * its results were right and complete. Takes clean lines, fills a run record; writes nothing.
 */
#ifndef COLLECT_IMPORT_WORKER_SAMPLES_H
#define COLLECT_IMPORT_WORKER_SAMPLES_H

#include "collect/import/format.h"
#include "collect/import/unmess.h"

struct worker_reading {
	size_t matched, rows;   /* lines of the protocol; rows of all tables */
	enum run_status status; /* ok, wrong, crash, truncated */
	char *proof;            /* heap; NULL when ok */
};

/** Whether a line of the protocol is there, of any version. */
bool worker_samples_detect(const struct clean_lines *lines);

/**
 * Tables "samples" of bytes (B), iteration (1, from 0), rank (1), time_s (s), arrival_s (s): rows ordered by iteration,
 * then rank; warm-up iterations are the discarded head. A size that output was lost of has fewer rows, and arrivals
 * that were lost are NAN.
 *
 * @return 0; ERROR_DATA "file:line: ...": another version, two runs in one log, a value that the protocol does not have
 */
int worker_samples_read(const struct import_source *source, const struct clean_lines *lines, struct run_record *run,
			struct worker_reading *ret, struct error *err);

#endif
