/*
 * Parts of the campaign log that its writer, its reader and their tests share. Private to record/.
 */
#ifndef RECORD_SEGMENT_H
#define RECORD_SEGMENT_H

#include "assay/record.h"

#include <stdbool.h>
#include <stddef.h>

#define SEGMENT_FORMAT 1
#define SEGMENT_SUM_ZERO "0000000000000000000000000000000000000000000000000000000000000000"

/** The sum of a line: of the previous sum's hex, then the line's bytes before `,"sum"`. */
void segment_sum(const char *previous, const char *bytes, size_t n, char ret_sum[65]);

/** Verify a line (no newline); its sum comes back. ERROR_DATA. */
int segment_check_line(const char *previous, const char *line, size_t n, char ret_sum[65], struct error *err);

/** Whether a name may begin a segment's: [A-Za-z0-9._-], no leading point. */
bool segment_name_ok(const char *name);

/** The segments of a campaign in natural order, as inputs that hold only their names; none when there is no log. */
int segment_list(const char *directory, struct campaign_input **ret_inputs, size_t *ret_n, struct error *err);

/** "<directory>/log/<segment><suffix>" on the heap. */
char *segment_path(const char *directory, const char *segment, const char *suffix);

/** A response that is not finite in the kept rows of an ok run is ERROR_DATA; tables without values are passed over. */
int run_record_check_finite(const struct run_record *run, struct error *err);

/**
 * Move the final bytes without a newline to <segment>.torn (appended, never deleted), for the owner of the segment.
 *
 * @param ret_moved  bytes moved
 * @return 0; ERROR_ENVIRONMENT
 */
int segment_repair(const char *directory, const char *segment, size_t *ret_moved, struct error *err);

#endif
