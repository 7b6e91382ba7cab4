/*
 * Takes clean lines, says whether and why a run was lost, with the line that proves it.
 */
#ifndef COLLECT_IMPORT_CRASH_H
#define COLLECT_IMPORT_CRASH_H

#include "assay/record.h"
#include "collect/import/unmess.h"

struct crash_finding {
	enum run_status status; /* RUN_OK: nothing found */
	bool external;
	const char *proof; /* inside the lines */
	size_t line;
};

void crash_classify(const struct clean_lines *lines, struct crash_finding *ret_finding);

#endif
