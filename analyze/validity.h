/*
 * Validity of a comparison: the network each run reports against what its setting expects, the name of what ran, and
 * the factors in which two arms differ beyond what the setting declares. Takes runs of the campaign; computes no
 * effect.
 */
#ifndef ANALYZE_VALIDITY_H
#define ANALYZE_VALIDITY_H

#include "analyze/campaign.h"

/** What the run's setting expects (its own, else the plan's), or NULL. */
const struct plan_expect *validity_expect(const struct plan *plan, const struct plan_setting *setting);

enum network_status validity_network(const struct plan *plan, const struct campaign_run *run);
const char *validity_network_name(enum network_status status);

/** The declared name, or `<declared>@<factor>=<observed>` of a run that contradicts its expect; heap. */
char *validity_observed_name(const struct plan *plan, const struct campaign_run *run);

/** "AWS Libfabric aws-ofi-nccl 1.9.1-aws on 8 of 8 ranks"; heap. */
char *validity_evidence(const struct campaign_run *run);

/** "control arm reports ..., expected Socket"; heap. */
char *validity_contradiction(const struct plan *plan, const char *side, const struct campaign_run *run);

/** Ranks of a run: as logged, else as planned, or RECORD_UNSET. */
int64_t validity_ranks(const struct campaign_run *run);

/** Why an arm measures no steady state or not what it says (section 8, steady), or NULL. */
const char *validity_unsteady(const struct arm *arm);

struct factor_difference {
	char *factor, *control, *treatment;
	bool voids;
	bool batch; /* the work of a step differs: no gain can be read */
};

struct factor_differences {
	struct factor_difference *items;
	size_t n, capacity;
};
void factor_differences_release(struct factor_differences *differences);
CLEANUP_VALUE(struct factor_differences, factor_differences_release)

/** The recorded factors that differ between two arms beyond what the setting declares. */
void validity_confounds(const struct plan *plan, const struct plan_setting *setting, const struct arm *control,
			const struct arm *treatment, struct factor_differences *ret);

/** Both arms report a knob of the setting, and none of the reported ones changed. */
bool validity_knob_unchanged(const struct plan_setting *setting, const struct arm *control,
			     const struct arm *treatment);

#endif
