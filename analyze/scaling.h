/*
 * Scaling series: what a GPU does on more nodes than the reference's, and what else differs between the two. The one
 * place that decides whether a point is confounded and which control is missing. Takes the runs of the campaign; fills
 * the document's scaling[].
 */
#ifndef ANALYZE_SCALING_H
#define ANALYZE_SCALING_H

#include "analyze/campaign.h"

/**
 * A row a planned series, its points by nodes, with an open question for each control that was not run.
 *
 * Confounds are micro-steps, batch, data type and cluster; versions are listed and do not confound. A second cluster
 * does not confound when the single-node runs of both are equivalent within the margin: the 90 % Welch interval of the
 * difference of their block means (logs, two blocks each at least) lies inside it. Not done: a correction for hardware
 * that differs, and a test of the loss itself.
 *
 * Source: STATISTICS.md section 8; Schuirmann 1987
 */
void scaling_add(const struct campaign *campaign, struct analysis_doc *doc);

/** Findings: confounded points, points of a single run, two slices that lie far apart. */
void scaling_tell(struct analysis_doc *doc);

/** Whether both micro-steps are known and differ. */
bool scaling_other_regime(const struct doc_scaling_point *point, const struct doc_scaling_point *reference);

/** Whether a point is of the size of the reference: a control, not a claim. */
bool scaling_same_size(const struct doc_scaling_point *point, const struct doc_scaling_point *reference);

/** "one node at global batch 264": the reference's size in the point's regime; heap. */
char *scaling_control_words(const struct doc_scaling_point *point, const struct doc_scaling_point *reference);

#endif
