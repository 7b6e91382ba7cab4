/*
 * The ranks' clocks against each other. A node has its own monotonic clock, which starts when the node does.
 */
#ifndef COLLECT_WORKER_CLOCK_OFFSET_H
#define COLLECT_WORKER_CLOCK_OFFSET_H

#include "collect/worker/transport.h"

#include <stdint.h>

/* A rank's clock minus rank 0's, ns, and the round trip that says so, ns: the error is at most half of it. */
struct clock_offset {
	int64_t offset_ns, round_trip_ns;
};

int64_t clock_offset_now_ns(void);

/**
 * Rank 0 asks each other rank for its time, 25 times, and believes the shortest round trip (Cristian 1989).
 *
 * @param ret_offsets  [ranks] on rank 0; not written elsewhere
 */
void clock_offset_measure(const struct transport *transport, const struct transport_place *place,
			  struct clock_offset *ret_offsets);

#endif
