/*
 * The program of a planned run: its arguments and environment, for an allocation that this process runs in. Knows
 * mpirun and the worker's command line; starts nothing.
 */
#ifndef COLLECT_LAUNCHER_H
#define COLLECT_LAUNCHER_H

#include "assay/record.h"

struct launch {
	struct string_list argv;
	struct string_list env; /* "NAME=value" */
};
void launch_release(struct launch *launch);
CLEANUP_VALUE(struct launch, launch_release)

/**
 * A harness with a command runs it: {args} and {mpirun_args}, as arguments of their own, become the setting's;
 * {run_dir} and {steps} are replaced inside arguments; there is no shell. A benchmark without one runs assay's worker
 * under mpirun.
 *
 * @param run_dir  the run's working folder, absolute
 * @return 0; ERROR_DATA (an unknown {name}); ERROR_ENVIRONMENT (no mpirun, no worker, with what to install)
 */
int launch_build(const struct plan *plan, const struct plan_harness *harness, const struct plan_setting *setting,
		 const char *run_dir, struct launch *ret_launch, struct error *err);

#endif
