#include "analyze/stats/wilcoxon.h"

#include <math.h>

#include <gsl/gsl_sort_double.h>

#include "analyze/stats/interval.h"
#include "analyze/stats/rank.h"
#include "analyze/stats/summary.h"
#include "base/mem.h"

static int check(const char *what, const double *x, size_t n, struct error *err)
{
	int r = summary_check(what, x, n, err);
	if (r < 0)
		return r;
	if (n > WILCOXON_N_MAX)
		return error_set(err, ERROR_DATA, "'%s' has %zu values, exact Wilcoxon tests end at %d", what, n,
				 WILCOXON_N_MAX);
	return 0;
}

/* Probabilities of the sum of those of weights[n] whose sign falls positive: ret[total + 1]. */
static double *sign_distribution(const size_t *weights, size_t n, size_t *ret_total)
{
	size_t total = 0;
	for (size_t i = 0; i < n; i++)
		total += weights[i];
	double *prob = mem_new(total + 1, sizeof(*prob));
	prob[0] = 1;
	for (size_t i = 0; i < n; i++) {
		for (size_t s = total + 1; s-- > 0;)
			prob[s] = (prob[s] + (s >= weights[i] ? prob[s - weights[i]] : 0)) / 2;
	}
	*ret_total = total;
	return prob;
}

/* Probabilities of the sum of a random choice of `take` of weights[n]: ret[total + 1]. */
static double *choice_distribution(const size_t *weights, size_t n, size_t take, size_t *ret_total)
{
	size_t total = 0;
	for (size_t i = 0; i < n; i++)
		total += weights[i];
	size_t row = total + 1;
	CLEANUP(mem_free) double *count = mem_new((take + 1) * row, sizeof(*count));
	count[0] = 1;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1 < take ? i + 1 : take; j > 0; j--) {
			for (size_t s = weights[i]; s <= total; s++)
				count[j * row + s] += count[(j - 1) * row + s - weights[i]];
		}
	}

	double all = 0;
	double *prob = mem_new(row, sizeof(*prob));
	for (size_t s = 0; s < row; s++)
		all += count[take * row + s];
	for (size_t s = 0; s < row; s++)
		prob[s] = count[take * row + s] / all;
	*ret_total = total;
	return prob;
}

static void set_tails(const double *prob, size_t total, size_t at, struct wilcoxon_test *test)
{
	double less = 0;
	double greater = 0;
	for (size_t s = 0; s <= at; s++)
		less += prob[s];
	for (size_t s = total + 1; s-- > at;)
		greater += prob[s];
	test->p_less = fmin(1, less);
	test->p_greater = fmin(1, greater);
	test->p_two_sided = fmin(1, 2 * fmin(less, greater));
}

/* Twice the midranks of x[n]: whole numbers. */
static size_t *double_ranks(const double *x, size_t n)
{
	CLEANUP(mem_free) double *ranks = mem_new(n, sizeof(*ranks));
	rank_midranks(x, n, ranks);
	size_t *twice = mem_new(n, sizeof(*twice));
	for (size_t i = 0; i < n; i++)
		twice[i] = (size_t)(2 * ranks[i]);
	return twice;
}

int wilcoxon_signed_rank(const double *d, size_t n, struct wilcoxon_test *ret, struct error *err)
{
	int r = check("d", d, n, err);
	if (r < 0)
		return r;

	CLEANUP(mem_free) double *size = mem_new(n, sizeof(*size));
	CLEANUP(mem_free) bool *positive = mem_new(n, sizeof(*positive));
	struct wilcoxon_test test = {.p_two_sided_abs = NAN};
	for (size_t i = 0; i < n; i++) {
		if (d[i] == 0)
			continue;
		positive[test.n_used] = d[i] > 0;
		size[test.n_used++] = fabs(d[i]);
	}
	if (test.n_used == 0)
		return error_set(err, ERROR_DATA, "all differences are zero");

	CLEANUP(mem_free) size_t *weights = double_ranks(size, test.n_used);
	size_t at = 0;
	for (size_t i = 0; i < test.n_used; i++)
		at += positive[i] ? weights[i] : 0;
	size_t total;
	CLEANUP(mem_free) double *prob = sign_distribution(weights, test.n_used, &total);
	set_tails(prob, total, at, &test);
	test.statistic = (double)at / 2;
	*ret = test;
	return 0;
}

int wilcoxon_rank_sum(const double *a, size_t n_a, const double *b, size_t n_b, struct wilcoxon_test *ret,
		      struct error *err)
{
	int r = check("a", a, n_a, err);
	if (r < 0)
		return r;
	r = check("b", b, n_b, err);
	if (r < 0)
		return r;

