/*
 * Matched loss pairs: whether a setting that changes the arithmetic trains as its control does. Takes the campaign;
 * fills the document's loss_pairs[], and void[] where the reading (never the throughput) is void.
 */
#ifndef ANALYZE_LOSS_PAIR_H
#define ANALYZE_LOSS_PAIR_H

#include "analyze/campaign.h"

/* Losses of this many last common steps are averaged when the plan gives no `steps`. */
#define LOSS_PAIR_STEPS 10
/* A run whose learning rate stays at or below this share of its peak has not trained. */
#define LOSS_PAIR_TRAINED_RATIO 0.1

/** A row a planned pair. Source: STATISTICS.md section 8, untrained probe */
void loss_pairs_add(const struct campaign *campaign, struct analysis_doc *doc);

/** Whether quality is open: a planned pair is not inside, or the arithmetic changes and no pair is planned. */
bool loss_pairs_open(const struct analysis_doc *doc, const struct plan_setting *setting);

/** Findings and open questions of the pairs. */
void loss_pairs_tell(struct analysis_doc *doc);

#endif
