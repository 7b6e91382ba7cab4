/*
 * Gradient descent with momentum, and the rate's linear warm-up.
 */
#ifndef COLLECT_WORKER_TRAIN_OPTIMIZER_H
#define COLLECT_WORKER_TRAIN_OPTIMIZER_H

#include "collect/worker/train/mlp.h"

/** The rate of a step, from 1: lr * step / warmup_steps up to step warmup_steps, then lr. */
double optimizer_rate(double lr, int64_t warmup_steps, int64_t step);

/** The gradients' Euclidean norm, summed in double. */
double optimizer_norm(const struct mlp *mlp);

/** velocity = momentum * velocity + gradient; parameter -= rate * velocity. velocity[n_parameters] begins as zeros. */
void optimizer_step(struct mlp *mlp, double rate, double momentum, float *velocity);

#endif
