/*
 * Collection: turns logs that others made into runs of the campaign log. Takes a plan and files; gives records. It
 * knows log formats and nothing of statistics.
 */
#ifndef ASSAY_COLLECT_H
#define ASSAY_COLLECT_H

#include "assay/record.h"
#include "base/text.h"

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
