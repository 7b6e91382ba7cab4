#include "collect/worker/train/optimizer.h"

#include <math.h>

double optimizer_rate(double lr, int64_t warmup_steps, int64_t step)
{
	return step < warmup_steps ? lr * (double)step / (double)warmup_steps : lr;
}

double optimizer_norm(const struct mlp *mlp)
{
	double squares = 0;

#pragma omp simd reduction(+ : squares)
	for (size_t i = 0; i < mlp->n_parameters; i++)
		squares += (double)mlp->gradients[i] * (double)mlp->gradients[i];
	return sqrt(squares);
}

void optimizer_step(struct mlp *mlp, double rate, double momentum, float *velocity)
{
	const float by = (float)rate, keep = (float)momentum;
	float *restrict parameters = mlp->parameters;
	const float *restrict gradients = mlp->gradients;

#pragma omp simd
	for (size_t i = 0; i < mlp->n_parameters; i++) {
		velocity[i] = keep * velocity[i] + gradients[i];
		parameters[i] -= by * velocity[i];
	}
}
