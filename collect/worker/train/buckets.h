/*
 * How the gradients are cut for the all-reduce: ranges of the flat array, which begins with the last layer. A bucket is
 * ready once the layer that holds its last gradient has had its backward pass.
 */
#ifndef COLLECT_WORKER_TRAIN_BUCKETS_H
#define COLLECT_WORKER_TRAIN_BUCKETS_H

#include "collect/worker/train/mlp.h"

struct bucket {
	size_t first, n; /* gradients */
};

struct buckets {
	struct bucket *items; /* bucket 0 is ready first */
	size_t n;
};

/** Buckets of `mb` MiB of float32 gradients, whatever type is sent, so that their number does not depend on it. */
void buckets_init(struct buckets *buckets, const struct mlp *mlp, double mb);
void buckets_release(struct buckets *buckets);
CLEANUP_VALUE(struct buckets, buckets_release)

/** How many buckets are ready when a layer's backward pass, and so those of all layers after it, ended. */
size_t buckets_ready(const struct buckets *buckets, const struct mlp *mlp, size_t layer);

#endif
