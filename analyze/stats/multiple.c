#include "analyze/stats/multiple.h"

#include <math.h>

#include <gsl/gsl_sort_double.h>

#include "base/mem.h"

static int check_p(const double *p, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		if (!(p[i] >= 0 && p[i] <= 1))
			return error_set(err, ERROR_DATA, "p-value %zu is '%g', not in [0, 1]", i, p[i]);
	}
	return 0;
}

int multiple_holm(const double *p, size_t n, size_t m, double *ret, struct error *err)
{
	int r = check_p(p, n, err);
	if (r < 0)
		return r;
	if (m < n)
		return error_set(err, ERROR_DATA, "a family of %zu cannot hold %zu p-values", m, n);
	if (n == 0)
		return 0;

	CLEANUP(mem_free) size_t *order = mem_new(n, sizeof(*order));
	gsl_sort_index(order, p, 1, n);
	double floor_p = 0;
	for (size_t i = 0; i < n; i++) {
		floor_p = fmax(floor_p, (double)(m - i) * p[order[i]]);
		ret[order[i]] = fmin(1, floor_p);
	}
	return 0;
}

int multiple_bh(const double *p, size_t n, double *ret, struct error *err)
{
	int r = check_p(p, n, err);
	if (r < 0)
		return r;
	if (n == 0)
		return 0;

	CLEANUP(mem_free) size_t *order = mem_new(n, sizeof(*order));
	gsl_sort_index(order, p, 1, n);
	double ceiling = 1;
	for (size_t i = n; i-- > 0;) {
		ceiling = fmin(ceiling, (double)n * p[order[i]] / (double)(i + 1));
		ret[order[i]] = ceiling;
	}
	return 0;
}

int multiple_bonferroni(const double *p, size_t n, double *ret, struct error *err)
{
	int r = check_p(p, n, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		ret[i] = fmin(1, (double)n * p[i]);
	return 0;
}
