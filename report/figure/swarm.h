/*
 * A swarm: dots of one row beside each other where they would overlap, so that every run is seen and can be counted.
 */
#ifndef REPORT_FIGURE_SWARM_H
#define REPORT_FIGURE_SWARM_H

#include "base/mem.h"

#include <stddef.h>

struct swarm_dot {
	double x, offset; /* points; the offset is from the row's line */
};

struct swarm {
	struct swarm_dot *dots;
	size_t n;
	double radius, half_height; /* half_height: what the dots take on either side of the line */
	size_t per_dot;             /* runs that one dot stands for: 1 unless they do not fit */
};

/**
 * Place `n` values at `x` (points, finite, any order) on both sides of a line, within `limit` points of it: large dots
 * if they fit, then small ones, then one dot for several runs.
 */
void swarm_place(struct swarm *swarm, const double *x, size_t n, double limit);
void swarm_release(struct swarm *swarm);
CLEANUP_VALUE(struct swarm, swarm_release)

#endif
