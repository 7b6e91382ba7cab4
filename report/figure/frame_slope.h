/*
 * The slope frame: two upright axes with places from the top, names in a column on either side. Shows order alone:
 * every step is as high as the next.
 */
#ifndef REPORT_FIGURE_FRAME_SLOPE_H
#define REPORT_FIGURE_FRAME_SLOPE_H

#include "report/layout.h"

#include <stdint.h>

#define FRAME_SLOPE_PITCH 15.8

enum frame_slope_side { FRAME_SLOPE_LEFT, FRAME_SLOPE_RIGHT };

struct frame_slope {
	struct layout *layout;
	const char *heads[2]; /* of the axes */
	double top;           /* of the first row */
};

struct frame_slope_label {
	const char *name, *word; /* word: beside the name, "win" */
	struct canvas_style style;
};

/** Heads and their rule; the rows follow from frame->top on. */
void frame_slope_open(struct frame_slope *frame);
double frame_slope_x(enum frame_slope_side side);
/** The middle of a row, 1 is the first. */
double frame_slope_y(const struct frame_slope *frame, int64_t place);
void frame_slope_name(const struct frame_slope *frame, enum frame_slope_side side, int64_t place,
		      const struct frame_slope_label *label);
/** "3" beside the axis, or one bracket with "2–5" over the places that cannot be told apart. */
void frame_slope_places(const struct frame_slope *frame, enum frame_slope_side side, int64_t from, int64_t to,
			struct canvas_style style);
/** Where the margin zone beside the frame begins. */
double frame_slope_right(const struct frame_slope *frame);

#endif
