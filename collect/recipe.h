/*
 * What a run is made of, as a digest: runs of one harness and setting whose recipes differ measured different things.
 * Takes a plan, gives hex.
 */
#ifndef COLLECT_RECIPE_H
#define COLLECT_RECIPE_H

#include "assay/record.h"
#include "base/digest.h"

/**
 * SHA-256 of what the plan says is run and read for a harness and setting: the launcher's mpirun_args; the harness's
 * kind, nodes, ranks, backend, op, dtype, placement, bytes, warmup, iterations, command, steps, discard, format,
 * pattern, units; the setting's env, args, mpirun_args. Names, deadlines, design and whatever only the analysis uses
 * are no part of it, nor is the order in which env and units were written.
 */
void recipe_digest(const struct plan *plan, const struct plan_harness *harness, const struct plan_setting *setting,
		   char ret_hex[DIGEST_HEX]);

#endif
