/*
 * The table that joins the formats: reads one captured file as one run, by the harness's format or by what the file
 * looks like. Takes bytes, gives facts in a run record; writes nothing.
 */
#ifndef COLLECT_IMPORT_FORMAT_H
#define COLLECT_IMPORT_FORMAT_H

#include "assay/record.h"
#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

#include <stddef.h>

struct import_source {
	const char *file; /* for messages */
	const char *bytes;
	size_t n;
	const struct plan_harness *harness;
	const struct plan_setting *setting;
	bool status_given; /* the manifest says how the run ended: a log without rows is no error */
};

struct import_reading {
	const char *format; /* what it was read as */
	size_t physical, matched, debug, skipped;
	char *skipped_example;
	size_t skipped_line;
};
void import_reading_release(struct import_reading *reading);
CLEANUP_VALUE(struct import_reading, import_reading_release)

/**
 * Fill tables, factors, status, reason and flags of a run.
 *
 * @return 0; ERROR_DATA: an empty log, no line of the format and no recognised failure, a bad number
 */
int format_read(const struct import_source *source, struct run_record *run, struct import_reading *ret_reading,
		struct error *err);

struct import_format;

/**
 * Steps of a piece of a growing log, whole lines. A harness's named format or pattern is used; otherwise the first of
 * the table that any piece so far was recognised as.
 *
 * @param format  holds what was recognised; NULL before the first piece
 * @return 0, also for a piece without steps; ERROR_DATA as format_read()
 */
int format_piece_read(const struct import_source *piece, const struct import_format **format,
		      struct iterations *ret_iterations, struct error *err);

/** Steps by the first format that recognises a training log: its name, or NULL (no steps then). */
const char *format_steps_read(const struct clean_lines *lines, struct iterations *ret_iterations);

#endif
