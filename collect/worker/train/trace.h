/*
 * What a rank did when, as a Chrome trace. Each thread has a track of its own, so that adding needs no lock.
 */
#ifndef COLLECT_WORKER_TRAIN_TRACE_H
#define COLLECT_WORKER_TRAIN_TRACE_H

#include "base/error.h"
#include "base/mem.h"

#include <stddef.h>
#include <stdint.h>

enum trace_thread { TRACE_COMPUTE, TRACE_COMMUNICATION, TRACE_THREADS };
enum trace_state { TRACE_OFF, TRACE_ON };

enum { TRACE_NO_NUMBER = -1 };

struct trace_event {
	const char *name; /* a literal */
	int64_t number;   /* of a layer or bucket, written after the name; or TRACE_NO_NUMBER */
	int64_t step;     /* from 1 */
	int64_t micro;    /* micro-step, from 0; or TRACE_NO_NUMBER */
	int64_t bytes;    /* sent type's bytes of a bucket; 0: none */
	double start_s, end_s;
};

struct trace_track {
	enum trace_state state;
	struct trace_event *events;
	size_t n, capacity;
};

void trace_add(struct trace_track *track, const struct trace_event *event);
void trace_track_release(struct trace_track *track);

/**
 * A JSON array of events with name, ph "X", ts and dur in microseconds from origin_s, pid 0, tid 0 (compute) or
 * 1 (communication), and args.
 *
 * @return 0; ERROR_ENVIRONMENT
 */
int trace_write(const char *path, const struct trace_track tracks[TRACE_THREADS], double origin_s, struct error *err);

#endif
