/* The trainer's arithmetic: generator, samples, gradients, rate. */
#include "collect/worker/train/dataset.h"
#include "collect/worker/train/mlp.h"
#include "collect/worker/train/optimizer.h"
#include "collect/worker/train/splitmix64.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 3, WIDEST = 8 };

/* Seed 1234567: the first values of java.util.SplittableRandom(1234567).nextLong(), read unsigned. */
static void test_splitmix64__published_sequence(void **state)
{
	static const uint64_t expected[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
					    UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
					    UINT64_C(16408922859458223821)};
	(void)state;

	for (uint64_t i = 0; i < 5; i++)
		assert_int_equal(splitmix64_at(1234567, i), expected[i]);
}

static void test_splitmix64__unit_variance(void **state)
{
	const int n = 20000;
	double sum = 0, squares = 0;
	(void)state;

	for (int i = 0; i < n; i++) {
		double x = (double)splitmix64_unit_variance(7, (uint64_t)i);
		assert_true(fabs(x) <= sqrt(3));
		sum += x;
		squares += x * x;
	}
	/* Standard errors 1 / sqrt(n) and sqrt(0.8 / n): five of each. */
	assert_true(fabs(sum / n) < 5 / sqrt(n));
	assert_true(fabs(squares / n - 1) < 5 * sqrt(0.8 / n));
}

/* Ranks and micro-steps cut the samples differently. */
static void test_dataset__same_samples_in_any_pieces(void **state)
{
	struct dataset dataset;
	float whole[6][DATASET_INPUTS], pieces[6][DATASET_INPUTS];
	float whole_targets[6][DATASET_TARGETS], piece_targets[6][DATASET_TARGETS];
	(void)state;

	dataset_init(&dataset, 3);
	dataset_fill(&dataset, 100, 6, whole[0], whole_targets[0]);
	dataset_fill(&dataset, 104, 2, pieces[4], piece_targets[4]);
	dataset_fill(&dataset, 100, 4, pieces[0], piece_targets[0]);
	assert_memory_equal(whole, pieces, sizeof(whole));
	assert_memory_equal(whole_targets, piece_targets, sizeof(whole_targets));
	assert_memory_not_equal(whole[0], whole[1], sizeof(whole[0]));
	dataset_init(&dataset, 4);
	dataset_fill(&dataset, 100, 6, pieces[0], piece_targets[0]);
	assert_memory_not_equal(whole, pieces, sizeof(whole));
}

/* The loss written anew, in double, from parameters given in double. */
static double loss_of(const struct mlp *mlp, const double *parameters, const float *inputs, const float *targets,
		      double n_samples)
{
	double loss = 0;

	for (size_t row = 0; row < mlp->shape.rows; row++) {
		double x[WIDEST], y[WIDEST] = {0};
		for (size_t i = 0; i < mlp->shape.inputs; i++)
			x[i] = (double)inputs[row * mlp->shape.inputs + i];
		for (size_t l = 0; l < mlp->shape.layers; l++) {
			const struct mlp_layer *layer = &mlp->layers[l];
			const double *weights = parameters + layer->offset;
			for (size_t o = 0; o < layer->outputs; o++) {
				y[o] = weights[layer->inputs * layer->outputs + o];
				for (size_t i = 0; i < layer->inputs; i++)
					y[o] += x[i] * weights[i * layer->outputs + o];
				if (l + 1 < mlp->shape.layers)
					y[o] = tanh(y[o]);
			}
			memcpy(x, y, sizeof(x));
		}
		for (size_t t = 0; t < mlp->shape.targets; t++) {
			double miss = y[t] - (double)targets[row * mlp->shape.targets + t];
			loss += miss * miss / (n_samples * (double)mlp->shape.targets);
		}
	}
	return loss;
}

static double pass(struct mlp *mlp, const float *inputs, const float *targets, double n_samples)
{
	for (size_t l = 0; l < mlp->shape.layers; l++)
		mlp_forward(mlp, l, inputs);
	double loss = mlp_loss(mlp, targets, n_samples);
	for (size_t l = mlp->shape.layers; l-- > 0;)
		mlp_backward(mlp, l);
	return loss;
}

