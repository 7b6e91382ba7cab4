/* The collector: block by block, claims what lacks runs, runs it, and records every attempt as it ends. */
#include "assay/collect.h"

#include "base/clock.h"
#include "collect/block_state.h"
#include "collect/host/host.h"
#include "collect/import/format.h"
#include "collect/launcher.h"
#include "collect/live_run.h"
#include "collect/recipe.h"
#include "collect/run_capture.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct collector {
	const struct plan *plan;
	const struct collect_options *options;
	struct collect_result *result;
	struct schedule schedule;
	struct block_states states; /* as read before any claim */
	char *directory;            /* absolute */
	char *holder;               /* of the first busy block */
	const char *held;           /* its name */
	size_t done, total;         /* runs of this call */
	double elapsed_s;           /* of those done */
	size_t worked;              /* blocks claimed */
};

/* A claimed block. */
struct block_work {
	struct collector *collector;
	const struct planned_block *planned;
	struct block_state *state;
	struct segment_writer *writer;
};

/* Positions to run, from 0. */
struct needs {
	size_t *positions;
	size_t n;
};

static void collector_release(struct collector *collector)
{
	schedule_release(&collector->schedule);
	block_states_release(&collector->states);
	free(collector->directory);
	free(collector->holder);
}
CLEANUP_VALUE(struct collector, collector_release)

static void needs_release(struct needs *needs)
{
	free(needs->positions);
}
CLEANUP_VALUE(struct needs, needs_release)

static bool in_scope(const struct collector *collector, size_t i)
{
	const char *only = collector->options->block;

	return !only || strcmp(only, collector->schedule.blocks[i].name) == 0;
}

static bool cancelled(const struct collector *collector)
{
	return collector->options->cancel && *collector->options->cancel;
}

static void report(const struct collector *collector, struct collect_event event)
{
	const struct collect_options *options = collector->options;

	if (!options->report)
		return;
	event.done = collector->done;
	event.total = collector->total;
	event.remaining_s = NAN;
	if (event.kind != COLLECT_TICK) {
		event.step = RECORD_UNSET;
		event.loss = NAN;
	}
	if (collector->done > 0)
		event.remaining_s =
			collector->elapsed_s / (double)collector->done * (double)(collector->total - collector->done);
	options->report(options->context, &event);
}

/* ---- what is needed ---- */

static bool harness_lacks(const struct planned_block *planned, const struct block_state *state,
			  const struct plan_harness *harness)
{
	for (size_t i = 0; i < planned->n; i++)
		if (planned->runs[i].harness == harness && state->positions[i].state == PLANNED_LACKING)
			return true;
	return false;
}

/* A block that is taken up again is cold again: its settle runs come before what is still to be measured. */
static void find_needs(const struct planned_block *planned, const struct block_state *state, struct needs *ret_needs)
{
	*ret_needs = (struct needs){.positions = mem_new(planned->n + 1, sizeof(*ret_needs->positions))};
	for (size_t i = 0; !state->ended && i < planned->n; i++) {
		const struct planned_run *run = &planned->runs[i];

		if (state->positions[i].state == PLANNED_LACKING ||
		    (run->role == RUN_SETTLE && harness_lacks(planned, state, run->harness)))
			ret_needs->positions[ret_needs->n++] = i;
	}
}

/* The runs of the blocks in scope after this one, as far as the log told at the start. */
static size_t later_needs(const struct collector *collector, size_t after)
{
	size_t n = 0;

	for (size_t i = after; i < collector->schedule.n; i++) {
		CLEANUP(needs_release) struct needs needs = {0};

		if (!in_scope(collector, i))
			continue;
		find_needs(&collector->schedule.blocks[i], &collector->states.items[i], &needs);
		n += needs.n;
	}
	return n;
}

/* ---- before anything is written ---- */

/* An empty log shows whether the harness's format and pattern can read one at all. */
static int check_format(const struct planned_run *planned, struct error *err)
{
	CLEANUP(run_record_free) struct run_record *run = run_record_new();
	CLEANUP(import_reading_release) struct import_reading reading = {0};
	struct import_source source = {"output", "", 0, planned->harness, planned->setting, true};

	return format_read(&source, run, &reading, err);
}

static int check_block(const struct collector *collector, size_t i, struct error *err)
{
	const struct planned_block *planned = &collector->schedule.blocks[i];
	CLEANUP(needs_release) struct needs needs = {0};

	int r = block_state_check(&collector->states.items[i], err);
	find_needs(planned, &collector->states.items[i], &needs);
	for (size_t k = 0; r == 0 && k < needs.n; k++) {
		const struct planned_run *run = &planned->runs[needs.positions[k]];
		CLEANUP(launch_release) struct launch launch = {0};

		struct launch_spec spec = {collector->plan, run->harness, run->setting, collector->directory,
					   planned->name};

		r = launch_build(&spec, &launch, err);
		if (r == 0)
			r = check_format(run, err);
	}
	return r;
}

