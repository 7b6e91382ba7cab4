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
	ret->n = (size_t)table->rows;
	ret->steps = mem_new(ret->n + 1, sizeof(*ret->steps));
	ret->values = mem_new(ret->n + 1, sizeof(*ret->values));
	for (size_t row = 0; row < ret->n; row++) {
		const double *cells = &table->values[row * table->columns.n];
		ret->steps[row] = step >= 0 && isfinite(cells[step]) ? cells[step] : (double)row + 1;
		ret->values[row] = cells[loss];
		if (lr >= 0 && isfinite(cells[lr]) && !(cells[lr] <= ret->max_lr))
			ret->max_lr = cells[lr];
	}
}

void loss_series_release(struct loss_series *series)
{
	free(series->steps);
	free(series->values);
	memset(series, 0, sizeof(*series));
}
