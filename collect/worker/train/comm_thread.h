/*
 * The thread that all-reduces: the loss first, then each bucket of gradients once it is ready, while the rest of the
 * backward pass runs. Between comm_thread_start and comm_thread_stop no other thread may call MPI.
 */
#ifndef COLLECT_WORKER_TRAIN_COMM_THREAD_H
#define COLLECT_WORKER_TRAIN_COMM_THREAD_H

#include "collect/worker/train/buckets.h"
#include "collect/worker/train/place.h"
#include "collect/worker/train/trace.h"

enum grad_dtype { GRAD_FLOAT32, GRAD_BFLOAT16, GRAD_DTYPES };

extern const char *const grad_dtype_names[GRAD_DTYPES];

struct comm_config {
	const struct place *place;
	const struct buckets *buckets;
	float *gradients; /* flat, summed in place */
	/* GRAD_BFLOAT16: each gradient is rounded before the sum and after every addition, and widened at the end. */
	enum grad_dtype dtype;
	double throttle_mbit; /* 0: none */
	struct trace_track *track;
};

struct comm_thread;

/** @return 0; ERROR_ENVIRONMENT: no thread to be had */
int comm_thread_start(const struct comm_config *config, struct comm_thread **ret_comm, struct error *err);
/** Between steps: joins the thread. */
void comm_thread_stop(struct comm_thread *comm);
CLEANUP_POINTER(struct comm_thread, comm_thread_stop)

/** A step begins: nothing is ready. */
void comm_thread_begin_step(struct comm_thread *comm, int64_t step);
/** This rank's part of the loss, once a step, before any bucket. */
void comm_thread_post_loss(struct comm_thread *comm, double loss);
/** Buckets 0 .. n_ready - 1 have their gradients, which nobody may touch until the step's wait ended. */
void comm_thread_post_buckets(struct comm_thread *comm, size_t n_ready);
/** Sleep until all buckets are summed. @return the sum of all ranks' losses */
double comm_thread_wait(struct comm_thread *comm);

#endif
