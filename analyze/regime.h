/*
 * The regime of a slice: micro-steps = global batch / (ranks * micro-batch). Slices of one regime split their step
 * alike, whatever their size; what does not follow is said in a finding. Takes the plan and what the runs report.
 */
#ifndef ANALYZE_REGIME_H
#define ANALYZE_REGIME_H

#include "analyze/campaign.h"

/* As planned, else as every run reports; RECORD_UNSET when unknown or when the runs differ. */
struct regime {
	int64_t nodes, ranks, micro_batch, global_batch, micro_steps;
};

/** global_batch / (ranks * micro_batch), or RECORD_UNSET when one is unknown or it does not divide. */
int64_t regime_micro_steps(int64_t global_batch, int64_t ranks, int64_t micro_batch);

/** Micro-steps as a run logs them, else from its batch and ranks. */
int64_t regime_of_run(const struct campaign_run *run);

/** From the plan alone. */
struct regime regime_planned(const struct plan_harness *harness);
struct regime regime_of(const struct campaign *campaign, const struct plan_harness *harness);

/** Findings: slices that share a regime at different sizes, also with the target. What a scaling series makes of
 * regimes that differ is scaling's. Source: STATISTICS.md section 8 */
void regime_add(const struct campaign *campaign, struct analysis_doc *doc);

#endif
