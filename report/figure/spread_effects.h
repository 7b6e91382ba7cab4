/*
 * The lower half of the spread figure: the effects of one harness climb through its rows to the first floor that hides
 * them, and are named below the axis.
 */
#ifndef REPORT_FIGURE_SPREAD_EFFECTS_H
#define REPORT_FIGURE_SPREAD_EFFECTS_H

#include "assay/record.h"
#include "report/figure/frame_row.h"

/* One harness: its rows from coarse to fine, and its effects. */
struct spread_group {
	const char *harness;
	const struct doc_spread *rows[4];
	double heights[4]; /* of the rows, points */
	double tops[4];    /* of the drawn rows, points */
	size_t n_rows;
	const struct doc_effect **effects; /* by gain */
	size_t n_effects;
};

/** Whether an effect is declared, has a number, and is of the harness. */
bool spread_effects_are(const struct doc_effect *effect, const char *harness);
/** The effects of a harness by gain, into an empty group that names it; the array is the group's, freed by the caller.
 */
void spread_effects_find(const struct analysis_doc *doc, struct spread_group *group);
/** The lines from the axis (its y, points) up through the drawn rows. */
void spread_effects_climb(const struct frame_row *frame, const struct spread_group *group, double axis);
/** The names below the axis, where the layout stands. @return the height they take */
double spread_effects_name(const struct frame_row *frame, const struct analysis_doc *doc,
			   const struct spread_group *group, enum layout_mode mode);

#endif
