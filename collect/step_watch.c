#include "collect/step_watch.h"

#include <math.h>
#include <string.h>

#define GRACE_S 10
/* Some formats tell a step in several lines: lines before the new ones are read with them. */
#define OVERLAP_BYTES ((size_t)4 << 10)
#define PIECE_MAX_BYTES ((size_t)256 << 10)

void step_watch_init(struct step_watch *watch, const struct plan_harness *harness, const struct plan_setting *setting,
		     double grace_s)
{
	*watch = (struct step_watch){
		.harness = harness,
		.setting = setting,
		.grace_s = grace_s > 0 ? grace_s : GRACE_S,
		.first = RECORD_UNSET,
		.second = RECORD_UNSET,
		.step = RECORD_UNSET,
		.loss = NAN,
		.step_s = NAN,
		.planned = harness->steps > 0 ? harness->steps : RECORD_UNSET,
		.stop_s = NAN,
	};
}

/* The end of the last line in what is new, at most a piece; of a line that does not end, every byte is seen once. */
static size_t end_of_lines(const struct text *log, size_t read, size_t *searched)
{
	size_t end = log->length, least = *searched;

	if (end - least > PIECE_MAX_BYTES)
		least = end - PIECE_MAX_BYTES;
	*searched = end;
	while (end > least && log->bytes[end - 1] != '\n')
		end--;
	return end > least ? end : read;
}

static size_t start_of_piece(const struct text *log, size_t read, size_t end)
{
	size_t start = read > OVERLAP_BYTES ? read - OVERLAP_BYTES : 0;

	if (end - start > PIECE_MAX_BYTES)
		start = end - PIECE_MAX_BYTES;
	while (start > 0 && start < end && log->bytes[start - 1] != '\n')
		start++;
	return start;
}

/* A run that goes on from a checkpoint begins behind the number of its steps; so does one that logs seldom, but at its
 * interval. Two steps tell which. */
static void see_number(struct step_watch *watch, int64_t step)
{
	if (watch->first == RECORD_UNSET) {
		watch->first = step;
		return;
	}
	if (watch->second != RECORD_UNSET || step <= watch->first)
		return;
	watch->second = step;
	if (watch->planned != RECORD_UNSET && watch->first > watch->planned && step - watch->first < watch->first)
		watch->planned += watch->first - 1;
}

static bool reaches_plan(const struct step_watch *watch)
{
	bool certain = watch->first <= watch->planned || watch->second != RECORD_UNSET;

	return watch->planned != RECORD_UNSET && certain && watch->step >= watch->planned;
}

static void see_step(struct step_watch *watch, const struct iteration *row, double elapsed_s)
{
	int64_t step = (int64_t)row->values[ITERATION_STEP];
	double logged_s = row->values[ITERATION_TIME];

	if (step == watch->step)
		return;
	if (isfinite(logged_s))
		watch->step_s = logged_s;
	else if (watch->step != RECORD_UNSET)
		watch->step_s = elapsed_s - watch->seen_s;
	watch->step = step;
	watch->seen_s = elapsed_s;
	if (reaches_plan(watch) && !step_watch_complete(watch))
		watch->stop_s = elapsed_s + fmax(watch->grace_s, 2 * watch->step_s);
}

static bool has_number(const struct iteration *row)
{
	return fabs(row->values[ITERATION_STEP]) < 1e15;
}

static void see_rows(struct step_watch *watch, const struct iterations *iterations, double elapsed_s)
{
	const struct iteration *last = NULL;

	for (size_t i = 0; i < iterations->n; i++) {
		const struct iteration *row = &iterations->rows[i];

		if (row->printed[ITERATION_LOSS])
			watch->loss = row->values[ITERATION_LOSS];
		if (!has_number(row))
			continue;
		see_number(watch, (int64_t)row->values[ITERATION_STEP]);
		last = row;
	}
	if (last)
		see_step(watch, last, elapsed_s);
}

void step_watch_read(struct step_watch *watch, const struct text *logs, double elapsed_s)
{
	for (size_t i = 0; i < STEP_WATCH_LOGS; i++) {
		CLEANUP(iterations_release) struct iterations iterations = {0};
		size_t end = end_of_lines(&logs[i], watch->read[i], &watch->searched[i]);

		if (end <= watch->read[i])
			continue;
		size_t start = start_of_piece(&logs[i], watch->read[i], end);
		struct import_source piece = {"output",       logs[i].bytes + start, end - start,
					      watch->harness, watch->setting,        true};
		watch->read[i] = end;
		if (format_piece_read(&piece, &watch->format, &iterations, NULL) == 0)
			see_rows(watch, &iterations, elapsed_s);
	}
}

bool step_watch_complete(const struct step_watch *watch)
{
	return isfinite(watch->stop_s);
}

bool step_watch_is_due(const struct step_watch *watch, double elapsed_s)
{
	return step_watch_complete(watch) && elapsed_s >= watch->stop_s;
}
