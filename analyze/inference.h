/*
 * What the verdicts of settings that probe the network imply together. Takes the judged effects of the slices and the
 * plan's `probes`; fills the document's inference[].
 */
#ifndef ANALYZE_INFERENCE_H
#define ANALYZE_INFERENCE_H

#include "analyze/campaign.h"

/**
 * The most that the LL128 protocol costs by itself, percent of throughput: 8 of its 128 bytes a line are flags, so a
 * payload bound by bandwidth moves at 120/128 of the rate, and a step that is all communication runs at that.
 */
#define INFERENCE_LL128_TAX_PERCENT (100.0 * (120.0 / 128.0 - 1))

/**
 * A row a slice on which a setting with less bandwidth was resolved, or did no worse than its protocol's own tax.
 *
 * - less bandwidth and a loss: the payload is bound by bandwidth; with less latency, and a gain: by latency
 * - more bandwidth, or fewer bytes, and a gain: support
 * - fewer launches, fewer hops or less latency without effect: explained by bandwidth; with a gain: contradicted
 * - more channels without a gain: a qualification
 *
 * Benchmarks take no part (their payload is chosen), nor do single pairs, void effects and settings of which nothing
 * shows that they were in effect. Source: STATISTICS.md section 6.
 */
void inference_add(const struct campaign *campaign, struct analysis_doc *doc);

/** The findings of the rows. */
void inference_tell(struct analysis_doc *doc);

#endif
