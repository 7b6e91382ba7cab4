/*
 * The row frame: labels at left, a plot with its axis on top, numbers at right; rows continue on the next page.
 */
#ifndef REPORT_FIGURE_FRAME_ROW_H
#define REPORT_FIGURE_FRAME_ROW_H

#include "report/format.h"
#include "report/layout.h"

enum frame_row_zero { FRAME_ROW_ZERO_DARK, FRAME_ROW_ZERO_AS_GRID };

struct frame_row {
	struct layout *layout;
	double lo, hi, step;   /* axis */
	enum format_sign sign; /* of the tick labels */
	double value_right;    /* right edge of the value column */
	enum frame_row_zero zero;
	double margin; /* half-width of the band around 0; 0: none */
	const char *label_head, *value_head, *interval_head;
	const char *middle_head; /* of a column between the two, or NULL */
	double middle_right;
	const char *words; /* under the axis, NULL: those of a gain when there is a margin */
	double top;        /* of the plot on this page */
};

/* What stands at the left of a row: a name over smaller lines, both wrapped and never cut. */
struct frame_row_label {
	const char *name, *sub, *more; /* sub, more: NULL for none; each begins a line of its own */
	double pad;                    /* above the name, in a row taller than its label */
};

/** Widen [lo, hi] to ticks of 1, 2 or 5 with room beyond the outermost mark. */
void frame_row_axis(struct frame_row *frame, double lo, double hi);
double frame_row_x(const struct frame_row *frame, double value);
bool frame_row_on_axis(const struct frame_row *frame, double value);
/** Axis on top of the page's part. */
void frame_row_open(struct frame_row *frame);
/** Make room for a row: paints its band and grid, goes on to the next page when full. @return the row's middle */
double frame_row_next(struct frame_row *frame, double height, double keep_with);
/** Height of a row that holds the label, at least `least`. */
double frame_row_label_height(const struct frame_row *frame, const struct frame_row_label *label, double least);
/** The label of the row whose top edge is `top`, with the hairlines above unless it is the first of its group. */
enum frame_row_place { FRAME_ROW_FIRST, FRAME_ROW_NEXT };
void frame_row_label(const struct frame_row *frame, const struct frame_row_label *label, double top,
		     enum frame_row_place place);
/** Closing rule; the axis' words below it when last. */
void frame_row_close(struct frame_row *frame);

#endif
