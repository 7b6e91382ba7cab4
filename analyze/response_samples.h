/*
 * The response of a table of raw samples: how long an iteration took is how long its slowest rank took, and the run's
 * number is the median over the iterations that follow the warm-up. Private to the response.
 */
#ifndef ANALYZE_RESPONSE_SAMPLES_H
#define ANALYZE_RESPONSE_SAMPLES_H

#include "analyze/response.h"

#define RESPONSE_SAMPLES_STATISTIC "median of the slowest rank"

/** Fill y or its reason, units (kept iterations), discarded (warm-up iterations). Source: STATISTICS.md section 1 */
void response_of_samples(const struct run_table *table, int64_t bytes, struct response *ret);

#endif
