/*
 * The effect of one setting against its control on one harness: pairs by block, completion, and the design that the
 * data allow (paired, one block, single pair, cross-job). Takes the campaign and the floors; gives a row of the
 * document whose verdict waits for the family (effect_judge).
 */
#ifndef ANALYZE_EFFECT_H
#define ANALYZE_EFFECT_H

#include "analyze/campaign.h"
#include "analyze/floor.h"
#include "analyze/validity.h"
#include "analyze/verdict.h"

enum effect_role {
	EFFECT_FAMILY,     /* a declared setting: validity is judged, voids and confounds are listed */
	EFFECT_RELABELLED, /* a renamed arm, outside the family */
	EFFECT_SUB_ARM,    /* one plugin version of a setting, outside the family */
};

struct effect_request {
	const struct plan_harness *harness;
	const struct plan_setting *setting; /* the declared treatment */
	enum effect_role role;
	const char *setting_name, *control_name; /* as the row shows them */
	struct arm_filter treatment, control;
};

struct effect {
	struct doc_effect row;
	const struct plan_harness *harness;
	const struct plan_setting *setting;
	enum effect_role role;
	enum verdict_case verdict_case;
	double lo95, hi95, lo90, hi90; /* logs */
	double paired_sd;
	int64_t tried;
	bool unverified, when_it_finishes, knob_unchanged, mixed_versions, voided_complete;
	bool quality_open; /* changes the arithmetic, and no matched loss pair has cleared it; set before judging */
};

/* One block's two arms and what is wrong with them. */
struct pair {
	const char *block;
	struct arm control, treatment;
	struct factor_differences *confounds; /* owned */
	const char *void_check;               /* NULL: valid */
	char *void_reason;                    /* owned */
	bool batch_differs;
};

struct effect_pairs {
	struct pair *items;
	size_t n;
};

void effect_pairs_of(const struct campaign *campaign, const struct effect_request *request, struct effect_pairs *ret);
void effect_pairs_release(struct effect_pairs *pairs);
CLEANUP_VALUE(struct effect_pairs, effect_pairs_release)

static inline bool pair_started(const struct pair *pair)
{
	return pair->control.started && pair->treatment.started;
}

static inline bool pair_usable(const struct pair *pair)
{
	return !pair->void_check && pair->control.n_y > 0 && pair->treatment.n_y > 0;
}

/** Everything but p_holm, verdict, qualifiers and what follows from them. */
void effect_measure(const struct campaign *campaign, const struct effect_request *request, const struct floors *floors,
		    struct effect *ret);

/** The estimate of the pairs (or across jobs) into the effect: design, gain, intervals, p, floor. */
void effect_estimate(const struct campaign *campaign, const struct effect_request *request, const struct floors *floors,
		     const struct effect_pairs *pairs, struct effect *effect);

/** Verdict, qualifiers, adoptable, hypothesis, blocks to settle, from a measured effect with its p_holm. */
void effect_judge(const struct plan *plan, struct effect *effect);

/** Holm over the family effects of one harness; others keep their own p. */
void effect_holm(struct effect *effects, size_t n);

#endif
