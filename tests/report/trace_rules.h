/*
 * What holds for every page, whatever is drawn on it: checked on a trace, one line a fault. For whole documents and for
 * one figure on a blank page alike.
 */
#ifndef TESTS_REPORT_TRACE_RULES_H
#define TESTS_REPORT_TRACE_RULES_H

#include "assay/record.h"
#include "report/canvas.h"
#include "report/layout.h"

/**
 * The faults of a trace: texts over each other (the middle half of their boxes), texts and marks beyond the margins or
 * the page, type under STYLE_MIN_SIZE, coordinates that are not finite; and for every figure: a caption (the small type
 * under it) that says what n is, a unit somewhere in the figure, and what hollow means where hollow marks are drawn.
 *
 * @param trace  of canvas_trace_new
 * @return their number; described in `out`
 */
size_t trace_rules_faults(const struct canvas *trace, struct text *out);

/** A trace over a PDF canvas that is never written: text is measured in the fonts of the pages. */
struct trace_pages {
	struct canvas *pdf, *trace;
};
struct trace_pages trace_pages_of(const struct analysis_doc *doc, const char *template_name, double width,
				  double height);
/** The same for one section on its own: what a section_draw puts on the first page and after. */
struct trace_pages trace_pages_draw(void (*draw)(struct layout *layout, const struct analysis_doc *doc),
				    const struct analysis_doc *doc);
void trace_pages_release(struct trace_pages *pages);
CLEANUP_VALUE(struct trace_pages, trace_pages_release)

/** Whether a text that holds `words` was drawn. */
bool trace_pages_drawn(const struct trace_pages *pages, const char *words);
/** The marks of a kind of canvas_trace.h. */
size_t trace_pages_marks(const struct trace_pages *pages, const char *kind);
/** Fails the test with the faults of the weekly pages on A4 and on US letter. */
void trace_rules_check(const struct analysis_doc *doc, const char *template_name);

#endif
