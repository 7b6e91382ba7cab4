/*
 * Time per step of single runs, decimated to what a figure can show. Takes one run with its tables loaded, since tables
 * are dropped once a run is read; fills the document's traces[].
 */
#ifndef ANALYZE_TRACES_H
#define ANALYZE_TRACES_H

#include "assay/record.h"

#define TRACE_POINTS_MAX 120
#define TRACES_MAX 400

struct campaign;

struct trace {
	double *step, *time_s; /* [n] each */
	size_t n;
	int64_t steps, discarded; /* rows of the table; of its head */
	double steady_from;       /* step of the first row behind the head; NAN when there is none */
};

/**
 * The trace of a slice's run, lost ones and those of any role too: the logged time of a step, else the work of a step
 * by the logged throughput. Rows without a time are passed over. More than TRACE_POINTS_MAX rows are cut into as many
 * stretches, none across the end of the head, and the slowest row of each is kept.
 *
 * @param ret  n is 0 for a benchmark, a run without steps, a throughput whose work a step is not known, and
 *             running means
 */
void trace_of(const struct plan_harness *harness, const struct run_record *run, struct trace *ret);
void trace_release(struct trace *trace);

/** trace_of() for the first TRACES_MAX runs that have one; those behind them are counted in campaign->traces_left_out
 * and get none. */
void traces_keep(struct campaign *campaign, const struct plan_harness *harness, const struct run_record *run,
		 struct trace *ret);

/** A row a run that has a trace, in the order of the log, and how many runs were left out. */
void traces_add(const struct campaign *campaign, struct analysis_doc *doc);

#endif
