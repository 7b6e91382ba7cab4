/*
 * The sections a template can name: tables over the whole width, notes that also fit a half column.
 */
#ifndef REPORT_SECTION_H
#define REPORT_SECTION_H

#include "assay/record.h"
#include "report/layout.h"

#include <stdint.h>

/* A function type, so that the registry and the prototypes below cannot drift apart. */
typedef void section_draw(struct layout *layout, const struct analysis_doc *doc);

/** NULL when no table has that name. Each prints the reason in its place when its data are missing. */
section_draw *section_table(const char *name);
section_draw *section_figure(const char *name);
/** How many rows the document holds for a block ("figure spread"), or SECTION_ALWAYS when it always has something to
 * say: a block marked optional prints nothing when nothing of it was ever planned or run. */
#define SECTION_ALWAYS SIZE_MAX
size_t section_rows(const char *block, const struct analysis_doc *doc);
/** Sections that fit a half column: findings, voidbox, questions, corrections, scope. */
section_draw *section_note(const char *name);

/** A grey line in place of a section without data. */
void section_missing(struct layout *layout, const char *title, const char *reason);
/** Small grey caption under a table or figure. */
void section_caption(struct layout *layout, const char *text);

section_draw section_decisions, section_findings, section_void_box, section_questions, section_corrections;
section_draw section_no_number, section_void, section_relabelled, section_network, section_runs, section_lost,
	section_floors, section_confounds, section_benches, section_loss, section_price, section_scope;

#endif
