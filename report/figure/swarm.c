#include "report/figure/swarm.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Large dots keep their halo apart; small ones stand closer. */
static const struct {
	double radius, pitch;
} sizes[] = {{2.3, 5.2}, {1.1, 2.8}};
enum { N_SIZES = sizeof(sizes) / sizeof(sizes[0]) };

void swarm_release(struct swarm *swarm)
{
	mem_free_pointer(&swarm->dots);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The k-th line away from the row's own; sides alternate, and the first side with the dot. */
static double level_offset(size_t level, size_t dot, double pitch)
{
	double steps = (double)((level + 1) / 2);
	bool up = (level + dot) % 2 == 0;

	return (up ? -steps : steps) * pitch;
}

static bool is_free(const struct swarm *swarm, const struct swarm_dot *dot, double pitch)
{
	for (size_t i = 0; i < swarm->n; i++)
		if (fabs(swarm->dots[i].offset - dot->offset) < pitch / 2 && fabs(swarm->dots[i].x - dot->x) < pitch)
			return false;
	return true;
}

static size_t divisor(size_t a, size_t b)
{
	return b == 0 ? a : divisor(b, a % b);
}

/* A stride through n places that visits each once: in ascending order a swarm would bend to an arc. */
static size_t stride_of(size_t n)
{
	size_t stride = n * 5 / 8 + 1;

	while (divisor(stride, n) != 1)
		stride++;
	return stride;
}

/* @return whether all dots fit */
static bool place(struct swarm *swarm, const double *x, size_t n, double limit, double pitch)
{
	size_t levels = 2 * (size_t)(limit > 0 ? limit / pitch : 0) + 1, stride = n > 1 ? stride_of(n) : 1;

	swarm->n = 0;
	swarm->half_height = swarm->radius;
	for (size_t i = 0; i < n; i++) {
		struct swarm_dot dot = {.x = x[i * stride % n]};
		size_t level = 0;
		for (; level < levels; level++) {
			dot.offset = level_offset(level, i, pitch);
			if (is_free(swarm, &dot, pitch))
				break;
		}
		if (level == levels)
			return false;
		swarm->dots[swarm->n++] = dot;
		swarm->half_height = fmax(swarm->half_height, fabs(dot.offset) + swarm->radius);
	}
	return true;
}

void swarm_place(struct swarm *swarm, const double *x, size_t n, double limit)
{
	CLEANUP(mem_free) double *sorted = mem_new(n + 1, sizeof *sorted);
	CLEANUP(mem_free) double *middle = mem_new(n + 1, sizeof *middle);

	*swarm = (struct swarm){.dots = mem_new(n + 1, sizeof *swarm->dots), .per_dot = 1};
	for (size_t i = 0; i < n; i++)
		sorted[i] = x[i];
	qsort(sorted, n, sizeof *sorted, compare);
	for (size_t i = 0; i < N_SIZES; i++) {
		swarm->radius = sizes[i].radius;
		/* large dots stay near their line: a tall stack of them reads as a bar */
		double room = i == 0 ? fmin(limit, 2 * sizes[i].pitch) : limit;
		if (place(swarm, sorted, n, room - swarm->radius, sizes[i].pitch))
			return;
	}
	for (size_t per = 2; per < n + 2; per++) {
		size_t dots = (n + per - 1) / per;
		for (size_t i = 0; i < dots; i++) {
			size_t first = i * per, end = first + per < n ? first + per : n;
			middle[i] = sorted[first + (end - first) / 2];
		}
		swarm->per_dot = per;
		if (place(swarm, middle, dots, limit - swarm->radius, sizes[N_SIZES - 1].pitch))
			return;
	}
}
