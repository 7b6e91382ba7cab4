#include "collect/worker/train/throttle.h"

#include <errno.h>
#include <math.h>
#include <time.h>

void throttle_init(struct throttle *throttle, double mbit_per_s, double now_s)
{
	*throttle = (struct throttle){.bytes_per_s = mbit_per_s * 1e6 / 8,
				      .burst_bytes = THROTTLE_BURST_BYTES,
				      .tokens = THROTTLE_BURST_BYTES,
				      .at_s = now_s};
}

double throttle_take(struct throttle *throttle, double bytes, double now_s)
{
	if (throttle->bytes_per_s <= 0)
		return now_s;
	double filled = throttle->tokens + (now_s - throttle->at_s) * throttle->bytes_per_s;
	throttle->tokens = fmin(filled, throttle->burst_bytes) - bytes;
	throttle->at_s = now_s;
	return throttle->tokens < 0 ? now_s - throttle->tokens / throttle->bytes_per_s : now_s;
}

double throttle_ring_bytes(double bytes, int n_ranks)
{
	return 2 * bytes * (n_ranks - 1) / n_ranks;
}

void throttle_sleep_until(double until_s)
{
	double whole = floor(until_s);
	struct timespec until = {.tv_sec = (time_t)whole, .tv_nsec = (long)((until_s - whole) * 1e9)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}
