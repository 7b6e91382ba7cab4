#include "analyze/loss_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool loss_series_wanted(const struct plan *plan, const struct run_record *run)
{
	for (size_t i = 0; i < plan->n_loss_pairs; i++) {
		const struct plan_loss_pair *pair = &plan->loss_pairs[i];
		const struct plan_setting *setting = plan_setting_find(plan, pair->setting);
		const char *control = setting ? plan_control_of(plan, setting) : NULL;
		if (strcmp(pair->harness, run->harness) == 0 &&
		    (strcmp(pair->setting, run->setting) == 0 || (control && strcmp(control, run->setting) == 0)))
			return true;
	}
	return false;
}

static bool any_step(const struct run_table *table, int step)
{
	for (size_t row = 0; step >= 0 && row < (size_t)table->rows; row++)
		if (isfinite(table->values[row * table->columns.n + (size_t)step]))
			return true;
	return false;
}

/*
 * A table cannot tell a loss that was printed as no number from a step that printed none. Gaps before the last finite
 * loss are steps without a print; a tail longer than every such gap is divergence, a shorter one the same rare print.
 */
static bool ends_non_finite(const struct loss_series *series)
{
	size_t gap = 0, longest = 0;
	bool finite = false;

	for (size_t row = 0; row < series->n; row++) {
		if (!isfinite(series->values[row])) {
			gap++;
			continue;
		}
		longest = finite && gap > longest ? gap : longest;
		finite = true;
		gap = 0;
	}
	return gap > longest;
}

void loss_series_of(const struct run_record *run, struct loss_series *ret)
{
	const struct run_table *table = NULL;

	*ret = (struct loss_series){.max_lr = (double)NAN};
	for (size_t i = 0; i < run->n_tables && !table; i++)
		if (strcmp(run->tables[i].name, "iterations") == 0)
			table = &run->tables[i];
	int loss = table ? run_table_column(table, "loss") : -1;
	if (run->status != RUN_OK || loss < 0 || !table->values)
		return;
	int step = run_table_column(table, "step"), lr = run_table_column(table, "lr");
	size_t rows = (size_t)table->rows;
	ret->numbered = any_step(table, step);
	ret->steps = mem_new(rows + 1, sizeof(*ret->steps));
	ret->values = mem_new(rows + 1, sizeof(*ret->values));
	ret->rates = mem_new(rows + 1, sizeof(*ret->rates));
	for (size_t row = 0; row < rows; row++) {
		const double *cells = &table->values[row * table->columns.n];
		if (ret->numbered && !isfinite(cells[step]))
			continue;
		ret->steps[ret->n] = ret->numbered ? cells[step] : (double)NAN;
		ret->values[ret->n] = cells[loss];
		ret->rates[ret->n] = lr >= 0 ? cells[lr] : (double)NAN;
		if (isfinite(ret->rates[ret->n]) && !(ret->rates[ret->n] <= ret->max_lr))
			ret->max_lr = ret->rates[ret->n];
		ret->n++;
	}
	ret->diverged = ends_non_finite(ret);
}

int64_t loss_series_row(const struct loss_series *series, double step)
{
	for (size_t row = series->n; row-- > 0;) {
		if (series->steps[row] == step)
			return (int64_t)row;
		if (series->steps[row] < step)
			break;
	}
	return -1;
}

double loss_series_last_mean(const struct loss_series *series, int64_t n)
{
	double sum = 0;
	int64_t seen = 0;

	for (size_t row = series->n; row-- > 0 && seen < n;) {
		if (!isfinite(series->values[row]))
			continue;
		sum += series->values[row];
		seen++;
	}
	return seen > 0 ? sum / (double)seen : (double)NAN;
}

bool loss_series_settled(const struct loss_series *series)
{
	double later = (double)NAN;
	size_t seen = 0;

	for (size_t row = series->n; row-- > 0 && seen < LOSS_SERIES_SETTLED_STEPS;) {
		if (!isfinite(series->rates[row]))
			continue;
		if (later > series->rates[row])
			return false;
		later = series->rates[row];
		seen++;
	}
	return seen > 1 && series->max_lr > 0;
}

void loss_series_release(struct loss_series *series)
{
	free(series->steps);
	free(series->values);
	free(series->rates);
	memset(series, 0, sizeof(*series));
}
