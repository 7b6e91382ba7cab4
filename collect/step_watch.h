/*
 * The steps of a slice while it runs: reads what its log has new, tells the last step and loss, and when a program that
 * trains on past its planned steps is to be stopped. Takes growing bytes; starts and stops nothing.
 */
#ifndef COLLECT_STEP_WATCH_H
#define COLLECT_STEP_WATCH_H

#include "assay/record.h"
#include "base/text.h"
#include "collect/import/format.h"

#include <stdbool.h>

enum { STEP_WATCH_LOGS = 2 }; /* standard output and error */

struct step_watch {
	const struct plan_harness *harness;
	const struct plan_setting *setting;
	double grace_s;
	const struct import_format *format; /* what was recognised so far, or NULL */
	size_t read[STEP_WATCH_LOGS];       /* bytes, up to the end of a line */
	size_t searched[STEP_WATCH_LOGS];   /* bytes looked at for the end of a line */
	int64_t first, second, step;        /* logged numbers: the first two, the last; RECORD_UNSET before */
	double loss;                        /* the last one logged, or NAN */
	double step_s;                      /* time of the last step: as logged, else between two sightings; or NAN */
	double seen_s;                      /* when the last step was first seen */
	int64_t planned;                    /* number of the last planned step; RECORD_UNSET when the plan has none */
	double stop_s;                      /* when to stop the program; NAN until the last planned step was read */
};

/** @param grace_s  time that a program has to end by itself after its last planned step, at least; 0: 10 s */
void step_watch_init(struct step_watch *watch, const struct plan_harness *harness, const struct plan_setting *setting,
		     double grace_s);

/**
 * Read the lines that came since the last call: its cost is theirs, up to a bound; of more, the last ones are read.
 * What cannot be read is left to the reading of the whole log.
 *
 * @param logs       [STEP_WATCH_LOGS] all bytes so far
 * @param elapsed_s  since the program began
 */
void step_watch_read(struct step_watch *watch, const struct text *logs, double elapsed_s);

/** Whether every planned step was read. */
bool step_watch_complete(const struct step_watch *watch);

/** Whether the grace after the last planned step (or twice that step's time, if longer) is over. */
bool step_watch_is_due(const struct step_watch *watch, double elapsed_s);

#endif
