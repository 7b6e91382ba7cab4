#include "analyze/stats/rank.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>

#include "analyze/stats/summary.h"
#include "base/mem.h"

void rank_midranks(const double *x, size_t n, double *ret)
{
	if (n == 0)
		return;
	CLEANUP(mem_free) size_t *order = mem_new(n, sizeof(*order));
	gsl_sort_index(order, x, 1, n);
	for (size_t i = 0; i < n;) {
		size_t end = i + 1;
		while (end < n && x[order[end]] == x[order[i]])
			end++;
		for (size_t j = i; j < end; j++)
			ret[order[j]] = (double)(i + 1 + end) / 2;
		i = end;
	}
}

static bool is_constant(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (x[i] != x[0])
			return false;
	}
	return true;
}

static int check_pairs(const double *x, const double *y, size_t n, struct error *err)
{
	int r = summary_check("x", x, n, err);
	if (r < 0)
		return r;
	r = summary_check("y", y, n, err);
	if (r < 0)
		return r;
	if (n < 2)
		return error_set(err, ERROR_DATA, "a rank correlation needs two pairs, not %zu", n);
	if (is_constant(x, n) || is_constant(y, n))
		return error_set(err, ERROR_DATA, "'%s' is constant: no rank correlation",
				 is_constant(x, n) ? "x" : "y");
	return 0;
}

/* Sums over the groups of ties: t (t-1) (2t+5), t (t-1), t (t-1) (t-2). */
struct ties {
	double variance;
	double pairs;
	double triples;
};

static struct ties ties_of(const double *x, size_t n)
{
	struct ties ties = {0};
	CLEANUP(mem_free) double *sorted = summary_sorted(x, n);
	for (size_t i = 0; i < n;) {
		size_t end = i + 1;
		while (end < n && sorted[end] == sorted[i])
			end++;
		double t = (double)(end - i);
		ties.variance += t * (t - 1) * (2 * t + 5);
		ties.pairs += t * (t - 1);
		ties.triples += t * (t - 1) * (t - 2);
		i = end;
	}
	return ties;
}

double rank_tie_term(const double *x, size_t n)
{
	return ties_of(x, n).variance;
}

/* Twice the smaller tail of the number of inversions of a random order, without ties. */
static double kendall_exact(size_t n, size_t concordant)
{
	size_t most = n * (n - 1) / 2;
	CLEANUP(mem_free) double *prob = mem_new(most + 1, sizeof(*prob));
	CLEANUP(mem_free) double *next = mem_new(most + 1, sizeof(*next));
	prob[0] = 1;
	for (size_t i = 2; i <= n; i++) {
		/* No running difference: tails far below the rounding of 1 keep their digits. */
		for (size_t s = 0; s <= most; s++) {
			double sum = 0;
			for (size_t back = 0; back < i && back <= s; back++)
				sum += prob[s - back];
			next[s] = sum / (double)i;
		}
		double *swap = prob;
		prob = next;
		next = swap;
	}

	/* The distribution is symmetric, so the smaller tail is the one that ends nearer to 0. */
	size_t at = concordant < most - concordant ? concordant : most - concordant;
	double tail = 0;
	for (size_t s = 0; s <= at; s++)
		tail += prob[s];
	return fmin(1, 2 * tail);
}

static int sign_of(double x)
{
	return (x > 0) - (x < 0);
}

static long score_of(const double *x, const double *y, const size_t *order, size_t n)
{
	long score = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++)
			score += sign_of(x[j] - x[i]) * sign_of(y[order[j]] - y[order[i]]);
	}
	return score;
}

/* Share of all orders of y whose |score| is at least the observed one. */
static double kendall_permutation(const double *x, const double *y, size_t n)
{
	size_t order[RANK_KENDALL_PERMUTATION_MAX];
	size_t turns[RANK_KENDALL_PERMUTATION_MAX] = {0};
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	long observed = labs(score_of(x, y, order, n));
	double all = 1;
	double extreme = 1;
	/* Heap's algorithm. */
	for (size_t i = 1; i < n;) {
		if (turns[i] == i) {
			turns[i++] = 0;
			continue;
		}
		size_t from = i % 2 == 0 ? 0 : turns[i];
		size_t swap = order[from];
		order[from] = order[i];
		order[i] = swap;
		all += 1;
		extreme += labs(score_of(x, y, order, n)) >= observed;
		turns[i]++;
		i = 1;
	}
	return extreme / all;
}

int rank_kendall(const double *x, const double *y, size_t n, struct rank_kendall *ret, struct error *err)
{
	int r = check_pairs(x, y, n, err);
	if (r < 0)
		return r;

	struct rank_kendall k = {.n = n, .p_exact = NAN, .z = NAN, .p_asymptotic = NAN, .p_permutation = NAN};
	if (n <= RANK_KENDALL_PERMUTATION_MAX)
		k.p_permutation = kendall_permutation(x, y, n);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			int dx = sign_of(x[j] - x[i]);
			int dy = sign_of(y[j] - y[i]);
			k.concordant += dx * dy > 0;
			k.discordant += dx * dy < 0;
			k.ties_x += dx == 0 && dy != 0;
			k.ties_y += dx != 0 && dy == 0;
			k.ties_xy += dx == 0 && dy == 0;
		}
	}
	double score = (double)k.concordant - (double)k.discordant;
	double size = (double)n;
	double pairs = size * (size - 1) / 2;
	struct ties tx = ties_of(x, n);
	struct ties ty = ties_of(y, n);
	k.tau_b = score / sqrt((pairs - tx.pairs / 2) * (pairs - ty.pairs / 2));
	if (tx.pairs == 0 && ty.pairs == 0 && n <= RANK_KENDALL_EXACT_MAX)
		k.p_exact = kendall_exact(n, k.concordant);
	if (n >= 3) {
		double variance = (size * (size - 1) * (2 * size + 5) - tx.variance - ty.variance) / 18 +
				  tx.pairs * ty.pairs / (2 * size * (size - 1)) +
				  tx.triples * ty.triples / (9 * size * (size - 1) * (size - 2));
		k.z = score / sqrt(variance);
		k.p_asymptotic = fmin(1, 2 * gsl_cdf_ugaussian_Q(fabs(k.z)));
	}
	*ret = k;
	return 0;
}

