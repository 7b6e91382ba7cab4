/*
 * What identical runs of a harness differ by, a run a dot, beside the floor that this makes and the effects that it
 * hides. Takes the runs and the floors of one harness and the effects already in the document; fills the document's
 * spread[].
 */
#ifndef ANALYZE_SPREAD_H
#define ANALYZE_SPREAD_H

#include "analyze/floor.h"

/**
 * Two rows a harness with two or more runs that have a number: within_job, each run of an arm with two or more runs of
 * its setting in its block, from the median of these; cross_job, each control run, from the median of all of them.
 * A deviation is of throughput, percent: 100 (exp(median y - y) - 1), positive is faster. The spread is
 * (max - min) / median of the times per unit; within a job each time is divided first by the median of its setting and
 * block, so that settings do not count as spread.
 *
 * @param floors  of the harness, for the plan's control
 * @param doc     holds the effects of this harness
 * Source: STATISTICS.md section 2
 */
void spread_add(const struct campaign *campaign, const struct plan_harness *harness, const struct floors *floors,
		struct analysis_doc *doc);

/** A finding a benchmark whose floor hides half of its effects or more. */
void spread_tell(struct analysis_doc *doc);

#endif
