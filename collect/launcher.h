/*
 * The program of a planned run: its arguments and environment, for an allocation that this process runs in. Knows
 * mpirun and the worker's command line; starts nothing.
 */
#ifndef COLLECT_LAUNCHER_H
#define COLLECT_LAUNCHER_H

#include "assay/record.h"

enum { LAUNCH_RANKS_DEFAULT = 2 }; /* of a benchmark whose harness says none */

struct launch {
	struct string_list argv;
	struct string_list env; /* "NAME=value" */
};
void launch_release(struct launch *launch);
CLEANUP_VALUE(struct launch, launch_release)

struct launch_spec {
	const struct plan *plan;
	const struct plan_harness *harness;
	const struct plan_setting *setting;
	const char *run_dir; /* the run's working folder, absolute */
	const char *block;
};

/**
 * A harness with a command runs it: {args}, as an argument of its own, becomes the setting's; {mpirun_args} what Open
 * MPI's mpirun is given for a benchmark too (the launcher's and the setting's arguments, those that report the
 * transport, the names of the setting's env); {libexec} (the folder of assay's workers), {run_dir}, {steps} and {seed}
 * (a number drawn from the plan's seed and the block, the same for every arm of it) are replaced inside arguments;
 * there is no shell. mpirun as the first argument is allowed to run as root when we are. A benchmark without a command
 * runs assay's worker under mpirun.
 *
 * The program must be there: one that cannot be started would otherwise be found out run by run. Only a setting whose
 * env has a PATH of its own is believed.
 *
 * @return 0; ERROR_DATA (an unknown {name}, a program named by a relative path); ERROR_ENVIRONMENT (no mpirun, no
 *         worker, no such program, with what to do)
 */
int launch_build(const struct launch_spec *spec, struct launch *ret_launch, struct error *err);

#endif
