/*
 * The task to learn: random inputs, and targets that a fixed small network of tanh units (the teacher) makes of them.
 * Sample number i is a function of seed and i alone; there is no end of samples and none comes twice.
 */
#ifndef COLLECT_WORKER_TRAIN_DATASET_H
#define COLLECT_WORKER_TRAIN_DATASET_H

#include <stddef.h>
#include <stdint.h>

enum { DATASET_INPUTS = 32, DATASET_TARGETS = 8, DATASET_TEACHER = 16 };

struct dataset {
	uint64_t seed;                                 /* of the samples */
	float hidden[DATASET_INPUTS][DATASET_TEACHER]; /* the teacher's weights */
	float output[DATASET_TEACHER][DATASET_TARGETS];
};

void dataset_init(struct dataset *dataset, uint64_t seed);

/** Samples first .. first + n - 1: inputs[n][DATASET_INPUTS], targets[n][DATASET_TARGETS], row-major. */
void dataset_fill(const struct dataset *dataset, uint64_t first, size_t n, float *ret_inputs, float *ret_targets);

#endif
