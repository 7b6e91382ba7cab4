/*
 * The loss that a run logs, step by step, and how far its learning rate got. Takes one run with its tables loaded; kept
 * only for runs that a planned loss pair names, since tables are dropped once a run is read.
 */
#ifndef ANALYZE_LOSS_SERIES_H
#define ANALYZE_LOSS_SERIES_H

#include "assay/record.h"

/* A rate that did not rise over this many last logged steps has left its warm-up. */
#define LOSS_SERIES_SETTLED_STEPS 10

struct loss_series {
	double *steps, *values, *rates; /* [n] each, in the order of the log; NAN where none is logged */
	size_t n;
	double max_lr; /* NAN when no learning rate was logged */
	bool numbered; /* a step is logged; else `steps` are all NAN and no two series can be aligned */
	bool diverged; /* the series ends in losses that are no number */
};

/** Whether a planned loss pair compares runs of this harness and setting (or of the control of its setting). */
bool loss_series_wanted(const struct plan *plan, const struct run_record *run);

/** Empty for a lost run, and for one that logs no loss. */
void loss_series_of(const struct run_record *run, struct loss_series *ret);

/** The last row logged for a step, or -1. */
int64_t loss_series_row(const struct loss_series *series, double step);
/** Mean of the last finite losses, up to `n` of them; NAN without any. */
double loss_series_last_mean(const struct loss_series *series, int64_t n);
/** Whether the logged learning rate is above zero somewhere and does not rise over the last steps. */
bool loss_series_settled(const struct loss_series *series);

void loss_series_release(struct loss_series *series);

#endif
