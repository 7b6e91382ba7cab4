/*
 * The loss that a run logs, step by step, and how far its learning rate got. Takes one run with its tables loaded; kept
 * only for runs that a planned loss pair names, since tables are dropped once a run is read.
 */
#ifndef ANALYZE_LOSS_SERIES_H
#define ANALYZE_LOSS_SERIES_H

#include "assay/record.h"

struct loss_series {
	double *steps, *values; /* [n] each, in the order of the log; a loss that is no number is NAN */
	size_t n;
	double max_lr; /* NAN when no learning rate was logged */
};

/** Whether a planned loss pair compares runs of this harness and setting (or of the control of its setting). */
bool loss_series_wanted(const struct plan *plan, const struct run_record *run);

/** Empty for a lost run, and for one that logs no loss. */
void loss_series_of(const struct run_record *run, struct loss_series *ret);
void loss_series_release(struct loss_series *series);

#endif
