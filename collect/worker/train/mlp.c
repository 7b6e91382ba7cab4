#include "collect/worker/train/mlp.h"

#include "collect/worker/train/splitmix64.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void init_weights(struct mlp *mlp, uint64_t seed)
{
	for (size_t l = 0; l < mlp->shape.layers; l++) {
		const struct mlp_layer *layer = &mlp->layers[l];
		/* A stream a layer, so that a layer's weights do not depend on the sizes of others. */
		uint64_t stream = splitmix64_at(seed, l);
		float scale = 1 / sqrtf((float)layer->inputs);
		for (size_t i = 0; i < layer->inputs * layer->outputs; i++)
			mlp->parameters[layer->offset + i] = scale * splitmix64_unit_variance(stream, i);
	}
}

void mlp_init(struct mlp *mlp, const struct mlp_shape *shape, uint64_t seed)
{
	*mlp = (struct mlp){.shape = *shape, .layers = mem_new(shape->layers, sizeof(*mlp->layers))};
	for (size_t l = shape->layers; l-- > 0;) {
		struct mlp_layer *layer = &mlp->layers[l];
		layer->inputs = l == 0 ? shape->inputs : shape->width;
		layer->outputs = l + 1 == shape->layers ? shape->targets : shape->width;
		layer->offset = mlp->n_parameters;
		layer->activation = mem_new(shape->rows * layer->outputs, sizeof(*layer->activation));
		layer->delta = mem_new(shape->rows * layer->outputs, sizeof(*layer->delta));
		mlp->n_parameters += (layer->inputs + 1) * layer->outputs;
	}
	mlp->parameters = mem_new(mlp->n_parameters, sizeof(*mlp->parameters));
	mlp->gradients = mem_new(mlp->n_parameters, sizeof(*mlp->gradients));
	init_weights(mlp, seed);
}

void mlp_release(struct mlp *mlp)
{
	for (size_t l = 0; mlp->layers && l < mlp->shape.layers; l++) {
		free(mlp->layers[l].activation);
		free(mlp->layers[l].delta);
	}
	free(mlp->layers);
	free(mlp->parameters);
	free(mlp->gradients);
	*mlp = (struct mlp){0};
}

void mlp_zero_gradients(struct mlp *mlp)
{
	memset(mlp->gradients, 0, mlp->n_parameters * sizeof(*mlp->gradients));
}

static const float *layer_inputs(const struct mlp *mlp, size_t l)
{
	return l == 0 ? mlp->inputs : mlp->layers[l - 1].activation;
}

void mlp_forward(struct mlp *mlp, size_t l, const float *inputs)
{
	const struct mlp_layer *layer = &mlp->layers[l];
	const size_t n_in = layer->inputs, n_out = layer->outputs, rows = mlp->shape.rows;
	const float *weights = mlp->parameters + layer->offset, *biases = weights + n_in * n_out;

	if (l == 0)
		mlp->inputs = inputs;
	const float *x = layer_inputs(mlp, l);
	for (size_t row = 0; row < rows; row++)
		memcpy(layer->activation + row * n_out, biases, n_out * sizeof(*biases));
	/* A row of weights is used for every sample while the cache holds it. */
	for (size_t i = 0; i < n_in; i++)
		for (size_t row = 0; row < rows; row++) {
			float *restrict y = layer->activation + row * n_out;
			const float *restrict w = weights + i * n_out;
			float from = x[row * n_in + i];
#pragma omp simd
			for (size_t o = 0; o < n_out; o++)
				y[o] += from * w[o];
		}
	if (l + 1 < mlp->shape.layers)
		for (size_t i = 0; i < rows * n_out; i++)
			layer->activation[i] = tanhf(layer->activation[i]);
}

double mlp_loss(struct mlp *mlp, const float *targets, double n_samples)
{
	const struct mlp_layer *last = &mlp->layers[mlp->shape.layers - 1];
	const double share = 1 / (n_samples * (double)last->outputs);
	double squares = 0;

	for (size_t i = 0; i < mlp->shape.rows * last->outputs; i++) {
		double miss = (double)last->activation[i] - (double)targets[i];
		squares += miss * miss;
		last->delta[i] = (float)(2 * miss * share);
	}
	return squares * share;
}

static void add_gradients(const struct mlp *mlp, size_t l)
{
	const struct mlp_layer *layer = &mlp->layers[l];
	const size_t n_in = layer->inputs, n_out = layer->outputs, rows = mlp->shape.rows;
	float *weights = mlp->gradients + layer->offset, *biases = weights + n_in * n_out;
	const float *x = layer_inputs(mlp, l);

	for (size_t i = 0; i < n_in; i++)
		for (size_t row = 0; row < rows; row++) {
			float *restrict g = weights + i * n_out;
			const float *restrict delta = layer->delta + row * n_out;
			float from = x[row * n_in + i];
#pragma omp simd
			for (size_t o = 0; o < n_out; o++)
				g[o] += from * delta[o];
		}
	for (size_t row = 0; row < rows; row++)
		for (size_t o = 0; o < n_out; o++)
			biases[o] += layer->delta[row * n_out + o];
}

void mlp_backward(struct mlp *mlp, size_t l)
{
	const struct mlp_layer *layer = &mlp->layers[l];
	const size_t n_in = layer->inputs, n_out = layer->outputs;
	const float *weights = mlp->parameters + layer->offset;

	add_gradients(mlp, l);
	if (l == 0)
		return;
	const struct mlp_layer *before = &mlp->layers[l - 1];
	for (size_t i = 0; i < n_in; i++)
		for (size_t row = 0; row < mlp->shape.rows; row++) {
			const float *restrict w = weights + i * n_out;
			const float *restrict delta = layer->delta + row * n_out;
			float sum = 0;
#pragma omp simd reduction(+ : sum)
			for (size_t o = 0; o < n_out; o++)
				sum += w[o] * delta[o];
			float active = before->activation[row * n_in + i];
			before->delta[row * n_in + i] = sum * (1 - active * active);
		}
}
