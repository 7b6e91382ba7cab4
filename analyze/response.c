#include "analyze/response.h"

#include "analyze/response_samples.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void response_release(struct response *response)
{
	free(response->y_reason);
	free(response->unit);
	free(response->statistic);
	memset(response, 0, sizeof(*response));
	response->y = NAN;
}

static double table_value(const struct run_table *table, int64_t row, int column)
{
	return table->values[(size_t)row * table->columns.n + (size_t)column];
}

/* Whether a table is of the harness's operation and placement. */
static bool is_of_harness(const struct plan_harness *harness, const struct run_table *table, const char *name)
{
	const char *placement = harness->placement ? harness->placement : "out_of_place";

	if (strcmp(table->name, name) != 0)
		return false;
	if (harness->op && table->op && strcmp(table->op, harness->op) != 0)
		return false;
	return !table->placement || strcmp(table->placement, placement) == 0;
}

static const struct run_table *find_table(const struct plan_harness *harness, const struct run_record *run,
					  const char *name)
{
	for (size_t i = 0; i < run->n_tables; i++)
		if (is_of_harness(harness, &run->tables[i], name))
			return &run->tables[i];
	return NULL;
}

/* Samples have a table a size. */
static const struct run_table *find_samples(const struct plan_harness *harness, const struct run_record *run)
{
	for (size_t i = 0; i < run->n_tables; i++) {
		const struct run_table *table = &run->tables[i];
		int bytes = run_table_column(table, "bytes");

		if (is_of_harness(harness, table, "samples") && table->values && table->rows > 0 && bytes >= 0 &&
		    table_value(table, 0, bytes) == (double)harness->headline_bytes)
			return table;
	}
	return NULL;
}

static void no_row(const struct plan_harness *harness, struct response *ret)
{
	CLEANUP(text_release) struct text why = {0};

	text_format(&why, "no row at the headline size of %" PRId64 " B", harness->headline_bytes);
	ret->y_reason = text_take(&why);
}

static void respond_sizes(const struct plan_harness *harness, const struct run_table *table, struct response *ret)
{
	CLEANUP(text_release) struct text why = {0};
	int bytes = run_table_column(table, "bytes");
	int time_s = run_table_column(table, "time_s");

	ret->units = table->rows;
	ret->discarded = 0;
	ret->unit = mem_dup_string("s");
	ret->statistic = mem_dup_string(table->statistic);
	if (harness->headline_bytes < 0) {
		ret->y_reason = mem_dup_string("the plan gives no headline_bytes");
		return;
	}
	for (int64_t row = 0; bytes >= 0 && time_s >= 0 && row < table->rows; row++) {
		if (table_value(table, row, bytes) != (double)harness->headline_bytes)
			continue;
		double seconds = table_value(table, row, time_s);
		if (seconds > 0 && isfinite(seconds)) {
			ret->y = log(seconds);
			return;
		}
		text_format(&why, "the time at %" PRId64 " B is not positive", harness->headline_bytes);
		ret->y_reason = text_take(&why);
		return;
	}
	no_row(harness, ret);
}

static void respond_samples(const struct plan_harness *harness, const struct run_record *run, struct response *ret)
{
	const struct run_table *table = harness->headline_bytes < 0 ? NULL : find_samples(harness, run);

	if (table) {
		response_of_samples(table, harness->headline_bytes, ret);
		return;
	}
	ret->unit = mem_dup_string("s");
	ret->statistic = mem_dup_string(RESPONSE_SAMPLES_STATISTIC);
	if (harness->headline_bytes < 0)
		ret->y_reason = mem_dup_string("the plan gives no headline_bytes");
	else
		no_row(harness, ret);
}

static void respond_bench(const struct plan_harness *harness, const struct run_record *run, struct response *ret)
{
	CLEANUP(text_release) struct text why = {0};
	const struct run_table *sizes = find_table(harness, run, "sizes");

	if (find_table(harness, run, "samples")) {
		respond_samples(harness, run, ret);
	} else if (sizes && sizes->values) {
		respond_sizes(harness, sizes, ret);
	} else {
		text_format(&why, "no %s table of %s", harness->placement ? harness->placement : "out_of_place",
			    harness->op ? harness->op : "the operation");
		ret->y_reason = text_take(&why);
	}
}

static bool increases(const struct run_table *table, int column)
{
	for (int64_t row = 1; row < table->rows; row++)
		if (!(table_value(table, row, column) > table_value(table, row - 1, column)))
			return false;
	return true;
}

static bool is_whole(const struct run_table *table, int column)
{
	for (int64_t row = 0; row < table->rows; row++)
		if (!isfinite(table_value(table, row, column)))
			return false;
	return true;
}

/* What the work of a row is read from. */
struct work {
	int column;   /* -1: every row is one unit */
	bool running; /* a running total, differenced */
	double first; /* work of the table's first row, where it is a running total */
};

