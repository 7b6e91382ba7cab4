/*
 * Rank 0's standard output: a few lines of facts, then the step lines of Megatron, whose label "lm loss" is kept so
 * that its readers take them; here it is a mean squared error. Losses have 10 digits, so that curves can be compared.
 */
#ifndef COLLECT_WORKER_TRAIN_STEP_LOG_H
#define COLLECT_WORKER_TRAIN_STEP_LOG_H

#include "collect/worker/train/place.h"
#include "collect/worker/train/train_options.h"

#include <stdio.h>

struct step_log {
	FILE *out; /* NULL on the other ranks: nothing is written */
	const struct train_options *options;
	/* Since the last line: */
	int64_t n, nan;
	double loss, step_s, data_s, exposed_s;
};

struct step_facts {
	const char *library;
	const struct place *place;
	int64_t micro_steps;
	size_t n_parameters, n_buckets;
};

/* One step as rank 0 saw it. */
struct step_values {
	int64_t step; /* from 1 */
	double rate, loss, norm;
	double step_s;    /* all of it */
	double data_s;    /* making its batches */
	double exposed_s; /* from the end of the backward pass until every bucket was summed: also waiting for slow
			     ranks */
};

void step_log_begin(const struct step_log *log, const struct step_facts *facts);
/** A line every log_every steps, with means over those steps as Megatron prints them, but rate and norm of the last. */
void step_log_add(struct step_log *log, const struct step_values *values);

#endif
