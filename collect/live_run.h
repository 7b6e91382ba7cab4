/*
 * One launch: the program of a planned run, watched and captured, turned into a run record. Writes nothing to the log.
 */
#ifndef COLLECT_LIVE_RUN_H
#define COLLECT_LIVE_RUN_H

#include "assay/collect.h"

#include <stddef.h>

enum { LIVE_OUT, LIVE_ERR, LIVE_STREAMS };

struct live_tick {
	double elapsed_s;
	int64_t step; /* the last one a slice logged, or RECORD_UNSET */
	double loss;  /* the last one it logged, or NAN */
};

struct live_run_spec {
	const struct plan *plan;
	const struct planned_run *planned;
	const char *directory; /* the campaign's, absolute */
	const char *block;
	int64_t attempt;
	size_t output_max_bytes;             /* of both streams; 0: 512 MiB */
	const volatile sig_atomic_t *cancel; /* may be NULL */
	double stop_grace_s;                 /* a slice's after its last planned step; 0: 10 s, see step_watch_init() */
	void (*tick)(void *context, const struct live_tick *tick);
	void *context;
};

struct live_run {
	struct run_record *run;
	struct text output[LIVE_STREAMS]; /* as it came */
};
void live_run_release(struct live_run *live);
CLEANUP_VALUE(struct live_run, live_run_release)

/** "<block>/<position>.<attempt>" on the heap. */
char *live_run_id(const char *block, int64_t position, int64_t attempt);

/**
 * Run it in a fresh folder runs/<block>-<position>.<attempt> of the campaign, which is taken away again when the
 * program left nothing there. However the program ends, that is the run's status and no error; what a lost run printed
 * is read as far as it goes. A slice that has logged the steps its harness asks for and goes on is stopped, which is a
 * run that is ok.
 *
 * @return 0; ERROR_DATA, ERROR_ENVIRONMENT of launch_build(), or when no process or folder can be had
 */
int live_run(const struct live_run_spec *spec, struct live_run *ret_live, struct error *err);

#endif
