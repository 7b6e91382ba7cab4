#include "base/text.h"
#include "collect/import/iterations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct stream {
	size_t first, last; /* rows */
};

/* "2" before "10". */
static int compare_labels(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	return n != m ? (n > m) - (n < m) : strcmp(a, b);
}

static int compare_steps(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *steps_of(const struct iterations *iterations, size_t stream, size_t *ret_n)
{
	double *steps = mem_new(iterations->n, sizeof(*steps));

	*ret_n = 0;
	for (size_t i = 0; i < iterations->n; i++)
		if (iterations->rows[i].stream == stream && !isnan(iterations->rows[i].values[ITERATION_STEP]))
			steps[(*ret_n)++] = iterations->rows[i].values[ITERATION_STEP];
	if (*ret_n > 0)
		qsort(steps, *ret_n, sizeof(*steps), compare_steps);
	return steps;
}

/* Drops rows of steps that the first rank has too, when its rows and theirs interleave. */
static size_t drop_other_ranks(struct iterations *iterations)
{
	size_t n_steps = 0, kept = 0, own = 0;
	CLEANUP(mem_free) struct stream *streams = mem_new(iterations->streams.n, sizeof(*streams));

	for (size_t i = iterations->n; i-- > 0;)
		streams[iterations->rows[i].stream].first = i;
	for (size_t i = 0; i < iterations->n; i++)
		streams[iterations->rows[i].stream].last = i;
	for (size_t k = 1; k < iterations->streams.n; k++)
		if (compare_labels(iterations->streams.items[k], iterations->streams.items[own]) < 0)
			own = k;
	CLEANUP(mem_free) double *steps = steps_of(iterations, own, &n_steps);
	for (size_t i = 0; i < iterations->n; i++) {
		struct iteration row = iterations->rows[i];
		const struct stream *other = &streams[row.stream];
		bool among = other->first < streams[own].last && streams[own].first < other->last;
		/* one line each: two ranks print the only step of a run */
		among = among || (streams[own].first == streams[own].last && other->first == other->last);
		if (row.stream != own && among && n_steps > 0 &&
		    bsearch(&row.values[ITERATION_STEP], steps, n_steps, sizeof(*steps), compare_steps))
			continue;
		iterations->rows[kept++] = row;
	}
	size_t dropped = iterations->n - kept;
	iterations->n = kept;
	return dropped;
}

static size_t drop_repeats(struct iterations *iterations)
{
	size_t kept = 0;

	for (size_t i = 0; i < iterations->n; i++)
		if (kept == 0 ||
		    !(iterations->rows[i].values[ITERATION_STEP] == iterations->rows[kept - 1].values[ITERATION_STEP]))
			iterations->rows[kept++] = iterations->rows[i];
	size_t dropped = iterations->n - kept;
	iterations->n = kept;
	return dropped;
}

void iterations_merge_streams(struct iterations *iterations)
{
	CLEANUP(text_release) struct text flag = {0};
	size_t dropped = 0;

	if (iterations->streams.n > 1)
		dropped = drop_other_ranks(iterations);
	dropped += drop_repeats(iterations);
	if (dropped == 0)
		return;
	text_format(&flag, "%zu step lines repeat a step that another line has: the first rank's are kept", dropped);
	string_list_add(&iterations->flags, text_string(&flag));
}

void iterations_join_steps(struct iterations *iterations)
{
	size_t kept = 0;

	for (size_t i = 0; i < iterations->n; i++) {
		struct iteration row = iterations->rows[i];
		bool stray = !row.printed[ITERATION_STEP];
		struct iteration *before = kept > 0 ? &iterations->rows[kept - 1] : NULL;
		if (stray && !before)
			continue;
		if (!stray && !(before && before->values[ITERATION_STEP] == row.values[ITERATION_STEP])) {
			iterations->rows[kept++] = row;
			continue;
		}
		for (int f = 0; f < ITERATION_FIELDS; f++)
			if (row.printed[f] && (stray || !before->printed[f])) {
				before->values[f] = row.values[f];
				before->printed[f] = true;
			}
	}
	iterations->n = kept;
}

static void flag_losses(struct iterations *iterations)
{
	CLEANUP(text_release) struct text flag = {0};
	size_t n = 0, line = 0;

	for (size_t i = 0; i < iterations->n; i++) {
		const struct iteration *row = &iterations->rows[i];
		if (!row->printed[ITERATION_LOSS] || isfinite(row->values[ITERATION_LOSS]))
			continue;
		line = n == 0 ? row->line : line;
		n++;
	}
	if (n == 0)
		return;
	text_format(&flag, "the loss is not a finite number in %zu of %zu step lines, the first is line %zu", n,
		    iterations->n, line);
	string_list_add(&iterations->flags, text_string(&flag));
}

static void flag_missing(struct iterations *iterations)
{
	CLEANUP(text_release) struct text flag = {0};
	enum iteration_field field = iterations->has[ITERATION_TIME] ? ITERATION_TIME : ITERATION_THROUGHPUT;
	size_t n = 0, line = 0;

	for (size_t i = 0; i < iterations->n && iterations->has[field]; i++)
		if (!iterations->rows[i].printed[field]) {
			line = n == 0 ? iterations->rows[i].line : line;
			n++;
		}
	if (n == 0)
		return;
	text_format(&flag, "%zu of %zu step lines give no %s, the first is line %zu", n, iterations->n,
		    field == ITERATION_TIME ? "time of the step" : "throughput", line);
	string_list_add(&iterations->flags, text_string(&flag));
}

static void flag_evaluations(struct iterations *iterations)
{
	CLEANUP(text_release) struct text flag = {0};
	size_t n = 0;

	for (size_t i = 0; i < iterations->n; i++)
		n += iterations->rows[i].evaluates;
	if (n == 0)
		return;
	text_format(&flag, "the time of %zu of %zu steps contains an evaluation: left out", n, iterations->n);
	string_list_add(&iterations->flags, text_string(&flag));
}

void iterations_flag_gaps(struct iterations *iterations)
{
	flag_evaluations(iterations);
	flag_losses(iterations);
	flag_missing(iterations);
}