/* Weighted tau with the weights of the ranking by x, ties broken by y, from the largest down. */
static double weighted_tau_by(const double *x, const double *y, size_t n)
{
	CLEANUP(mem_free) double *weight = mem_new(n, sizeof(*weight));
	for (size_t i = 0; i < n; i++) {
		size_t above = 0;
		for (size_t j = 0; j < n; j++) {
			bool larger = x[j] > x[i] || (x[j] == x[i] && y[j] > y[i]);
			bool earlier = x[j] == x[i] && y[j] == y[i] && j < i;
			above += larger || earlier;
		}
		weight[i] = 1 / (double)(above + 1);
	}
	double score = 0;
	double all_x = 0;
	double all_y = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			double w = weight[i] + weight[j];
			int dx = sign_of(x[j] - x[i]);
			int dy = sign_of(y[j] - y[i]);
			score += dx * dy * w;
			all_x += dx != 0 ? w : 0;
			all_y += dy != 0 ? w : 0;
		}
	}
	return score / sqrt(all_x * all_y);
}

int rank_weighted_tau(const double *x, const double *y, size_t n, double *ret_tau, struct error *err)
{
	int r = check_pairs(x, y, n, err);
	if (r < 0)
		return r;
	*ret_tau = (weighted_tau_by(x, y, n) + weighted_tau_by(y, x, n)) / 2;
	return 0;
}

/* Twice the smaller tail of the sum of squared rank differences, over subsets of the ranks already given out. */
static double spearman_exact(size_t n, size_t s)
{
	size_t most = n * (n * n - 1) / 3;
	size_t row = most + 1;
	size_t n_sets = (size_t)1 << n;
	CLEANUP(mem_free) double *count = mem_new(n_sets * row, sizeof(*count));
	count[0] = 1;
	for (size_t set = 0; set + 1 < n_sets; set++) {
		size_t place = (size_t)__builtin_popcountll(set);
		for (size_t rank = 0; rank < n; rank++) {
			if (set >> rank & 1)
				continue;
			size_t d = rank > place ? rank - place : place - rank;
			double *to = count + (set | (size_t)1 << rank) * row;
			for (size_t at = 0; at + d * d <= most; at++)
				to[at + d * d] += count[set * row + at];
		}
	}

	const double *last = count + (n_sets - 1) * row;
	double all = 0;
	double less = 0;
	double greater = 0;
	for (size_t at = 0; at <= most; at++) {
		all += last[at];
		less += at <= s ? last[at] : 0;
		greater += at >= s ? last[at] : 0;
	}
	return fmin(1, 2 * fmin(less, greater) / all);
}

int rank_spearman(const double *x, const double *y, size_t n, struct rank_spearman *ret, struct error *err)
{
	int r = check_pairs(x, y, n, err);
	if (r < 0)
		return r;

	CLEANUP(mem_free) double *rx = mem_new(n, sizeof(*rx));
	CLEANUP(mem_free) double *ry = mem_new(n, sizeof(*ry));
	rank_midranks(x, n, rx);
	rank_midranks(y, n, ry);
	double centre = (double)(n + 1) / 2;
	double sxx = 0;
	double syy = 0;
	double sxy = 0;
	double s = 0;
	for (size_t i = 0; i < n; i++) {
		sxx += (rx[i] - centre) * (rx[i] - centre);
		syy += (ry[i] - centre) * (ry[i] - centre);
		sxy += (rx[i] - centre) * (ry[i] - centre);
		s += (rx[i] - ry[i]) * (rx[i] - ry[i]);
	}

	struct rank_spearman out = {.rho = sxy / sqrt(sxx * syy), .s = NAN, .p_exact = NAN, .p_t = NAN};
	if (ties_of(x, n).pairs == 0 && ties_of(y, n).pairs == 0) {
		out.s = s;
		if (n <= RANK_SPEARMAN_EXACT_MAX)
			out.p_exact = spearman_exact(n, (size_t)s);
	}
	if (n >= 3) {
		/* Midranks are multiples of 1/2, so that these sums are exact and 1 - rho^2 does not cancel. */
		double rest = sxx * syy - sxy * sxy;
		double t = rest > 0 ? fabs(sxy) * sqrt((double)(n - 2) / rest) : INFINITY;
		out.p_t = isinf(t) ? 0 : fmin(1, 2 * gsl_cdf_tdist_Q(t, (double)(n - 2)));
	}
	*ret = out;
	return 0;
}
