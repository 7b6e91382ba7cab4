/*
 * What a run's time stands for: the unit of a printed throughput, and the tokens or samples of a step. Takes one run
 * and its harness; converts between time per unit of work, time per step and throughput.
 */
#ifndef ANALYZE_WORK_UNIT_H
#define ANALYZE_WORK_UNIT_H

#include "analyze/campaign.h"

enum work_kind { WORK_STEPS, WORK_SAMPLES, WORK_TOKENS, WORK_OTHER };

struct work_unit {
	enum work_kind kind;
	bool per_gpu; /* printed for one GPU: "tokens/s/GPU" */
};

/** What a printed unit counts: "images/s" samples, "tokens/s/GPU" tokens a GPU, "s" steps. WORK_OTHER for NULL too. */
struct work_unit work_unit_of(const char *printed);

/** A unit's name for a whole job, without "/GPU"; heap. */
char *work_unit_whole(const char *printed);

/**
 * The work of one step of the whole job, as the run reports its batch, else as planned.
 *
 * @return 1 for steps; NAN when not known, and for tokens of a run whose batch is not the planned one
 */
double work_per_step(const struct plan_harness *harness, const struct run_record *run, enum work_kind kind);

#endif
