#include "collect/worker/clock_offset.h"

#include <time.h>

enum { ROUNDS = 25 };

int64_t clock_offset_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static struct clock_offset ask(const struct transport *transport, int rank)
{
	struct clock_offset best = {0, INT64_MAX};

	for (int i = 0; i < ROUNDS; i++) {
		int64_t asked = clock_offset_now_ns();
		transport->send(rank, asked);
		int64_t theirs = transport->receive(rank);
		int64_t round_trip = clock_offset_now_ns() - asked;
		if (round_trip < best.round_trip_ns)
			best = (struct clock_offset){theirs - (asked + round_trip / 2), round_trip};
	}
	return best;
}

void clock_offset_measure(const struct transport *transport, const struct transport_place *place,
			  struct clock_offset *ret_offsets)
{
	if (place->rank == 0) {
		ret_offsets[0] = (struct clock_offset){0, 0};
		for (int rank = 1; rank < place->ranks; rank++)
			ret_offsets[rank] = ask(transport, rank);
		return;
	}
	for (int i = 0; i < ROUNDS; i++) {
		transport->receive(0);
		transport->send(0, clock_offset_now_ns());
	}
}
