#include "collect/worker/train/comm_thread.h"

#include "base/clock.h"
#include "collect/worker/bfloat16.h"
#include "collect/worker/train/bfloat16_sum.h"
#include "collect/worker/train/throttle.h"

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

const char *const grad_dtype_names[GRAD_DTYPES] = {"float32", "bfloat16"};

struct comm_thread {
	struct comm_config config;
	pthread_t thread;
	/* Of the thread alone while jobs are posted: */
	struct throttle throttle;
	uint16_t *half; /* GRAD_BFLOAT16: room for the largest bucket */
	MPI_Op half_sum;
	/* Job 0 is the loss, job 1 + i bucket i. The rest is under the lock. */
	pthread_mutex_t lock;
	pthread_cond_t posted, finished;
	size_t n_posted, n_finished;
	enum { COMM_RUNS, COMM_STOPS } state;
	int64_t step;
	double loss;
};

static void reduce(const struct comm_thread *comm, void *values, size_t n, MPI_Datatype type, MPI_Op op)
{
	const struct timespec pause = {.tv_nsec = PLACE_SLEEP_NS};
	MPI_Request request;
	int done = 0;

	MPI_Iallreduce(MPI_IN_PLACE, values, (int)n, type, op, MPI_COMM_WORLD, &request);
	for (;;) {
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (done)
			return;
		if (comm->config.place->wait == PLACE_WAIT_SLEEP)
			nanosleep(&pause, NULL);
	}
}

static void reduce_half(const struct comm_thread *comm, float *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		comm->half[i] = bfloat16_from_float(values[i]);
	reduce(comm, comm->half, n, MPI_UINT16_T, comm->half_sum);
	for (size_t i = 0; i < n; i++)
		values[i] = bfloat16_to_float(comm->half[i]);
}

static void reduce_bucket(struct comm_thread *comm, size_t number)
{
	const struct bucket *bucket = &comm->config.buckets->items[number];
	float *values = comm->config.gradients + bucket->first;
	size_t bytes = bucket->n * (comm->config.dtype == GRAD_BFLOAT16 ? sizeof(uint16_t) : sizeof(float));
	double start_s = clock_monotonic_s();
	double until_s = throttle_take(&comm->throttle, throttle_ring_bytes((double)bytes, comm->config.place->n_ranks),
				       start_s);

	if (comm->config.dtype == GRAD_BFLOAT16)
		reduce_half(comm, values, bucket->n);
	else
		reduce(comm, values, bucket->n, MPI_FLOAT, MPI_SUM);
	throttle_sleep_until(until_s);
	trace_add(comm->config.track, &(struct trace_event){.name = "all-reduce bucket",
							    .number = (int64_t)number,
							    .step = comm->step,
							    .micro = TRACE_NO_NUMBER,
							    .bytes = (int64_t)bytes,
							    .start_s = start_s,
							    .end_s = clock_monotonic_s()});
}

static void *serve(void *argument)
{
	struct comm_thread *comm = argument;

	/* Else a pause of 50 us takes up to 100. */
	prctl(PR_SET_TIMERSLACK, 1000UL);
	pthread_mutex_lock(&comm->lock);
	for (;;) {
		while (comm->n_finished == comm->n_posted && comm->state == COMM_RUNS)
			pthread_cond_wait(&comm->posted, &comm->lock);
		if (comm->n_finished == comm->n_posted)
			break;
		size_t job = comm->n_finished;
		pthread_mutex_unlock(&comm->lock);
		if (job == 0)
			reduce(comm, &comm->loss, 1, MPI_DOUBLE, MPI_SUM);
		else
			reduce_bucket(comm, job - 1);
		pthread_mutex_lock(&comm->lock);
		comm->n_finished++;
		pthread_cond_signal(&comm->finished);
	}
	pthread_mutex_unlock(&comm->lock);
	return NULL;
}

int comm_thread_start(const struct comm_config *config, struct comm_thread **ret_comm, struct error *err)
{
	struct comm_thread *comm = mem_new(1, sizeof(*comm));

	comm->config = *config;
	comm->half_sum = MPI_OP_NULL;
	throttle_init(&comm->throttle, config->throttle_mbit, clock_monotonic_s());
	if (config->dtype == GRAD_BFLOAT16) {
		comm->half = mem_new(config->buckets->items[0].n, sizeof(*comm->half));
		MPI_Op_create(bfloat16_sum_op, 1, &comm->half_sum);
	}
	pthread_mutex_init(&comm->lock, NULL);
	pthread_cond_init(&comm->posted, NULL);
	pthread_cond_init(&comm->finished, NULL);
	int number = pthread_create(&comm->thread, NULL, serve, comm);
	if (number != 0) {
		free(comm->half);
		free(comm);
		return error_set(err, ERROR_ENVIRONMENT, "cannot start the communication thread: %s", strerror(number));
	}
	*ret_comm = comm;
	return 0;
}

void comm_thread_stop(struct comm_thread *comm)
{
	pthread_mutex_lock(&comm->lock);
	comm->state = COMM_STOPS;
	pthread_cond_signal(&comm->posted);
	pthread_mutex_unlock(&comm->lock);
	pthread_join(comm->thread, NULL);
	pthread_cond_destroy(&comm->finished);
	pthread_cond_destroy(&comm->posted);
	pthread_mutex_destroy(&comm->lock);
	if (comm->half_sum != MPI_OP_NULL)
		MPI_Op_free(&comm->half_sum);
	free(comm->half);
	free(comm);
}

void comm_thread_begin_step(struct comm_thread *comm, int64_t step)
{
	pthread_mutex_lock(&comm->lock);
	comm->n_posted = comm->n_finished = 0;
	comm->step = step;
	pthread_mutex_unlock(&comm->lock);
}

static void post(struct comm_thread *comm, size_t n_jobs)
{
	pthread_mutex_lock(&comm->lock);
	if (n_jobs > comm->n_posted) {
		comm->n_posted = n_jobs;
		pthread_cond_signal(&comm->posted);
	}
	pthread_mutex_unlock(&comm->lock);
}

void comm_thread_post_loss(struct comm_thread *comm, double loss)
{
	/* The thread waits until this is posted, so nobody reads it yet. */
	comm->loss = loss;
	post(comm, 1);
}

void comm_thread_post_buckets(struct comm_thread *comm, size_t n_ready)
{
	post(comm, 1 + n_ready);
}

double comm_thread_wait(struct comm_thread *comm)
{
	pthread_mutex_lock(&comm->lock);
	while (comm->n_finished < 1 + comm->config.buckets->n)
		pthread_cond_wait(&comm->finished, &comm->lock);
	pthread_mutex_unlock(&comm->lock);
	return comm->loss;
}
