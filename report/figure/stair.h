/*
 * Stair labels: names of marks on an axis, below it, on steps whose leaders never cross a text. Left-hand labels run
 * leftwards; what lies off the axis is text with an arrow at its side.
 */
#ifndef REPORT_FIGURE_STAIR_H
#define REPORT_FIGURE_STAIR_H

#include "report/layout.h"

#include <stdbool.h>

#define STAIR_STEP 10.4

enum stair_place { STAIR_ON_AXIS, STAIR_BEYOND_LEFT, STAIR_BEYOND_RIGHT };

struct stair_label {
	double x; /* of the mark, points; unused off the axis */
	enum stair_place place;
	const char *name, *value; /* the name is cut where it does not fit, the value never */
	struct canvas_colour colour;
	/* set by stair_place_labels: */
	int step;
	bool leftwards;
	double from, to; /* what the text and its leader take */
};

/**
 * Choose the steps. On-axis labels in ascending x; those beyond anywhere.
 *
 * @param left, right  the text stays between them
 * @return the number of steps
 */
int stair_place_labels(struct canvas *canvas, struct stair_label *labels, size_t n, double left, double right);
/** Draw the labels and their leaders below `y`, the axis. */
void stair_draw(struct canvas *canvas, const struct stair_label *labels, size_t n, double y);

#endif
