#include "collect/worker/train/trainer.h"

#include "base/clock.h"
#include "base/file.h"
#include "collect/worker/train/dataset.h"
#include "collect/worker/train/optimizer.h"
#include "collect/worker/train/step_log.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct trainer {
	const struct train_options *options;
	const struct place *place;
	int64_t micro_steps;
	struct dataset dataset;
	struct mlp mlp;
	struct buckets buckets;
	struct trace_track tracks[TRACE_THREADS];
	float *velocity;         /* [n_parameters] */
	float *inputs, *targets; /* of a micro-batch */
	struct comm_thread *comm;
	struct step_log log;
	double origin_s;
};

static void trainer_init(struct trainer *trainer, const struct train_options *options, const struct place *place,
			 int64_t micro_steps)
{
	struct mlp_shape shape = {.inputs = DATASET_INPUTS,
				  .width = (size_t)options->width,
				  .targets = DATASET_TARGETS,
				  .layers = (size_t)options->layers,
				  .rows = (size_t)options->micro_batch};

	*trainer = (struct trainer){.options = options, .place = place, .micro_steps = micro_steps};
	dataset_init(&trainer->dataset, (uint64_t)options->seed);
	mlp_init(&trainer->mlp, &shape, (uint64_t)options->seed);
	buckets_init(&trainer->buckets, &trainer->mlp, options->bucket_mb);
	trainer->velocity = mem_new(trainer->mlp.n_parameters, sizeof(float));
	trainer->inputs = mem_new(shape.rows * DATASET_INPUTS, sizeof(float));
	trainer->targets = mem_new(shape.rows * DATASET_TARGETS, sizeof(float));
	trainer->log = (struct step_log){.out = place->rank == 0 ? stdout : NULL, .options = options};
	for (size_t i = 0; i < TRACE_THREADS; i++)
		trainer->tracks[i].state = options->trace && place->rank == 0 ? TRACE_ON : TRACE_OFF;
}

static void trainer_release(struct trainer *trainer)
{
	if (trainer->comm)
		comm_thread_stop(trainer->comm);
	for (size_t i = 0; i < TRACE_THREADS; i++)
		trace_track_release(&trainer->tracks[i]);
	free(trainer->velocity);
	free(trainer->inputs);
	free(trainer->targets);
	buckets_release(&trainer->buckets);
	mlp_release(&trainer->mlp);
}
CLEANUP_VALUE(struct trainer, trainer_release)

static double note(struct trainer *trainer, const char *name, int64_t number, int64_t step, int64_t micro,
		   double start_s)
{
	double end_s = clock_monotonic_s();

	trace_add(&trainer->tracks[TRACE_COMPUTE], &(struct trace_event){.name = name,
									 .number = number,
									 .step = step,
									 .micro = micro,
									 .start_s = start_s,
									 .end_s = end_s});
	return end_s;
}

/* A step's samples are dealt by rank, then micro-step; any dealing covers the same ones. */
static uint64_t first_sample(const struct trainer *trainer, int64_t step, int64_t micro)
{
	const struct train_options *options = trainer->options;
	int64_t share = trainer->place->rank * trainer->micro_steps + micro;

	return (uint64_t)((step - 1) * options->global_batch + share * options->micro_batch);
}

/* @return this micro-step's part of the loss */
static double micro_step(struct trainer *trainer, int64_t step, int64_t micro, double loss_before, double *ret_data_s)
{
	struct mlp *mlp = &trainer->mlp;
	const bool last = micro + 1 == trainer->micro_steps;
	const size_t layers = mlp->shape.layers;
	double start_s = clock_monotonic_s();

	dataset_fill(&trainer->dataset, first_sample(trainer, step, micro), mlp->shape.rows, trainer->inputs,
		     trainer->targets);
	double at_s = note(trainer, "data wait", TRACE_NO_NUMBER, step, micro, start_s);
	*ret_data_s += at_s - start_s;
	for (size_t l = 0; l < layers; l++) {
		mlp_forward(mlp, l, trainer->inputs);
		at_s = note(trainer, "forward layer", (int64_t)l, step, micro, at_s);
	}
	double loss = loss_before + mlp_loss(mlp, trainer->targets, (double)trainer->options->global_batch);
	if (last)
		comm_thread_post_loss(trainer->comm, loss);
	for (size_t l = layers; l-- > 0;) {
		mlp_backward(mlp, l);
		at_s = note(trainer, "backward layer", (int64_t)l, step, micro, at_s);
		if (last)
			comm_thread_post_buckets(trainer->comm, buckets_ready(&trainer->buckets, mlp, l));
	}
	return loss;
}

