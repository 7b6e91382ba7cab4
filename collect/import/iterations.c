#include "collect/import/iterations.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns in the order of the table. */
static const struct {
	enum iteration_field field;
	const char *name, *unit;
} columns[] = {
	{ITERATION_STEP, "step", "1"},     {ITERATION_TIME, "time_s", "s"}, {ITERATION_THROUGHPUT, "throughput", NULL},
	{ITERATION_LOSS, "loss", "1"},     {ITERATION_LR, "lr", "1"},       {ITERATION_SAMPLES, "samples", "1"},
	{ITERATION_TOKENS, "tokens", "1"}, {ITERATION_BATCH, "batch", "1"}, {ITERATION_TFLOPS, "tflops", "TFLOP/s"},
};
#define N_COLUMNS (sizeof(columns) / sizeof(*columns))

struct iteration *iterations_add(struct iterations *iterations, size_t line)
{
	iterations->rows =
		mem_grow(iterations->rows, &iterations->capacity, iterations->n + 1, sizeof(*iterations->rows));
	struct iteration *row = &iterations->rows[iterations->n++];
	for (int i = 0; i < ITERATION_FIELDS; i++)
		row->values[i] = NAN;
	memset(row->printed, 0, sizeof(row->printed));
	row->line = line;
	row->stream = 0;
	row->evaluates = false;
	return row;
}

void iterations_set(struct iterations *iterations, struct iteration *row, enum iteration_field field, double value)
{
	row->values[field] = value;
	row->printed[field] = true;
	iterations->has[field] = true;
}

void iterations_release(struct iterations *iterations)
{
	string_list_release(&iterations->streams);
	string_list_release(&iterations->flags);
	free(iterations->rows);
	free(iterations->throughput_unit);
	*iterations = (struct iterations){0};
}

static enum iteration_field response(const struct iterations *iterations)
{
	return iterations->has[ITERATION_TIME] ? ITERATION_TIME : ITERATION_THROUGHPUT;
}

static size_t discarded(const struct iterations *iterations, int64_t discard)
{
	return discard < 0 ? 0 : (size_t)discard < iterations->n ? (size_t)discard : iterations->n;
}

size_t iterations_restart_line(const struct iterations *iterations)
{
	for (size_t i = 1; iterations->has[ITERATION_STEP] && i < iterations->n; i++)
		if (iterations->rows[i].values[ITERATION_STEP] < iterations->rows[i - 1].values[ITERATION_STEP])
			return iterations->rows[i].line;
	return 0;
}

size_t iterations_bad_line(const struct iterations *iterations, int64_t discard)
{
	enum iteration_field field = response(iterations);

	for (size_t i = discarded(iterations, discard); i < iterations->n; i++)
		if (iterations->rows[i].printed[field] &&
		    !(isfinite(iterations->rows[i].values[field]) && iterations->rows[i].values[field] > 0))
			return iterations->rows[i].line;
	return 0;
}

void iterations_close(struct iterations *iterations, const char *name, const char *unit, double value)
{
	if (!isfinite(value) || iterations->n_closings == ITERATION_CLOSINGS_MAX)
		return;
	for (size_t i = 0; i < iterations->n_closings; i++)
		if (strcmp(iterations->closings[i].name, name) == 0)
			return;
	iterations->closings[iterations->n_closings++] = (struct iteration_closing){name, unit, value};
}

static void store_closings(const struct iterations *iterations, struct run_record *run)
{
	if (iterations->n_closings == 0)
		return;
	struct run_table *table = run_record_add_table(run);
	table->name = mem_dup_string("summary");
	table->statistic = mem_dup_string("mean");
	table->rows = 1;
	table->discarded = 0;
	table->values = mem_new(iterations->n_closings, sizeof(double));
	for (size_t i = 0; i < iterations->n_closings; i++) {
		string_list_add(&table->columns, iterations->closings[i].name);
		string_list_add(&table->units, iterations->closings[i].unit);
		table->values[i] = iterations->closings[i].value;
	}
}

static void store_steps(const struct iterations *iterations, int64_t discard, struct run_record *run)
{
	size_t used[N_COLUMNS], n_used = 0, n_columns;
	bool evaluates = false;

	if (iterations->n == 0)
		return;
	struct run_table *table = run_record_add_table(run);
	table->name = mem_dup_string("iterations");
	table->statistic = mem_dup_string(iterations->statistic ? iterations->statistic : "sample");
	table->rows = (int64_t)iterations->n;
	table->discarded = (int64_t)discarded(iterations, discard);
	for (size_t k = 0; k < N_COLUMNS; k++) {
		if (columns[k].field != ITERATION_STEP && !iterations->has[columns[k].field])
			continue;
		const char *unit = columns[k].unit;
		if (!unit)
			unit = iterations->throughput_unit ? iterations->throughput_unit : "1";
		string_list_add(&table->columns, columns[k].name);
		string_list_add(&table->units, unit);
		used[n_used++] = k;
	}
	for (size_t i = 0; i < iterations->n; i++)
		evaluates = evaluates || iterations->rows[i].evaluates;
	n_columns = n_used + evaluates;
	if (evaluates) {
		string_list_add(&table->columns, RUN_COLUMN_LEFT_OUT);
		string_list_add(&table->units, "1");
	}
	table->values = mem_new(iterations->n * n_columns, sizeof(double));
	for (size_t i = 0; i < iterations->n; i++) {
		if (evaluates)
			table->values[i * n_columns + n_used] = iterations->rows[i].evaluates ? 1 : 0;
		for (size_t c = 0; c < n_used; c++) {
			enum iteration_field field = columns[used[c]].field;
			double value = iterations->rows[i].values[field];
			if (iterations->rows[i].evaluates && (field == ITERATION_TIME || field == ITERATION_THROUGHPUT))
				value = NAN;
			table->values[i * n_columns + c] = value;
		}
	}
}

void iterations_store(const struct iterations *iterations, int64_t discard, struct run_record *run)
{
	for (size_t i = 0; i < iterations->flags.n; i++)
		string_list_add(&run->flags, iterations->flags.items[i]);
	store_steps(iterations, discard, run);
	store_closings(iterations, run);
}
