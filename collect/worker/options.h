/*
 * The command line of a worker: which collective, on what, how often.
 */
#ifndef COLLECT_WORKER_OPTIONS_H
#define COLLECT_WORKER_OPTIONS_H

#include "base/error.h"
#include "base/mem.h"
#include "collect/worker/collective.h"

#include <stdint.h>

struct options {
	const struct collective *collective; /* --op */
	const struct element *element;       /* --dtype, default float32 */
	enum placement placement;            /* --placement, default out_of_place */
	int warmup, iterations;              /* default 5 and 20 */
	int64_t *sizes;                      /* --bytes, each > 0 */
	size_t n_sizes;
	int64_t max_count; /* --max-count: elements a call takes at most; 0: what the transport can */
};

/** @return 0; ERROR_USAGE: an option that is unknown, lacks its value, or has one that it cannot have */
int options_parse(int argc, char *const *argv, struct options *ret_options, struct error *err);
void options_release(struct options *options);
CLEANUP_VALUE(struct options, options_release)

#endif
