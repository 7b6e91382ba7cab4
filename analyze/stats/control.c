#include "analyze/stats/control.h"

#include <math.h>

#include "analyze/stats/summary.h"

/* The chart's constants, exactly as printed: 3 / d2 and D4 for ranges of two. */
#define XMR_FACTOR 2.66
#define MOVING_RANGE_FACTOR 3.267
#define MODIFIED_Z_FACTOR 0.6745

int control_xmr(const double *x, size_t n, struct control_xmr *ret, struct error *err)
{
	double sd;
	struct control_xmr c = {0};
	int r = summary_mean_sd(x, n, &c.centre, &sd, err);
	if (r < 0)
		return r;
	if (n < 2)
		return error_set(err, ERROR_DATA, "an individuals chart needs two values, not %zu", n);

	for (size_t i = 1; i < n; i++)
		c.mean_moving_range += fabs(x[i] - x[i - 1]);
	c.mean_moving_range /= (double)(n - 1);
	c.lo = c.centre - XMR_FACTOR * c.mean_moving_range;
	c.hi = c.centre + XMR_FACTOR * c.mean_moving_range;
	c.moving_range_hi = MOVING_RANGE_FACTOR * c.mean_moving_range;
	*ret = c;
	return 0;
}

int control_modified_z(const double *x, size_t n, double *ret, struct error *err)
{
	struct summary s;
	int r = summary_of(x, n, &s, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		ret[i] = s.mad_raw > 0 ? MODIFIED_Z_FACTOR * (x[i] - s.median) / s.mad_raw : NAN;
	return 0;
}

int control_fences(const double *x, size_t n, struct control_fences *ret, struct error *err)
{
	struct control_fences f;
	int r = summary_quantile(x, n, 0.25, SUMMARY_QUANTILE_7, &f.q1, err);
	if (r < 0)
		return r;
	r = summary_quantile(x, n, 0.75, SUMMARY_QUANTILE_7, &f.q3, err);
	if (r < 0)
		return r;
	double spread = f.q3 - f.q1;
	f.inner[0] = f.q1 - 1.5 * spread;
	f.inner[1] = f.q3 + 1.5 * spread;
	f.outer[0] = f.q1 - 3 * spread;
	f.outer[1] = f.q3 + 3 * spread;
	*ret = f;
	return 0;
}
