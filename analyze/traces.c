#include "analyze/traces.h"

#include "analyze/campaign.h"
#include "analyze/work_unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void trace_release(struct trace *trace)
{
	free(trace->step);
	free(trace->time_s);
	*trace = (struct trace){.steady_from = NAN};
}

static const struct run_table *find_steps(const struct run_record *run)
{
	for (size_t i = 0; i < run->n_tables; i++)
		if (strcmp(run->tables[i].name, "iterations") == 0)
			return run->tables[i].values ? &run->tables[i] : NULL;
	return NULL;
}

/* What turns a logged value into seconds a step. */
struct reading {
	int column;
	double work; /* of a step, divided by the value; NAN: the value is the time */
};

static bool read_as(const struct plan_harness *harness, const struct run_record *run, const struct run_table *table,
		    struct reading *ret)
{
	*ret = (struct reading){run_table_column(table, "time_s"), NAN};
	if (table->statistic && strcmp(table->statistic, RUN_STATISTIC_RUNNING) == 0)
		return false;
	if (ret->column >= 0)
		return true;
	ret->column = run_table_column(table, "throughput");
	if (ret->column < 0 || (size_t)ret->column >= table->units.n)
		return false;
	struct work_unit unit = work_unit_of(table->units.items[ret->column]);
	ret->work = work_per_step(harness, run, unit.kind);
	if (unit.per_gpu) {
		int64_t ranks = run->factors.ranks >= 0 ? run->factors.ranks : harness->ranks;
		ret->work = ranks > 0 ? ret->work / (double)ranks : NAN;
	}
	return isfinite(ret->work);
}

static double cell(const struct run_table *table, int64_t row, int column)
{
	return table->values[(size_t)row * table->columns.n + (size_t)column];
}

/* The logged steps, or row numbers from 1 where one is missing: ret_steps[rows]. */
static void read_steps(const struct run_table *table, double *ret_steps)
{
	int column = run_table_column(table, "step");
	bool whole = column >= 0;

	for (int64_t row = 0; whole && row < table->rows; row++)
		whole = isfinite(cell(table, row, column));
	for (int64_t row = 0; row < table->rows; row++)
		ret_steps[row] = whole ? cell(table, row, column) : (double)(row + 1);
}

struct points {
	double *step, *time_s; /* [n] each */
	size_t n;
};

/* The slowest point of each of `stretches` parts, as even as they come. */
static void keep_slowest(const struct points *points, size_t stretches, struct trace *ret)
{
	for (size_t s = 0; s < stretches; s++) {
		size_t slowest = s * points->n / stretches;
		for (size_t i = slowest; i < (s + 1) * points->n / stretches; i++)
			if (points->time_s[i] > points->time_s[slowest])
				slowest = i;
		ret->step[ret->n] = points->step[slowest];
		ret->time_s[ret->n++] = points->time_s[slowest];
	}
}

/* The head has its share of the stretches, one at least, and so has what follows. */
static void decimate(const struct points *all, size_t head, struct trace *ret)
{
	struct points first = {all->step, all->time_s, head};
	struct points rest = {all->step + head, all->time_s + head, all->n - head};
	size_t for_head = head;

	if (all->n > TRACE_POINTS_MAX) {
		for_head = head * TRACE_POINTS_MAX / all->n;
		for_head = head > 0 && for_head == 0 ? 1 : for_head;
		for_head = rest.n > 0 && for_head == TRACE_POINTS_MAX ? TRACE_POINTS_MAX - 1 : for_head;
	}
	size_t for_rest = all->n > TRACE_POINTS_MAX ? TRACE_POINTS_MAX - for_head : rest.n;
	for_rest = for_rest > rest.n ? rest.n : for_rest;
	ret->step = mem_new(for_head + for_rest + 1, sizeof(*ret->step));
	ret->time_s = mem_new(for_head + for_rest + 1, sizeof(*ret->time_s));
	keep_slowest(&first, for_head, ret);
	keep_slowest(&rest, for_rest, ret);
}

void trace_of(const struct plan_harness *harness, const struct run_record *run, struct trace *ret)
{
	const struct run_table *table = harness->kind == PLAN_SLICE ? find_steps(run) : NULL;
	struct reading reading;

	*ret = (struct trace){.steady_from = NAN};
	if (!table || table->rows <= 0 || !read_as(harness, run, table, &reading))
		return;
	CLEANUP(mem_free) double *steps = mem_new((size_t)table->rows, sizeof(*steps));
	CLEANUP(mem_free) double *step = mem_new((size_t)table->rows, sizeof(*step));
	CLEANUP(mem_free) double *time_s = mem_new((size_t)table->rows, sizeof(*time_s));
	struct points points = {step, time_s, 0};
	size_t head = 0;
	ret->steps = table->rows;
	ret->discarded = table->discarded < table->rows ? table->discarded : table->rows;
	read_steps(table, steps);
	if (ret->discarded < table->rows)
		ret->steady_from = steps[ret->discarded];
	for (int64_t row = 0; row < table->rows; row++) {
		double value = cell(table, row, reading.column);
		double seconds = isnan(reading.work) ? value : reading.work / value;
		if (!(value > 0) || !isfinite(seconds))
			continue;
		step[points.n] = steps[row];
		time_s[points.n++] = seconds;
		head += row < ret->discarded;
	}
	if (points.n > 0)
		decimate(&points, head, ret);
}

void traces_keep(struct campaign *campaign, const struct plan_harness *harness, const struct run_record *run,
		 struct trace *ret)
{
	trace_of(harness, run, ret);
	if (ret->n == 0)
		return;
	if (campaign->n_traces < TRACES_MAX) {
		campaign->n_traces++;
		return;
	}
	campaign->traces_left_out++;
	trace_release(ret);
}

void traces_add(const struct campaign *campaign, struct analysis_doc *doc)
{
	doc->traces_left_out = campaign->traces_left_out;
	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct trace *trace = &campaign->runs[i].trace;
		const struct run_record *run = campaign->runs[i].record;
		if (trace->n == 0)
			continue;
		struct doc_trace *row = analysis_doc_add_trace(doc);
		row->run = mem_dup_string(run->id);
		row->harness = mem_dup_string(run->harness);
		row->setting = mem_dup_string(run->setting);
		row->block = mem_dup_string(run->block);
		row->role = mem_dup_string(run_role_name(run->role));
		row->steps = trace->steps;
		row->discarded = trace->discarded;
		row->steady_from = trace->steady_from;
		for (size_t p = 0; p < trace->n; p++) {
			doc_add_double(&row->step, &row->n_step, trace->step[p]);
			doc_add_double(&row->time_s, &row->n_time_s, trace->time_s[p]);
		}
	}
}
