/* The order of the settings on both sides of a pair, and the slope through them. */
#include "analyze/parity.h"

#include "analyze/stats/interval.h"
#include "analyze/stats/line.h"
#include "analyze/stats/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KENDALL_REACH 4 /* no order of so few settings is rare */
#define KENDALL_EXACT 10
#define SLOPE_SETTINGS 5

enum side { BENCH, SLICE };

enum order { ORDER_UNRESOLVED, ORDER_FIRST_FASTER, ORDER_SECOND_FASTER };

/* A setting with a number on both sides. */
struct ranked {
	struct doc_parity_setting *row;
	const struct doc_effect *side[2]; /* by enum side */
};

struct ranked_list {
	struct ranked *items;
	size_t n;
};

static void ranked_list_release(struct ranked_list *list)
{
	free(list->items);
}
CLEANUP_VALUE(struct ranked_list, ranked_list_release)

/* The control that most of the settings share; the first met where two are as frequent. */
static const char *main_control(const struct ranked_list *list)
{
	const char *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < list->n; i++) {
		size_t n = 0;
		for (size_t j = 0; j < list->n; j++)
			n += strcmp(list->items[i].side[BENCH]->control, list->items[j].side[BENCH]->control) == 0;
		if (n > most) {
			most = n;
			best = list->items[i].side[BENCH]->control;
		}
	}
	return best;
}

static void rankable(const struct analysis_doc *doc, struct doc_parity *parity, struct ranked_list *ret)
{
	struct ranked_list list = {mem_new(parity->n_settings + 1, sizeof(*list.items)), 0};
	size_t kept = 0;

	for (size_t i = 0; i < parity->n_settings; i++) {
		struct doc_parity_setting *row = &parity->settings[i];
		if (!isfinite(row->x_log_gain) || !isfinite(row->y_log_gain))
			continue;
		list.items[list.n++] = (struct ranked){row,
						       {parity_effect(doc, parity->bench, row->setting),
							parity_effect(doc, parity->slice, row->setting)}};
	}
	const char *control = main_control(&list);
	for (size_t i = 0; i < list.n; i++)
		if (strcmp(list.items[i].side[BENCH]->control, control) == 0 &&
		    strcmp(list.items[i].side[SLICE]->control, control) == 0)
			list.items[kept++] = list.items[i];
	list.n = kept;
	*ret = list;
}

/* From the difference by block: the control is the same run for both and falls out. */
static enum order order_of(const struct doc_effect *a, const struct doc_effect *b)
{
	CLEANUP(mem_free) double *differences = mem_new(a->n_log_gains + 1, sizeof(*differences));
	struct interval_mean interval;
	struct error err;
	size_t n = 0;

	for (size_t i = 0; i < a->n_log_gains; i++)
		for (size_t j = 0; j < b->n_log_gains; j++)
			if (strcmp(a->log_gains[i].block, b->log_gains[j].block) == 0)
				differences[n++] = a->log_gains[i].log_gain - b->log_gains[j].log_gain;
	if (n < 2 || interval_mean(differences, n, 0.95, &interval, &err) < 0 || interval.se < 1e-12)
		return ORDER_UNRESOLVED;
	if (interval.lo > 0)
		return ORDER_FIRST_FASTER;
	return interval.hi < 0 ? ORDER_SECOND_FASTER : ORDER_UNRESOLVED;
}

static void count_pairs(const struct ranked_list *list, struct doc_parity_ranking *ranking)
{
	for (size_t i = 0; i < list->n; i++) {
		for (size_t j = i + 1; j < list->n; j++) {
			struct ranked *a = &list->items[i], *b = &list->items[j];
			enum order x = order_of(a->side[BENCH], b->side[BENCH]);
			enum order y = order_of(a->side[SLICE], b->side[SLICE]);
			bool resolved = x != ORDER_UNRESOLVED && y != ORDER_UNRESOLVED;
			ranking->unresolved += !resolved;
			a->row->unresolved += !resolved;
			b->row->unresolved += !resolved;
			ranking->agree += resolved && x == y;
			a->row->agree += resolved && x == y;
			b->row->agree += resolved && x == y;
			ranking->reversed += resolved && x != y;
			a->row->reversed += resolved && x != y;
			b->row->reversed += resolved && x != y;
		}
	}
}

static int by_gain(const void *left, const void *right, void *side)
{
	double a = ((const struct ranked *)left)->side[*(const enum side *)side]->log_gain;
	double b = ((const struct ranked *)right)->side[*(const enum side *)side]->log_gain;
	return (a < b) - (a > b);
}

/* The end of the run of neighbours from `from` on, none of whose steps is resolved. */
static size_t tie_end(const struct ranked_list *sorted, size_t from, enum side side)
{
	size_t to = from;

	while (to + 1 < sorted->n &&
	       order_of(sorted->items[to].side[side], sorted->items[to + 1].side[side]) == ORDER_UNRESOLVED)
		to++;
	return to;
}

static void place(struct ranked_list *list, enum side side)
{
	qsort_r(list->items, list->n, sizeof(*list->items), by_gain, &side);
	for (size_t from = 0; from < list->n;) {
		size_t to = tie_end(list, from, side);
		for (size_t i = from; i <= to; i++) {
			struct doc_parity_setting *row = list->items[i].row;
			*(side == BENCH ? &row->x_place : &row->y_place) = (int64_t)i + 1;
			*(side == BENCH ? &row->x_tied_from : &row->y_tied_from) = (int64_t)from + 1;
			*(side == BENCH ? &row->x_tied_to : &row->y_tied_to) = (int64_t)to + 1;
		}
		from = to + 1;
	}
}

