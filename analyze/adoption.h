/*
 * What a campaign says about adoption: which settings may be, which have no number and why, which expectation was
 * refuted, which numbers rank and do not size, what stays open. Reads the document's effects and lost runs; adds
 * findings.
 */
#ifndef ANALYZE_ADOPTION_H
#define ANALYZE_ADOPTION_H

#include "analyze/campaign.h"

/** Whether a declared setting was tried on a harness and no arm of it finished. */
bool adoption_never_finished(const struct doc_effect *effect);

/** Settings that never finished, had no control in their job, or showed no sign of being in effect; and expectations
 * that were refuted. */
void adoption_tell_losses(const struct campaign *campaign, struct analysis_doc *doc);

/** What is adoptable among the settings that were tried on slices, and what the size of a slice allows to say. */
void adoption_tell(const struct campaign *campaign, struct analysis_doc *doc);

/** The open questions, counted. To be called last. */
void adoption_tell_open(struct analysis_doc *doc);

#endif
