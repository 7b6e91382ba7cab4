/*
 * The command line of the trainer, and whether its batch can be divided.
 */
#ifndef COLLECT_WORKER_TRAIN_TRAIN_OPTIONS_H
#define COLLECT_WORKER_TRAIN_TRAIN_OPTIONS_H

#include "base/error.h"
#include "collect/worker/train/comm_thread.h"

#include <stdint.h>

struct train_options {
	int64_t steps;        /* --steps */
	int64_t global_batch; /* --global-batch: samples of a step, over all ranks and micro-steps */
	int64_t micro_batch;  /* --micro-batch: samples of a micro-step on a rank */
	int64_t warmup_steps; /* --warmup-steps: over which the rate rises linearly; 0: none */
	int64_t seed;         /* --seed */
	int64_t layers;       /* --layers: of weights */
	int64_t width;        /* --width: of the hidden ones */
	int64_t log_every;    /* --log-every: steps a line covers */
	double lr;            /* --lr */
	double momentum;      /* --momentum, in [0, 1) */
	double bucket_mb;     /* --bucket-mb: MiB of float32 gradients */
	double throttle_mbit; /* --throttle-mbit: Mbit/s a rank may send, for studies; 0: unhindered */
	enum grad_dtype grad_dtype;
	const char *trace; /* --trace: a file that rank 0 writes; NULL: none */
};

/** @return 0; ERROR_USAGE: an option that is unknown, lacks its value, or has one that it cannot have */
int train_options_parse(int argc, char *const *argv, struct train_options *ret_options, struct error *err);

/**
 * The micro-steps of a step: global_batch / (n_ranks * micro_batch).
 *
 * @return 0; ERROR_USAGE: the division leaves a rest
 */
int train_options_micro_steps(const struct train_options *options, int n_ranks, int64_t *ret_micro_steps,
			      struct error *err);

#endif
