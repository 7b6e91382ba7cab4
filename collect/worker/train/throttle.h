/*
 * A study option, never on by itself: a slower link than the machine has. A token bucket over the bytes that a rank
 * sends; whoever takes more than there is must sleep until the debt is paid. Knows no clock: the caller says what time
 * it is, so that it can be tested.
 */
#ifndef COLLECT_WORKER_TRAIN_THROTTLE_H
#define COLLECT_WORKER_TRAIN_THROTTLE_H

#include <stdint.h>

struct throttle {
	double bytes_per_s; /* 0: no throttle */
	double burst_bytes; /* tokens that an idle link keeps at most */
	double tokens;      /* negative: debt */
	double at_s;        /* when tokens was true */
};

enum { THROTTLE_BURST_BYTES = 65536 };

void throttle_init(struct throttle *throttle, double mbit_per_s, double now_s);

/** Take the tokens of a transfer that begins at now_s. @return the time until which its sender must wait, >= now_s */
double throttle_take(struct throttle *throttle, double bytes, double now_s);

/** What one of n_ranks sends for an all-reduce by a ring: 2 (n - 1) / n of its bytes. */
double throttle_ring_bytes(double bytes, int n_ranks);

/** Sleep until a time of the monotonic clock; takes no core. */
void throttle_sleep_until(double until_s);

#endif
