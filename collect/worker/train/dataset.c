#include "collect/worker/train/dataset.h"

#include "collect/worker/train/splitmix64.h"

#include <math.h>

/* Streams of one seed, far from those of the weights (mlp.c). */
enum { STREAM_SAMPLES = 1000, STREAM_HIDDEN, STREAM_OUTPUT };

void dataset_init(struct dataset *dataset, uint64_t seed)
{
	uint64_t hidden = splitmix64_at(seed, STREAM_HIDDEN), output = splitmix64_at(seed, STREAM_OUTPUT);
	const float hidden_scale = 1 / sqrtf(DATASET_INPUTS), output_scale = 1 / sqrtf(DATASET_TEACHER);

	dataset->seed = splitmix64_at(seed, STREAM_SAMPLES);
	for (size_t i = 0; i < DATASET_INPUTS; i++)
		for (size_t h = 0; h < DATASET_TEACHER; h++)
			dataset->hidden[i][h] =
				hidden_scale * splitmix64_unit_variance(hidden, i * DATASET_TEACHER + h);
	for (size_t h = 0; h < DATASET_TEACHER; h++)
		for (size_t t = 0; t < DATASET_TARGETS; t++)
			dataset->output[h][t] =
				output_scale * splitmix64_unit_variance(output, h * DATASET_TARGETS + t);
}

static void teach(const struct dataset *dataset, const float *inputs, float *ret_targets)
{
	float hidden[DATASET_TEACHER] = {0};

	for (size_t i = 0; i < DATASET_INPUTS; i++)
		for (size_t h = 0; h < DATASET_TEACHER; h++)
			hidden[h] += inputs[i] * dataset->hidden[i][h];
	for (size_t t = 0; t < DATASET_TARGETS; t++)
		ret_targets[t] = 0;
	for (size_t h = 0; h < DATASET_TEACHER; h++) {
		float active = tanhf(hidden[h]);
		for (size_t t = 0; t < DATASET_TARGETS; t++)
			ret_targets[t] += active * dataset->output[h][t];
	}
}

void dataset_fill(const struct dataset *dataset, uint64_t first, size_t n, float *ret_inputs, float *ret_targets)
{
	for (size_t row = 0; row < n; row++) {
		uint64_t seed = splitmix64_at(dataset->seed, first + row);
		float *inputs = ret_inputs + row * DATASET_INPUTS;
		for (size_t i = 0; i < DATASET_INPUTS; i++)
			inputs[i] = splitmix64_unit_variance(seed, i);
		teach(dataset, inputs, ret_targets + row * DATASET_TARGETS);
	}
}
