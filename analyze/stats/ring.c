#include "analyze/stats/ring.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#include "analyze/stats/interval.h"

static double bytes_column(const struct ring_point *point)
{
	return 2 * (point->ranks - 1) / point->ranks * point->size_bytes;
}

static double latency_column(const struct ring_point *point)
{
	return 2 * (point->ranks - 1);
}

static int check_points(const struct ring_point *points, size_t n, struct error *err)
{
	bool independent = false;
	for (size_t i = 0; i < n; i++) {
		const struct ring_point *p = &points[i];
		if (!isfinite(p->size_bytes) || p->size_bytes <= 0 || !isfinite(p->ranks) || p->ranks < 2)
			return error_set(err, ERROR_DATA, "point %zu has size '%g' and ranks '%g'", i, p->size_bytes,
					 p->ranks);
		if (!isfinite(p->time_s) || !isfinite(p->sigma_s) || p->sigma_s <= 0)
			return error_set(err, ERROR_DATA, "point %zu has time '%g' and sigma '%g'", i, p->time_s,
					 p->sigma_s);
		independent = independent || p->size_bytes * points[0].ranks != points[0].size_bytes * p->ranks;
	}
	if (!independent)
		return error_set(err, ERROR_DATA,
				 "fewer than two independent points (one message size per rank count)");
	return 0;
}

static double chi2_of(const struct ring_point *points, size_t n, double inverse, double latency)
{
	double chi2 = 0;
	for (size_t i = 0; i < n; i++) {
		double fit = inverse * bytes_column(&points[i]) + latency * latency_column(&points[i]);
		double z = (points[i].time_s - fit) / points[i].sigma_s;
		chi2 += z * z;
	}
	return chi2;
}

/* Least squares on columns of length 1, since sizes reach 1e10 where the other column is near 1. */
static void solve(const struct ring_point *points, size_t n, struct ring *ring)
{
	double norm_b = 0;
	double norm_l = 0;
	for (size_t i = 0; i < n; i++) {
		norm_b = hypot(norm_b, bytes_column(&points[i]) / points[i].sigma_s);
		norm_l = hypot(norm_l, latency_column(&points[i]) / points[i].sigma_s);
	}
	double cosine = 0;
	double along = 0;
	for (size_t i = 0; i < n; i++) {
		double b = bytes_column(&points[i]) / points[i].sigma_s / norm_b;
		cosine += b * latency_column(&points[i]) / points[i].sigma_s / norm_l;
		along += b * points[i].time_s / points[i].sigma_s;
	}
	/* The part of the latency column across the other keeps its digits when they are nearly parallel. */
	double across2 = 0;
	double across = 0;
	for (size_t i = 0; i < n; i++) {
		double b = bytes_column(&points[i]) / points[i].sigma_s / norm_b;
		double v = latency_column(&points[i]) / points[i].sigma_s / norm_l - cosine * b;
		across2 += v * v;
		across += v * points[i].time_s / points[i].sigma_s;
	}
	double latency = across / across2;
	ring->latency_s = latency / norm_l;
	ring->inverse_bandwidth_s_per_byte = (along - cosine * latency) / norm_b;
	ring->bandwidth_bytes_per_s = 1 / ring->inverse_bandwidth_s_per_byte;
	ring->covariance[0] = 1 / across2 / (norm_b * norm_b);
	ring->covariance[1] = -cosine / across2 / (norm_b * norm_l);
	ring->covariance[2] = 1 / across2 / (norm_l * norm_l);
	ring->chi2 = chi2_of(points, n, ring->inverse_bandwidth_s_per_byte, ring->latency_s);
	ring->df = (double)(n - 2);

	ring->at_bound = ring->latency_s < 0;
	ring->bounded_inverse = along / norm_b;
	ring->bounded_bandwidth = 1 / ring->bounded_inverse;
	ring->bounded_chi2 = chi2_of(points, n, ring->bounded_inverse, 0);
	ring->bounded_df = (double)(n - 1);
}

static void invert(double inverse, double half, double ret[2])
{
	ret[0] = inverse + half > 0 ? 1 / (inverse + half) : INFINITY;
	ret[1] = inverse - half > 0 ? 1 / (inverse - half) : INFINITY;
}

static void set_intervals(struct ring *ring, double confidence)
{
	double inverse = ring->inverse_bandwidth_s_per_byte;
	invert(inverse, interval_t_multiplier(confidence, INFINITY) * sqrt(ring->covariance[0]), ring->bandwidth_z);
	ring->se_inverse = ring->se_latency = ring->se_bandwidth = NAN;
	ring->bandwidth[0] = ring->bandwidth[1] = ring->latency[0] = ring->latency[1] = NAN;
	if (!(ring->df > 0))
		return;

	double scale = sqrt(ring->chi2 / ring->df);
	double t = interval_t_multiplier(confidence, ring->df);
	ring->se_inverse = sqrt(ring->covariance[0]) * scale;
	ring->se_latency = sqrt(ring->covariance[2]) * scale;
	ring->se_bandwidth = ring->se_inverse / (inverse * inverse);
	invert(inverse, t * ring->se_inverse, ring->bandwidth);
	ring->latency[0] = ring->latency_s - t * ring->se_latency;
	ring->latency[1] = ring->latency_s + t * ring->se_latency;
}

/* Pure error about the weighted means of the points that share size and ranks. */
static void set_lack_of_fit(const struct ring_point *points, size_t n, struct ring *ring)
{
	size_t cells = 0;
	double pure = 0;
	for (size_t i = 0; i < n; i++) {
		double sum_w = 0;
		double sum = 0;
		bool first = true;
		for (size_t j = 0; j < n; j++) {
			if (points[j].size_bytes != points[i].size_bytes || points[j].ranks != points[i].ranks)
				continue;
			first = first && j >= i;
			double w = 1 / (points[j].sigma_s * points[j].sigma_s);
			sum_w += w;
			sum += w * (points[j].time_s - points[i].time_s);
		}
		cells += first;
		/* The cell's mean less this point. */
		double z = sum / sum_w / points[i].sigma_s;
		pure += z * z;
	}
	ring->lack_F = ring->lack_p = ring->lack_df[0] = ring->lack_df[1] = NAN;
	if (cells <= 2 || cells == n || !(pure > 0))
		return;
	ring->lack_df[0] = (double)(cells - 2);
	ring->lack_df[1] = (double)(n - cells);
	ring->lack_F = (ring->chi2 - pure) / ring->lack_df[0] / (pure / ring->lack_df[1]);
	ring->lack_p = gsl_cdf_fdist_Q(fmax(0, ring->lack_F), ring->lack_df[0], ring->lack_df[1]);
}

int ring_fit(const struct ring_point *points, size_t n, double confidence, struct ring *ret, struct error *err)
{
	int r = interval_check_confidence(confidence, err);
	if (r < 0)
		return r;
	r = check_points(points, n, err);
	if (r < 0)
		return r;

	struct ring ring = {0};
	solve(points, n, &ring);
	set_intervals(&ring, confidence);
	set_lack_of_fit(points, n, &ring);
	*ret = ring;
	return 0;
}
