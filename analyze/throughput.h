/*
 * Steady throughput of slices, by setting, in the unit that people count in. Takes the runs of the campaign; fills the
 * document's throughput[]. No controlled comparison: that is the effects' work.
 */
#ifndef ANALYZE_THROUGHPUT_H
#define ANALYZE_THROUGHPUT_H

#include "analyze/work_unit.h"

/* The unit that one slice is counted in. */
struct throughput_unit {
	char *name; /* of the whole job: "images/s"; NULL when no run has a number */
	struct work_unit unit;
	bool printed; /* as the log prints it; else made from the time of a step */
};

void throughput_unit_release(struct throughput_unit *unit);
CLEANUP_VALUE(struct throughput_unit, throughput_unit_release)

/** The printed unit; else tokens/s where the plan has tokens_per_step; else samples/s where every completed run has a
 * global batch; else steps/s. */
void throughput_unit_of_slice(const struct campaign *campaign, const struct plan_harness *harness,
			      struct throughput_unit *ret);

/* One run; NAN where not known. */
struct throughput {
	double whole, per_gpu; /* work/s */
};

/** exp(-y) times the work of y's unit, of the whole job and a GPU; NAN for a run without a number or of another unit.
 * A step is the work of all GPUs: steps/s have no share a GPU. */
struct throughput throughput_of_run(const struct throughput_unit *unit, const struct campaign_run *run);

/** Arm runs of one setting with a throughput, not contradicted: ret_runs[campaign->n_runs], in the order of the log. */
size_t throughput_runs(const struct campaign *campaign, const struct plan_harness *harness, const char *setting,
		       const struct throughput_unit *unit, const struct campaign_run **ret_runs);

/** Different blocks among runs[n]. */
int64_t throughput_blocks(const struct campaign_run *const *runs, size_t n);

/**
 * A row a slice and setting with a completed run: median, best and worst of the runs; the change against its control's
 * median; the single-node reference of the scaling series that holds the slice as its ceiling (same setting, else the
 * control's).
 *
 * Source: STATISTICS.md section 1 (response)
 */
void throughput_add(const struct campaign *campaign, struct analysis_doc *doc);

#endif
