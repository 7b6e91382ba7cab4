/*
 * A canvas that records what it is asked to draw and hands it on to another: tests read the boxes, the text is measured
 * by the canvas it wraps.
 */
#ifndef REPORT_CANVAS_TRACE_H
#define REPORT_CANVAS_TRACE_H

#include "base/mem.h"
#include "base/text.h"
#include "report/canvas.h"

#include <stddef.h>

struct canvas_trace_text {
	int page;
	double x, y, width, size;
	char *text;
};

/** Kinds: "line", "rect", "dot", "ring". */
struct canvas_trace_mark {
	int page;
	const char *kind;
	double x1, y1, x2, y2;
};

/** @param inner  outlives the trace; not freed by it */
struct canvas *canvas_trace_new(struct canvas *inner);
void canvas_trace_free(struct canvas *canvas);
CLEANUP_POINTER(struct canvas, canvas_trace_free)

const struct canvas_trace_text *canvas_trace_texts(const struct canvas *canvas, size_t *ret_n);
const struct canvas_trace_mark *canvas_trace_marks(const struct canvas *canvas, size_t *ret_n);

/**
 * What is wrong on the pages, one line each: two texts over each other (the middle half of their boxes), a mark or text
 * beyond the side margins or the page, type under `min_size`, a coordinate that is not finite.
 *
 * @return the number of faults; described in `out`
 */
size_t canvas_trace_faults(const struct canvas *canvas, double margin, double min_size, struct text *out);

#endif
