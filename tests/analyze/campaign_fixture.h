/* Campaigns in memory, a run a row. */
#ifndef CAMPAIGN_FIXTURE_H
#define CAMPAIGN_FIXTURE_H

#include "analyze/campaign.h"

struct fixture_run {
	const char *block;
	size_t harness, setting; /* indices of the plan's */
	double time;             /* per unit of work; 0: the run crashed */
	const char *unit;        /* what the time inverts, NULL: "s" */
	enum run_role role;
	enum network_status network;
	int64_t global_batch; /* as reported; 0: not */
	const char *cluster, *nccl, *dtype;
};

/** A slice of the plan with micro-batches of 1; nothing else is planned. */
struct plan_harness fixture_slice(const char *name, int64_t nodes, int64_t ranks, int64_t global_batch);
/** Release with fixture_release(); the plan stays the caller's. */
void fixture_fill(const struct plan *plan, const struct fixture_run *rows, size_t n, struct campaign *ret);
void fixture_release(struct campaign *campaign);
CLEANUP_VALUE(struct campaign, fixture_release)

#endif
