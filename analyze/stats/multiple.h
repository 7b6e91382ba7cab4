/*
 * Adjustment of p-values for a family of tests. Takes p[n] in [0, 1], gives adjusted p in the same order.
 */
#ifndef ANALYZE_STATS_MULTIPLE_H
#define ANALYZE_STATS_MULTIPLE_H

#include <stddef.h>

#include "base/error.h"

/**
 * Holm's step-down adjustment. Members of the family without a p (never run, lost, void) count in m as if their p
 * were 1.
 *
 * @param p    p[n], in [0, 1]
 * @param m    size of the family, >= n; n when nothing is missing
 * @param ret  ret[n], input order; may be p
 * @return 0; ERROR_DATA for a p that is NaN or outside [0, 1], or m < n
 * Source: Holm 1979, R p.adjust(p, "holm", m); vectors/multiple_testing.json
 */
int multiple_holm(const double *p, size_t n, size_t m, double *ret, struct error *err);

/**
 * Benjamini and Hochberg's step-up adjustment (false discovery rate).
 *
 * @param p, ret  p[n], ret[n], input order; may be the same
 * @return 0; ERROR_DATA for a p that is NaN or outside [0, 1]
 * Source: Benjamini and Hochberg 1995; vectors/multiple_testing.json
 */
int multiple_bh(const double *p, size_t n, double *ret, struct error *err);

/**
 * Bonferroni: min(1, n p).
 *
 * @param p, ret  p[n], ret[n], input order; may be the same
 * @return 0; ERROR_DATA for a p that is NaN or outside [0, 1]
 * Source: vectors/multiple_testing.json
 */
int multiple_bonferroni(const double *p, size_t n, double *ret, struct error *err);

#endif