static void train_step(struct trainer *trainer, int64_t step)
{
	const struct train_options *options = trainer->options;
	struct step_values values = {.step = step, .rate = optimizer_rate(options->lr, options->warmup_steps, step)};
	const double start_s = clock_monotonic_s();
	double loss = 0;

	comm_thread_begin_step(trainer->comm, step);
	mlp_zero_gradients(&trainer->mlp);
	for (int64_t micro = 0; micro < trainer->micro_steps; micro++)
		loss = micro_step(trainer, step, micro, loss, &values.data_s);
	double computed_s = clock_monotonic_s();
	values.loss = comm_thread_wait(trainer->comm);
	double reduced_s = note(trainer, "exposed communication", TRACE_NO_NUMBER, step, TRACE_NO_NUMBER, computed_s);
	values.norm = optimizer_norm(&trainer->mlp);
	optimizer_step(&trainer->mlp, values.rate, options->momentum, trainer->velocity);
	values.exposed_s = reduced_s - computed_s;
	values.step_s = note(trainer, "optimizer", TRACE_NO_NUMBER, step, TRACE_NO_NUMBER, reduced_s) - start_s;
	step_log_add(&trainer->log, &values);
}

/* FNV-1a over the parameters' words. */
static uint64_t parameters_hash(const struct mlp *mlp)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < mlp->n_parameters; i++) {
		uint32_t bits;
		memcpy(&bits, &mlp->parameters[i], sizeof(bits));
		hash = (hash ^ bits) * UINT64_C(0x100000001b3);
	}
	return hash;
}

static int check_replicas(const struct trainer *trainer, struct error *err)
{
	uint64_t hash = parameters_hash(&trainer->mlp), least = hash, most = hash;

	MPI_Allreduce(&hash, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
	MPI_Allreduce(&hash, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
	if (least != most)
		return error_set(
			err, ERROR_DATA,
			"parameters differ between ranks after step %lld: the all-reduce did not give every rank "
			"the same sums",
			(long long)trainer->options->steps);
	return 0;
}

static void begin_log(const struct trainer *trainer)
{
	char library[MPI_MAX_LIBRARY_VERSION_STRING];
	int n = 0;

	MPI_Get_library_version(library, &n);
	library[strcspn(library, ",\n")] = '\0';
	step_log_begin(&trainer->log, &(struct step_facts){.library = library,
							   .place = trainer->place,
							   .micro_steps = trainer->micro_steps,
							   .n_parameters = trainer->mlp.n_parameters,
							   .n_buckets = trainer->buckets.n});
}

static int finish(struct trainer *trainer, struct error *err)
{
	const char *path = trainer->options->trace;
	int r = check_replicas(trainer, err);

	if (r == 0 && trainer->place->rank == 0 && path)
		r = trace_write(path, trainer->tracks, trainer->origin_s, err);
	if (r == 0 && trainer->log.out && ferror(trainer->log.out))
		r = error_set(err, ERROR_ENVIRONMENT, "standard output cannot be written");
	return r;
}

int trainer_run(const struct train_options *options, const struct place *place, struct error *err)
{
	CLEANUP(trainer_release) struct trainer trainer = {0};
	int64_t micro_steps = 0;
	int r = train_options_micro_steps(options, place->n_ranks, &micro_steps, err);

	if (r < 0)
		return r;
	/* Before the steps, not after them, it shows whether the file can be had. */
	if (place->rank == 0 && options->trace)
		r = file_replace(options->trace, "[]\n", 3, err);
	if (r < 0)
		return r;
	trainer_init(&trainer, options, place, micro_steps);
	begin_log(&trainer);
	struct comm_config config = {.place = place,
				     .buckets = &trainer.buckets,
				     .gradients = trainer.mlp.gradients,
				     .dtype = options->grad_dtype,
				     .throttle_mbit = options->throttle_mbit,
				     .track = &trainer.tracks[TRACE_COMMUNICATION]};
	r = comm_thread_start(&config, &trainer.comm, err);
	if (r < 0)
		return r;
	trainer.origin_s = clock_monotonic_s();
	for (int64_t step = 1; step <= options->steps; step++)
		train_step(&trainer, step);
	comm_thread_stop(TAKE(trainer.comm));
	return finish(&trainer, err);
}
