/*
 * The training loop of a rank: micro-steps, the hand-over of buckets to the communication thread, the optimizer.
 */
#ifndef COLLECT_WORKER_TRAIN_TRAINER_H
#define COLLECT_WORKER_TRAIN_TRAINER_H

#include "collect/worker/train/place.h"
#include "collect/worker/train/train_options.h"

/**
 * Train and log; MPI has begun (MPI_THREAD_SERIALIZED) and is not ended.
 *
 * Loss curves of any number of ranks, transport or micro batch agree at an equal global batch to a relative 2e-6 over
 * 30 steps of the default shape with float32 gradients (2e-7 seen): only the order of float32 additions differs, losses
 * are summed in double. With bfloat16 they part by more than 1e-5.
 *
 * @return 0; ERROR_USAGE: a batch that cannot be divided; ERROR_ENVIRONMENT, on this rank alone: no thread, or output
 * that cannot be written; ERROR_DATA: the ranks' parameters differ at the end, so the all-reduce gave them different
 * sums
 */
int trainer_run(const struct train_options *options, const struct place *place, struct error *err);

#endif
