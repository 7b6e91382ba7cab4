/*
 * The measuring loop of every worker. Takes a transport and the command line; gives raw samples as protocol lines, and
 * no summary of them.
 */
#ifndef COLLECT_WORKER_SAMPLER_H
#define COLLECT_WORKER_SAMPLER_H

#include "collect/worker/options.h"
#include "collect/worker/protocol.h"
#include "collect/worker/transport.h"

/**
 * Measure every size. Before each iteration the buffers are filled anew and the ranks meet in a barrier; a rank's time
 * runs from its entry into the collective to its return. Results are checked after a size's last iteration.
 *
 * All ranks call it together and return the same value. Lines are written up to, and without, the end line.
 *
 * @return 0, wrong results included: they are in the lines; ERROR_USAGE: a size that does not fit the ranks;
 *         ERROR_ENVIRONMENT: no memory for the buffers
 */
int sampler_run(const struct transport *transport, const struct transport_place *place, const struct options *options,
		struct protocol *protocol, struct error *err);

#endif
