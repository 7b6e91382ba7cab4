/*
 * The communication fraction of a slice, solved from settings that change the payload. Takes the judged effects of one
 * harness; fills the document's communication_fraction[] and communication_fraction_multi[].
 */
#ifndef ANALYZE_COMM_FRACTION_H
#define ANALYZE_COMM_FRACTION_H

#include "analyze/effect.h"

/** A row a declared setting with a payload ratio, and a fit where one control has settings of several ratios.
 * Source: STATISTICS.md section 6 */
void comm_fraction_add(const struct campaign *campaign, const struct plan_harness *harness,
		       const struct effect *effects, size_t n_effects, struct analysis_doc *doc);

/** Findings and open questions of the fractions. */
void comm_fraction_tell(struct analysis_doc *doc);

#endif
