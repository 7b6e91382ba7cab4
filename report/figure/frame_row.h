/*
 * The row frame: labels at left, a plot with its axis on top, numbers at right; rows continue on the next page.
 */
#ifndef REPORT_FIGURE_FRAME_ROW_H
#define REPORT_FIGURE_FRAME_ROW_H

#include "report/format.h"
#include "report/layout.h"

struct frame_row {
	struct layout *layout;
	double lo, hi, step;   /* axis */
	enum format_sign sign; /* of the tick labels */
	double value_right;    /* right edge of the value column */
	double margin;         /* half-width of the band around 0; 0: none */
	const char *label_head, *value_head, *interval_head;
	double top; /* of the plot on this page */
};

/** Widen [lo, hi] to ticks of 1, 2 or 5 with room beyond the outermost mark. */
void frame_row_axis(struct frame_row *frame, double lo, double hi);
double frame_row_x(const struct frame_row *frame, double value);
bool frame_row_on_axis(const struct frame_row *frame, double value);
/** Axis on top of the page's part. */
void frame_row_open(struct frame_row *frame);
/** Make room for a row: paints its band and grid, goes on to the next page when full. @return the row's middle */
double frame_row_next(struct frame_row *frame, double height, double keep_with);
/** Closing rule; the axis' words below it when last. */
void frame_row_close(struct frame_row *frame);

#endif