static void check_gradients(size_t layers)
{
	const struct mlp_shape shape = {.inputs = 5, .width = 7, .targets = 2, .layers = layers, .rows = ROWS};
	const double n_samples = 2 * ROWS, h = 1e-5;
	CLEANUP(mlp_release) struct mlp mlp = {0};
	float inputs[ROWS * 5], targets[ROWS * 2];

	mlp_init(&mlp, &shape, 11);
	for (uint64_t i = 0; i < ROWS * 5; i++)
		inputs[i] = splitmix64_unit_variance(21, i);
	for (uint64_t i = 0; i < ROWS * 2; i++)
		targets[i] = splitmix64_unit_variance(22, i);
	double *parameters = mem_new(mlp.n_parameters, sizeof(*parameters));
	for (size_t i = 0; i < mlp.n_parameters; i++) {
		/* Biases too: at zero, a wrong use of them would not show. */
		if (mlp.parameters[i] == 0)
			mlp.parameters[i] = 0.1F * splitmix64_unit_variance(23, i);
		parameters[i] = (double)mlp.parameters[i];
	}
	double loss = pass(&mlp, inputs, targets, n_samples);
	double expected_loss = loss_of(&mlp, parameters, inputs, targets, n_samples), largest = 0;
	assert_true(fabs(loss - expected_loss) < 1e-6 * expected_loss);
	for (size_t i = 0; i < mlp.n_parameters; i++) {
		double at = parameters[i];
		parameters[i] = at + h;
		double above = loss_of(&mlp, parameters, inputs, targets, n_samples);
		parameters[i] = at - h;
		double below = loss_of(&mlp, parameters, inputs, targets, n_samples);
		parameters[i] = at;
		double slope = (above - below) / (2 * h);
		largest = fmax(largest, fabs(slope));
		assert_true(fabs((double)mlp.gradients[i] - slope) < 2e-6 * (1 + fabs(slope)));
	}
	assert_true(largest > 0.05);
	free(parameters);
}

static void test_mlp__gradient_is_the_central_difference(void **state)
{
	(void)state;
	check_gradients(1);
	check_gradients(2);
	check_gradients(4);
}

static void test_mlp__gradients_accumulate(void **state)
{
	const struct mlp_shape shape = {.inputs = 5, .width = 7, .targets = 2, .layers = 3, .rows = ROWS};
	CLEANUP(mlp_release) struct mlp mlp = {0};
	float inputs[ROWS * 5], targets[ROWS * 2] = {0};
	(void)state;

	mlp_init(&mlp, &shape, 11);
	for (uint64_t i = 0; i < ROWS * 5; i++)
		inputs[i] = splitmix64_unit_variance(21, i);
	pass(&mlp, inputs, targets, ROWS);
	float *once = mem_new(mlp.n_parameters, sizeof(*once));
	memcpy(once, mlp.gradients, mlp.n_parameters * sizeof(*once));
	pass(&mlp, inputs, targets, ROWS);
	for (size_t i = 0; i < mlp.n_parameters; i++)
		assert_true(fabsf(mlp.gradients[i] - 2 * once[i]) <= 1e-5F * (1 + fabsf(once[i])));
	mlp_zero_gradients(&mlp);
	for (size_t i = 0; i < mlp.n_parameters; i++)
		assert_true(mlp.gradients[i] == 0);
	free(once);
}

/* By hand: velocities g, then 0.5 g + g; steps of 0.1 and 0.2. */
static void test_optimizer__momentum(void **state)
{
	const struct mlp_shape shape = {.inputs = 1, .width = 1, .targets = 1, .layers = 1, .rows = 1};
	CLEANUP(mlp_release) struct mlp mlp = {0};
	float velocity[2] = {0};
	(void)state;

	mlp_init(&mlp, &shape, 1);
	assert_int_equal(mlp.n_parameters, 2);
	mlp.parameters[0] = 1;
	mlp.parameters[1] = 2;
	mlp.gradients[0] = 3;
	mlp.gradients[1] = -4;
	assert_true(fabs(optimizer_norm(&mlp) - 5) < 1e-12);
	optimizer_step(&mlp, 0.1, 0.5, velocity);
	optimizer_step(&mlp, 0.2, 0.5, velocity);
	assert_true(fabs((double)mlp.parameters[0] - (1 - 0.3 - 0.9)) < 1e-6);
	assert_true(fabs((double)mlp.parameters[1] - (2 + 0.4 + 1.2)) < 1e-6);
}

static void test_optimizer__rate_rises_linearly(void **state)
{
	(void)state;
	assert_true(fabs(optimizer_rate(0.8, 4, 1) - 0.2) < 1e-15);
	assert_true(fabs(optimizer_rate(0.8, 4, 3) - 0.6) < 1e-15);
	assert_true(optimizer_rate(0.8, 4, 4) == 0.8);
	assert_true(optimizer_rate(0.8, 4, 9) == 0.8);
	assert_true(optimizer_rate(0.8, 0, 1) == 0.8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_splitmix64__published_sequence),
		cmocka_unit_test(test_splitmix64__unit_variance),
		cmocka_unit_test(test_dataset__same_samples_in_any_pieces),
		cmocka_unit_test(test_mlp__gradient_is_the_central_difference),
		cmocka_unit_test(test_mlp__gradients_accumulate),
		cmocka_unit_test(test_optimizer__momentum),
		cmocka_unit_test(test_optimizer__rate_rises_linearly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