static int check_scope(const struct collector *collector, struct error *err)
{
	const struct schedule *schedule = &collector->schedule;
	size_t found = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < schedule->n; i++) {
		if (!in_scope(collector, i))
			continue;
		found++;
		r = check_block(collector, i, err);
	}
	if (r == 0 && found == 0)
		return error_set(err, ERROR_DATA, "block '%s' is not in the plan, which has b1 to %s",
				 collector->options->block, schedule->blocks[schedule->n - 1].name);
	return r;
}

/* ---- one run ---- */

static void pass_tick(void *context, const struct live_tick *tick)
{
	void **pair = context;
	const struct block_work *work = pair[0];

	report(work->collector, (struct collect_event){.kind = COLLECT_TICK,
						       .block = work->planned->name,
						       .run = pair[1],
						       .elapsed_s = tick->elapsed_s,
						       .step = tick->step,
						       .loss = tick->loss});
}

static int record_host(const struct block_work *work, const char *when, const char *id, struct error *err)
{
	CLEANUP(host_record_free) struct host_record *host = NULL;

	int r = host_gather(when, id, &host, err);
	return r < 0 ? r : segment_append_host(work->writer, host, err);
}

static int record_run(const struct block_work *work, const struct planned_run *planned, struct live_run *live,
		      struct error *err)
{
	static const char *const names[LIVE_STREAMS] = {[LIVE_OUT] = "stdout", [LIVE_ERR] = "stderr"};
	char recipe[DIGEST_HEX];
	int r = 0;

	recipe_digest(work->collector->plan, planned->harness, planned->setting, recipe);
	free(live->run->recipe);
	live->run->recipe = mem_dup_string(recipe);
	for (size_t i = 0; r == 0 && i < LIVE_STREAMS; i++)
		r = run_capture_store(work->writer, names[i], planned->setting, text_string(&live->output[i]),
				      live->output[i].length, live->run, err);
	return r < 0 ? r : segment_append_run(work->writer, live->run, err);
}

static void count_run(const struct block_work *work, size_t i, const struct run_record *run)
{
	struct collector *collector = work->collector;
	struct position_state *position = &work->state->positions[i];

	position->attempts = run->attempt;
	if (run->status == RUN_OK || !run->external)
		position->state = PLANNED_RECORDED;
	collector->done++;
	collector->elapsed_s += run->elapsed_s;
	collector->result->recorded++;
	collector->result->lost += run->status != RUN_OK;
}

static int run_position(struct block_work *work, size_t i, struct error *err)
{
	struct collector *collector = work->collector;
	const struct planned_run *planned = &work->planned->runs[i];
	int64_t attempt = work->state->positions[i].attempts + 1;
	CLEANUP(mem_free) char *id = live_run_id(work->planned->name, planned->position, attempt);
	CLEANUP(live_run_release) struct live_run live = {0};
	const void *pair[] = {work, planned};
	struct live_run_spec spec = {
		.plan = collector->plan,
		.planned = planned,
		.directory = collector->directory,
		.block = work->planned->name,
		.attempt = attempt,
		.cancel = collector->options->cancel,
		.tick = pass_tick,
		.context = pair,
	};

	report(collector,
	       (struct collect_event){.kind = COLLECT_RUN_BEGIN, .block = work->planned->name, .run = planned});
	int r = record_host(work, "before", id, err);
	if (r == 0)
		r = live_run(&spec, &live, err);
	if (r == 0)
		r = record_run(work, planned, &live, err);
	if (r == 0)
		r = record_host(work, "after", id, err);
	if (r < 0)
		return r;
	count_run(work, i, live.run);
	report(collector, (struct collect_event){.kind = COLLECT_RUN_END,
						 .block = work->planned->name,
						 .run = planned,
						 .elapsed_s = live.run->elapsed_s,
						 .status = live.run->status,
						 .text = live.run->reason});
	return 0;
}

/* ---- one block ---- */

static int record_block(const struct block_work *work, struct error *err)
{
	CLEANUP(block_record_free) struct block_record *block = block_record_new();
	char now[CLOCK_RFC3339];

	clock_now_rfc3339(now);
	block->block = mem_dup_string(work->planned->name);
	block->time = mem_dup_string(now);
	block->seed = work->collector->plan->seed;
	for (size_t i = 0; i < work->planned->n; i++) {
		const struct planned_run *run = &work->planned->runs[i];
		struct block_planned *row = block_record_add_planned(block);

		row->position = run->position;
		row->harness = mem_dup_string(run->harness->name);
		row->setting = mem_dup_string(run->setting->name);
		row->role = run->role;
	}
	return segment_append_block(work->writer, block, err);
}