	size_t n = n_a + n_b;
	CLEANUP(mem_free) double *both = mem_new(n, sizeof(*both));
	for (size_t i = 0; i < n; i++)
		both[i] = i < n_a ? a[i] : b[i - n_a];
	CLEANUP(mem_free) size_t *weights = double_ranks(both, n);
	size_t at = 0;
	for (size_t i = 0; i < n_a; i++)
		at += weights[i];
	size_t total;
	CLEANUP(mem_free) double *prob = choice_distribution(weights, n, n_a, &total);

	struct wilcoxon_test test = {.n_used = n};
	set_tails(prob, total, at, &test);
	/* In units of doubled ranks the expectation is n_a (n + 1): a whole number, so the comparison is exact. */
	size_t centre = n_a * (n + 1);
	size_t distance = at > centre ? at - centre : centre - at;
	for (size_t s = 0; s <= total; s++)
		test.p_two_sided_abs += (s > centre ? s - centre : centre - s) >= distance ? prob[s] : 0;
	test.p_two_sided_abs = fmin(1, test.p_two_sided_abs);
	test.statistic = (double)at / 2 - (double)n_a * (double)(n_a + 1) / 2;
	*ret = test;
	return 0;
}

/* The interval from sorted candidates and the distribution of the statistic, prob[0] being its smallest value. */
static void set_interval(const double *sorted, size_t n, const double *prob, double confidence,
			 struct hodges_lehmann *ret)
{
	double tail = (1 - confidence) / 2;
	/* R's fuzz: a cumulative probability equal to the tail in exact arithmetic must count as reached. */
	double reached = tail * (1 - 1e-14);
	size_t k = 0;
	double cumulative = prob[0];
	while (cumulative < reached)
		cumulative += prob[++k];
	if (k == 0)
		k = 1;

	double below = 0;
	for (size_t s = 0; s < k; s++)
		below += prob[s];
	*ret = (struct hodges_lehmann){
		.estimate = summary_median_sorted(sorted, n),
		.k = k,
		.lo = sorted[k - 1],
		.hi = sorted[n - k],
		.achieved_ratio = 1 - 2 * below,
		.level_reached = 1 - 2 * below >= confidence,
	};
}

static size_t *whole_ranks(size_t n)
{
	size_t *ranks = mem_new(n, sizeof(*ranks));
	for (size_t i = 0; i < n; i++)
		ranks[i] = i + 1;
	return ranks;
}

int wilcoxon_shift_one(const double *d, size_t n, double confidence, struct hodges_lehmann *ret, struct error *err)
{
	int r = interval_check_confidence(confidence, err);
	if (r < 0)
		return r;
	r = check("d", d, n, err);
	if (r < 0)
		return r;

	size_t n_walsh = n * (n + 1) / 2;
	CLEANUP(mem_free) double *walsh = mem_new(n_walsh, sizeof(*walsh));
	size_t at = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i; j < n; j++)
			walsh[at++] = d[i] + (d[j] - d[i]) / 2;
	}
	gsl_sort(walsh, 1, n_walsh);

	size_t total;
	CLEANUP(mem_free) size_t *ranks = whole_ranks(n);
	CLEANUP(mem_free) double *prob = sign_distribution(ranks, n, &total);
	set_interval(walsh, n_walsh, prob, confidence, ret);
	return 0;
}

int wilcoxon_shift_two(const double *a, size_t n_a, const double *b, size_t n_b, double confidence,
		       struct hodges_lehmann *ret, struct error *err)
{
	int r = interval_check_confidence(confidence, err);
	if (r < 0)
		return r;
	r = check("a", a, n_a, err);
	if (r < 0)
		return r;
	r = check("b", b, n_b, err);
	if (r < 0)
		return r;

	CLEANUP(mem_free) double *diff = mem_new(n_a * n_b, sizeof(*diff));
	for (size_t i = 0; i < n_a; i++) {
		for (size_t j = 0; j < n_b; j++)
			diff[i * n_b + j] = a[i] - b[j];
	}
	gsl_sort(diff, 1, n_a * n_b);

	size_t total;
	CLEANUP(mem_free) size_t *ranks = whole_ranks(n_a + n_b);
	CLEANUP(mem_free) double *prob = choice_distribution(ranks, n_a + n_b, n_a, &total);
	set_interval(diff, n_a * n_b, prob + n_a * (n_a + 1) / 2, confidence, ret);
	return 0;
}