static void correlate(const struct ranked_list *list, struct doc_parity_ranking *ranking)
{
	CLEANUP(mem_free) double *x = mem_new(list->n + 1, sizeof(*x));
	CLEANUP(mem_free) double *y = mem_new(list->n + 1, sizeof(*y));
	struct rank_kendall kendall;
	struct rank_spearman spearman;
	struct error err;

	for (size_t i = 0; i < list->n; i++) {
		x[i] = list->items[i].side[BENCH]->log_gain;
		y[i] = list->items[i].side[SLICE]->log_gain;
	}
	if (rank_kendall(x, y, list->n, &kendall, &err) < 0 || rank_spearman(x, y, list->n, &spearman, &err) < 0) {
		ranking->p_exact_reason = mem_dup_string("fewer than two settings to order");
		return;
	}
	ranking->tau_b = kendall.tau_b;
	ranking->spearman = spearman.rho;
	if (list->n <= KENDALL_REACH)
		ranking->p_exact_reason = mem_dup_string("out of reach for four settings and fewer");
	else if (list->n > KENDALL_EXACT || !isfinite(kendall.p_exact))
		ranking->p_exact_reason = mem_dup_string("exact for at most ten settings without ties");
	else
		ranking->p_exact = kendall.p_exact;
}

void parity_rank(const struct analysis_doc *doc, struct doc_parity *parity)
{
	CLEANUP(ranked_list_release) struct ranked_list list = {0};

	rankable(doc, parity, &list);
	parity->ranking.settings = (int64_t)list.n;
	count_pairs(&list, &parity->ranking);
	correlate(&list, &parity->ranking);
	place(&list, BENCH);
	place(&list, SLICE);
}

/* Variances and correlation of one point; false where a side has no interval. */
static bool weigh(const struct ranked *item, double *weight_x, double *weight_y, double *correlation)
{
	double se_x = parity_standard_error(item->side[BENCH]);
	double se_y = parity_standard_error(item->side[SLICE]);

	if (!(se_x > 0) || !(se_y > 0))
		return false;
	*weight_x = 1 / (se_x * se_x);
	*weight_y = 1 / (se_y * se_y);
	double r = parity_covariance(item->side[BENCH], item->side[SLICE]) / (se_x * se_y);
	*correlation = fmax(-0.99, fmin(0.99, r));
	return true;
}

struct cloud {
	double *x, *y, *weight_x, *weight_y, *correlation;
	size_t n;
};

static void cloud_release(struct cloud *cloud)
{
	free(cloud->x); /* one allocation */
}
CLEANUP_VALUE(struct cloud, cloud_release)

static void leave_one_out(const struct cloud *all, struct doc_interval *ret)
{
	CLEANUP(cloud_release) struct cloud part = {.x = mem_new(5 * all->n, sizeof(double))};
	double *columns[5];
	const double *sources[5] = {all->x, all->y, all->weight_x, all->weight_y, all->correlation};
	struct line_both line;
	struct error err;

	for (size_t left = 0; left < all->n; left++) {
		for (size_t c = 0; c < 5; c++) {
			columns[c] = part.x + c * all->n;
			for (size_t i = 0, k = 0; i < all->n; i++)
				if (i != left)
					columns[c][k++] = sources[c][i];
		}
		if (line_york_correlated(columns[0], columns[1], columns[2], columns[3], columns[4], all->n - 1, &line,
					 &err) < 0)
			continue;
		ret->lo = fmin(ret->lo, line.slope); /* fmin passes over NaN */
		ret->hi = fmax(ret->hi, line.slope);
	}
}

void parity_slope(const struct analysis_doc *doc, struct doc_parity *parity)
{
	CLEANUP(ranked_list_release) struct ranked_list list = {0};
	struct doc_parity_slope *slope = &parity->slope;
	struct line_both line;
	struct error err;

	rankable(doc, parity, &list);
	CLEANUP(cloud_release) struct cloud cloud = {.x = mem_new(5 * list.n + 5, sizeof(double))};
	cloud.y = cloud.x + list.n;
	cloud.weight_x = cloud.y + list.n;
	cloud.weight_y = cloud.weight_x + list.n;
	cloud.correlation = cloud.weight_y + list.n;
	for (size_t i = 0; i < list.n; i++) {
		size_t k = cloud.n;
		if (!weigh(&list.items[i], &cloud.weight_x[k], &cloud.weight_y[k], &cloud.correlation[k]))
			continue;
		cloud.x[k] = list.items[i].side[BENCH]->log_gain;
		cloud.y[k] = list.items[i].side[SLICE]->log_gain;
		cloud.n++;
	}
	slope->n = (int64_t)cloud.n;
	if (cloud.n < SLOPE_SETTINGS) {
		slope->slope_reason = mem_dup_string("fewer than five settings with an interval on both sides");
		return;
	}
	if (line_york_correlated(cloud.x, cloud.y, cloud.weight_x, cloud.weight_y, cloud.correlation, cloud.n, &line,
				 &err) < 0) {
		slope->slope_reason = mem_dup_string(err.message);
		return;
	}
	/* The settings scatter about the line by more than their errors, so the scaled error, where it is larger. */
	double half = interval_t_multiplier(0.95, line.df) * fmax(line.se_slope, line.se_slope_scaled);
	slope->slope = line.slope;
	slope->slope_ci95 = (struct doc_interval){line.slope - half, line.slope + half};
	leave_one_out(&cloud, &slope->leave_one_out);
}
