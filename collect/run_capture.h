/*
 * What a run printed, kept beside its record without the values of variables that nobody asked for.
 */
#ifndef COLLECT_RUN_CAPTURE_H
#define COLLECT_RUN_CAPTURE_H

#include "assay/record.h"

#include <stddef.h>

/**
 * Store bytes as a capture of a run: in the segment's data, fsynced; the record points there. Call before the run is
 * appended.
 *
 * @param name     "source", "stdout", "stderr"
 * @param setting  its variables are kept
 */
int run_capture_store(struct segment_writer *writer, const char *name, const struct plan_setting *setting,
		      const char *bytes, size_t n, struct run_record *run, struct error *err);

#endif
