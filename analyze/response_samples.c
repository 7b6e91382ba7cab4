#include "analyze/response_samples.h"

#include "base/text.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <inttypes.h>
#include <math.h>

struct sample_columns {
	int iteration, time_s;
};

static double cell(const struct run_table *table, int64_t row, int column)
{
	return table->values[(size_t)row * table->columns.n + (size_t)column];
}

/* The slowest rank of each iteration in rows [from, to): how many; NAN where a rank's time is missing. */
static int64_t slowest_ranks(const struct run_table *table, struct sample_columns columns, int64_t from, int64_t to,
			     double *ret_slowest)
{
	int64_t n = 0;

	for (int64_t row = from; row < to; row++) {
		double time_s = cell(table, row, columns.time_s);
		bool begins =
			row == from || cell(table, row, columns.iteration) != cell(table, row - 1, columns.iteration);

		if (begins)
			ret_slowest[n++] = time_s;
		else if (isnan(time_s) || time_s > ret_slowest[n - 1])
			ret_slowest[n - 1] = isnan(ret_slowest[n - 1]) ? ret_slowest[n - 1] : time_s;
	}
	return n;
}

void response_of_samples(const struct run_table *table, int64_t bytes, struct response *ret)
{
	CLEANUP(text_release) struct text why = {0};
	CLEANUP(mem_free) double *slowest = mem_new((size_t)table->rows + 1, sizeof(*slowest));
	struct sample_columns columns = {run_table_column(table, "iteration"), run_table_column(table, "time_s")};
	int64_t discarded = table->discarded < table->rows ? table->discarded : table->rows;

	ret->unit = mem_dup_string("s");
	ret->statistic = mem_dup_string(RESPONSE_SAMPLES_STATISTIC);
	if (columns.iteration < 0 || columns.time_s < 0) {
		ret->y_reason = mem_dup_string("the samples have no iteration or no time");
		return;
	}
	ret->discarded = slowest_ranks(table, columns, 0, discarded, slowest);
	ret->units = slowest_ranks(table, columns, discarded, table->rows, slowest);
	if (ret->units < RESPONSE_STEADY_MIN) {
		ret->unsteady = true;
		text_format(&why, "%" PRId64 " steady iterations at %" PRId64 " B, fewer than %d", ret->units, bytes,
			    RESPONSE_STEADY_MIN);
		ret->y_reason = text_take(&why);
		return;
	}
	for (int64_t i = 0; i < ret->units; i++) {
		if (slowest[i] > 0 && isfinite(slowest[i]))
			continue;
		text_format(&why, "the time of a kept iteration at %" PRId64 " B is not positive", bytes);
		ret->y_reason = text_take(&why);
		return;
	}
	gsl_sort(slowest, 1, (size_t)ret->units);
	ret->y = log(gsl_stats_median_from_sorted_data(slowest, 1, (size_t)ret->units));
}
