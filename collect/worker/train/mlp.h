/*
 * A multi-layer perceptron of tanh layers with a linear last one, mean squared error, its gradient layer by layer.
 * Parameters and gradients lie flat in the order in which a backward pass finishes them: the last layer first, of each
 * layer the weights [inputs][outputs], row-major, then the biases [outputs]. So a bucket is a range of the gradients.
 */
#ifndef COLLECT_WORKER_TRAIN_MLP_H
#define COLLECT_WORKER_TRAIN_MLP_H

#include "base/mem.h"

#include <stddef.h>
#include <stdint.h>

struct mlp_layer {
	size_t inputs, outputs;
	size_t offset;     /* of its parameters in the flat arrays; biases after inputs * outputs weights */
	float *activation; /* [rows][outputs]: what it gave in the last forward pass */
	float *delta;      /* [rows][outputs]: gradient by its sums, before the activation */
};

struct mlp_shape {
	size_t inputs, width, targets;
	size_t layers; /* of weights, >= 1: one has no hidden layer */
	size_t rows;   /* samples of a micro-batch */
};

struct mlp {
	struct mlp_shape shape;
	struct mlp_layer *layers; /* [shape.layers] */
	size_t n_parameters;
	float *parameters; /* [n_parameters] */
	float *gradients;  /* [n_parameters]: sums until mlp_zero_gradients() */
	const float *inputs;
};

/** Weights evenly spread with variance 1 / inputs, biases 0. */
void mlp_init(struct mlp *mlp, const struct mlp_shape *shape, uint64_t seed);
void mlp_release(struct mlp *mlp);
CLEANUP_VALUE(struct mlp, mlp_release)

void mlp_zero_gradients(struct mlp *mlp);

/** One layer of a forward pass; layer 0 takes inputs[rows][inputs], which must stay until the backward pass ended. */
void mlp_forward(struct mlp *mlp, size_t layer, const float *inputs);

/**
 * After the last layer's forward pass: the sum of squared errors, and the last layer's delta.
 *
 * @param targets    [rows][targets]
 * @param n_samples  the loss is a mean over these samples (all ranks' and micro-steps') and over the targets
 * @return this micro-batch's part of the loss: sum of squares / (n_samples * targets)
 */
double mlp_loss(struct mlp *mlp, const float *targets, double n_samples);

/** One layer of a backward pass, from the last to 0: adds to its gradients, leaves the delta of the layer before. */
void mlp_backward(struct mlp *mlp, size_t layer);

#endif