/* A total is the first row's own work unless the run was resumed: the rows behind it tell. */
static double first_total(const struct run_table *table, int column)
{
	double first = table_value(table, 0, column), largest = 0;

	for (int64_t row = 1; row < table->rows; row++)
		largest = fmax(largest, table_value(table, row, column) - table_value(table, row - 1, column));
	return first > 0 && first <= largest ? first : table_value(table, 1, column) - first;
}

/* A first step number is its own gap only where the rows behind it have that gap throughout. */
static double first_gap(const struct run_table *table, int column)
{
	double first = table_value(table, 0, column);

	for (int64_t row = 1; row < table->rows; row++)
		if (table_value(table, row, column) - table_value(table, row - 1, column) != first)
			return 1;
	return first;
}

/* A throughput weighs by the samples or tokens of its row; a mean over steps by the number of those steps. */
static struct work find_work(const struct run_table *table, bool throughput)
{
	static const char *const names[] = {"samples", "tokens"};
	int step = run_table_column(table, "step");

	for (size_t i = 0; throughput && i < sizeof(names) / sizeof(*names); i++) {
		int column = run_table_column(table, names[i]);
		if (column < 0 || !is_whole(table, column))
			continue;
		bool running = increases(table, column);
		return (struct work){column, running, running ? first_total(table, column) : NAN};
	}
	if (step < 0 || !is_whole(table, step) || !increases(table, step))
		return (struct work){-1, false, NAN};
	return (struct work){step, true, first_gap(table, step)};
}

static double row_work(const struct run_table *table, int64_t row, const struct work *work)
{
	if (work->column < 0)
		return 1;
	double now = table_value(table, row, work->column);
	if (!work->running)
		return now;
	return row > 0 ? now - table_value(table, row - 1, work->column) : work->first;
}

/* Time per unit: the work-weighted mean of the times per step, or of the inverted throughputs. */
static double time_per_unit(const struct run_table *table, int column, bool throughput)
{
	struct work by = find_work(table, throughput);
	double sum = 0, weight = 0, carry = 0;

	for (int64_t row = table->discarded; row < table->rows; row++) {
		double value = table_value(table, row, column);
		double work = row_work(table, row, &by);
		if (!isfinite(value) || !(work > 0))
			continue;
		if (throughput && !(value > 0))
			return NAN;
		double term = (throughput ? work / value : work * value) - carry;
		double next = sum + term;
		carry = (next - sum) - term;
		sum = next;
		weight += work;
	}
	return sum / weight;
}

static void respond_slice(const struct run_record *run, struct response *ret)
{
	CLEANUP(text_release) struct text why = {0};
	const struct run_table *table = NULL;

	for (size_t i = 0; i < run->n_tables && !table; i++)
		if (strcmp(run->tables[i].name, "iterations") == 0)
			table = &run->tables[i];
	if (!table || !table->values) {
		ret->y_reason = mem_dup_string("no iterations were logged");
		return;
	}
	int column = run_table_column(table, "time_s");
	ret->throughput = column < 0;
	if (column < 0)
		column = run_table_column(table, "throughput");
	ret->discarded = table->discarded < table->rows ? table->discarded : table->rows;
	ret->units = table->rows - ret->discarded;
	ret->statistic = mem_dup_string(table->statistic);
	if (column < 0) {
		ret->y_reason = mem_dup_string("neither a time nor a throughput was logged");
		return;
	}
	const char *unit = (size_t)column < table->units.n ? table->units.items[column] : NULL;
	ret->unit = mem_dup_string(ret->throughput && unit ? unit : "s");
	if (table->statistic && strcmp(table->statistic, RUN_STATISTIC_RUNNING) == 0) {
		ret->y_reason = mem_dup_string("the throughput is a running mean: the warm-up cannot be left out");
		return;
	}
	if (ret->units < RESPONSE_STEADY_MIN) {
		ret->unsteady = true;
		text_format(&why, "%" PRId64 " steady iterations, fewer than %d", ret->units, RESPONSE_STEADY_MIN);
		ret->y_reason = text_take(&why);
		return;
	}
	double per_unit = time_per_unit(table, column, ret->throughput);
	if (!isfinite(per_unit) || !(per_unit > 0)) {
		ret->y_reason = mem_dup_string("the time per unit of work is not positive");
		return;
	}
	ret->y = log(per_unit);
}

void response_of(const struct plan_harness *harness, const struct run_record *run, struct response *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->y = NAN;
	if (run->status != RUN_OK) {
		ret->y_reason = mem_dup_string(run_status_name(run->status));
		return;
	}
	if (harness->kind == PLAN_BENCH)
		respond_bench(harness, run, ret);
	else
		respond_slice(run, ret);
}

void response_keep_to_statistic(struct response *response, const char *statistic)
{
	CLEANUP(text_release) struct text why = {0};

	if (!isfinite(response->y) || !response->statistic || !statistic || strcmp(response->statistic, statistic) == 0)
		return;
	text_format(&why, "its statistic is the '%s', and earlier runs of the harness have the '%s': not pooled",
		    response->statistic, statistic);
	response->y = NAN;
	response->y_reason = text_take(&why);
}