static int end_block(const struct block_work *work, struct error *err)
{
	const char *name = work->planned->name;

	if (block_state_count(work->state, PLANNED_RECORDED) < work->planned->n)
		return 0;
	int r = segment_append_block_end(work->writer, name, (int64_t)work->planned->n, err);
	if (r == 0)
		report(work->collector, (struct collect_event){.kind = COLLECT_BLOCK_END, .block = name});
	return r;
}

static int run_block(struct block_work *work, const struct needs *needs, struct error *err)
{
	struct collector *collector = work->collector;
	CLEANUP(segment_close) struct segment_writer *writer = NULL;

	int r = segment_create(collector->directory, work->planned->name, collector->plan->sha256, &writer, err);
	if (r < 0)
		return r;
	work->writer = writer;
	r = record_block(work, err);
	if (r < 0)
		return r;
	report(collector, (struct collect_event){.kind = COLLECT_BLOCK_BEGIN,
						 .block = work->planned->name,
						 .text = segment_name(writer)});
	for (size_t k = 0; k < needs->n && !cancelled(collector); k++) {
		r = run_position(work, needs->positions[k], err);
		if (r < 0)
			return r;
	}
	collector->result->cancelled = cancelled(collector);
	return end_block(work, err);
}

static void leave_busy(struct collector *collector, size_t i, char *holder)
{
	const char *name = collector->schedule.blocks[i].name;

	collector->result->busy++;
	collector->result->already += block_state_count(&collector->states.items[i], PLANNED_RECORDED);
	collector->total = collector->done + later_needs(collector, i + 1);
	report(collector, (struct collect_event){.kind = COLLECT_BLOCK_BUSY, .block = name, .text = holder});
	if (collector->holder) {
		free(holder);
		return;
	}
	collector->holder = holder;
	collector->held = name;
}

/* The log is read again under the lock: another collector may have finished the block since. */
static int take_block(struct collector *collector, size_t i, struct error *err)
{
	const struct planned_block *planned = &collector->schedule.blocks[i];
	CLEANUP(block_lock_release) struct block_lock *lock = NULL;
	CLEANUP(string_list_release) struct string_list repaired = {0};
	CLEANUP(block_states_release) struct block_states now = {0};
	CLEANUP(needs_release) struct needs needs = {0};
	char *holder = NULL;

	int r = block_lock_claim(collector->directory, planned->name, &lock, &holder, &repaired, err);
	if (r < 0)
		return r;
	if (r == BLOCK_BUSY) {
		leave_busy(collector, i, holder);
		return 0;
	}
	collector->worked++;
	for (size_t k = 0; k < repaired.n; k++)
		report(collector, (struct collect_event){
					  .kind = COLLECT_REPAIRED, .block = planned->name, .text = repaired.items[k]});
	r = block_states_read(collector->directory, collector->plan, &collector->schedule, &now, err);
	if (r == 0)
		r = block_state_check(&now.items[i], err);
	if (r < 0)
		return r;
	struct block_work work = {collector, planned, &now.items[i], NULL};
	find_needs(planned, work.state, &needs);
	collector->result->already += block_state_count(work.state, PLANNED_RECORDED);
	collector->total = collector->done + needs.n + later_needs(collector, i + 1);
	return work.state->ended ? 0 : run_block(&work, &needs, err);
}

static int take_blocks(struct collector *collector, struct error *err)
{
	int r = 0;

	collector->total = later_needs(collector, 0);
	for (size_t i = 0; r == 0 && i < collector->schedule.n; i++) {
		const struct block_state *state = &collector->states.items[i];

		if (!in_scope(collector, i))
			continue;
		collector->result->planned += state->n;
		collector->result->cancelled |= cancelled(collector);
		if (state->ended || collector->result->cancelled)
			collector->result->already += block_state_count(state, PLANNED_RECORDED);
		else
			r = take_block(collector, i, err);
	}
	if (r == 0 && collector->result->busy > 0 && collector->worked == 0 && !collector->result->cancelled)
		return error_set(
			err, ERROR_ENVIRONMENT,
			"block '%s' is held by another collector (%s), and no other block lacks runs; wait for "
			"it to end",
			collector->held, collector->holder ? collector->holder : "unknown");
	return r;
}

int collect_run(const struct plan *plan, const struct collect_options *options, struct collect_result *ret_result,
		struct error *err)
{
	CLEANUP(collector_release)
	struct collector collector = {.plan = plan, .options = options, .result = ret_result};

	*ret_result = (struct collect_result){0};
	int r = schedule_plan(plan, &collector.schedule, err);
	if (r < 0)
		return r;
	collector.directory = realpath(options->directory, NULL);
	if (!collector.directory)
		return error_set(err, ERROR_ENVIRONMENT, "cannot open folder '%s': %s", options->directory,
				 strerror(errno));
	r = block_states_read(collector.directory, plan, &collector.schedule, &collector.states, err);
	if (r == 0)
		r = check_scope(&collector, err);
	return r < 0 ? r : take_blocks(&collector, err);
}
