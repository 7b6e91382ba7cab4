/*
 * Rank correlation of paired values: Kendall's tau-b and Spearman's rho with exact and asymptotic p. Takes arrays of
 * finite doubles; a field that is undefined is NaN.
 */
#ifndef ANALYZE_STATS_RANK_H
#define ANALYZE_STATS_RANK_H

#include <stddef.h>

#include "base/error.h"

#define RANK_KENDALL_EXACT_MAX 60
#define RANK_KENDALL_PERMUTATION_MAX 7
#define RANK_SPEARMAN_EXACT_MAX 10

struct rank_kendall {
	size_t n;
	size_t concordant;
	size_t discordant;
	size_t ties_x; /* pairs tied in x only */
	size_t ties_y;
	size_t ties_xy;
	double tau_b;
	double p_exact; /* NaN with ties or n > RANK_KENDALL_EXACT_MAX */
	double z;       /* NaN for n < 3 */
	double p_asymptotic;
	double p_permutation; /* all orders of y, ties kept; NaN for n > RANK_KENDALL_PERMUTATION_MAX */
};

struct rank_spearman {
	double rho;
	double s;       /* sum of squared rank differences; NaN with ties */
	double p_exact; /* NaN with ties or n > RANK_SPEARMAN_EXACT_MAX */
	double p_t;     /* t with n - 2 df; NaN for n < 3 */
};

/** Midranks of x[n] (1-based, ties share their mean) to ret[n]; x finite. */
void rank_midranks(const double *x, size_t n, double *ret);

/** Sum of t (t - 1) (2 t + 5) over the groups of t tied values of x[n]: the tie term of Kendall's variance. */
double rank_tie_term(const double *x, size_t n);

/**
 * Kendall's tau-b.
 *
 * @param x, y  x[n], y[n], n >= 2, neither constant
 * @param ret   pair counts, tau-b and p
 * @return 0; ERROR_DATA for n < 2, a constant or a non-finite value
 * Source: vectors/rank_correlation.json
 */
int rank_kendall(const double *x, const double *y, size_t n, struct rank_kendall *ret, struct error *err);

/**
 * Weighted tau: hyperbolic weights 1 / (rank + 1), the largest value of rank 0, added, mean over ranking by x and by y.
 *
 * @param x, y     x[n], y[n], n >= 2, neither constant
 * @param ret_tau  in [-1, 1]
 * @return 0; ERROR_DATA for n < 2, a constant or a non-finite value
 * Source: Vigna 2015, scipy.stats.weightedtau; vectors/rank_correlation.json
 */
int rank_weighted_tau(const double *x, const double *y, size_t n, double *ret_tau, struct error *err);

/**
 * Spearman's rho.
 *
 * @param x, y  x[n], y[n], n >= 2, neither constant
 * @param ret   rho and p
 * @return 0; ERROR_DATA for n < 2, a constant or a non-finite value
 * Source: vectors/rank_correlation.json
 */
int rank_spearman(const double *x, const double *y, size_t n, struct rank_spearman *ret, struct error *err);

#endif
