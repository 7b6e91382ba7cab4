/*
 * What a collector says while it runs: on a terminal one line that is rewritten, elsewhere a line a finished run.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "assay/collect.h"

#include <stdio.h>

#define PROGRESS_STATUSES (RUN_LAUNCH_FAILED + 1)

enum progress_lines { PROGRESS_LOST_ONLY, PROGRESS_EVERY_RUN };

struct progress {
	FILE *live; /* the terminal that shows the rewritten line, NULL for none */
	enum progress_lines lines;
	size_t ended[PROGRESS_STATUSES]; /* runs of this call by status */
};

void progress_init(struct progress *progress);

/** collect_options.report; the context is the progress. */
void progress_report(void *context, const struct collect_event *event);

/** Take the rewritten line away. */
void progress_clear(struct progress *progress);

/** Append "2 lost (1 crash, 1 timeout)", nothing when none was lost. */
void progress_lost(const struct progress *progress, struct text *text);

#endif
