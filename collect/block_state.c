#include "collect/block_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reading {
	const struct schedule *schedule;
	struct block_states *states;
};

static struct block_state *state_of(const struct reading *reading, const char *block,
				    const struct planned_block **ret_planned)
{
	for (size_t i = 0; i < reading->schedule->n; i++) {
		*ret_planned = &reading->schedule->blocks[i];
		if (strcmp((*ret_planned)->name, block) == 0)
			return &reading->states->items[i];
	}
	return NULL;
}

static bool fits(const struct planned_run *planned, const struct run_record *run)
{
	return strcmp(planned->harness->name, run->harness) == 0 && strcmp(planned->setting->name, run->setting) == 0 &&
	       planned->role == run->role;
}

static char *describe_misfit(const struct planned_run *planned, const struct run_record *run)
{
	CLEANUP(text_release) struct text words = {0};

	text_format(&words, "run '%s' was %s of harness '%s', setting '%s'; the plan now has ", run->id,
		    run_role_name(run->role), run->harness, run->setting);
	if (planned)
		text_format(&words, "%s of harness '%s', setting '%s' there", run_role_name(planned->role),
			    planned->harness->name, planned->setting->name);
	else
		text_add(&words, "no run there");
	return text_take(&words);
}

static int visit_run(void *context, struct run_record *run, struct error *err)
{
	struct reading *reading = context;
	const struct planned_block *planned = NULL;
	struct block_state *state = state_of(reading, run->block, &planned);

	(void)err;
	if (!state)
		return 0;
	state->begun = true;
	if (isfinite(run->elapsed_s)) {
		reading->states->elapsed_s += run->elapsed_s;
		reading->states->elapsed_n++;
	}
	bool there = run->position >= 1 && (uint64_t)run->position <= planned->n;
	const struct planned_run *at = there ? &planned->runs[run->position - 1] : NULL;
	if ((!at || !fits(at, run)) && !state->misfit)
		state->misfit = describe_misfit(at, run);
	if (!at)
		return 0;
	struct position_state *position = &state->positions[run->position - 1];
	if (run->attempt > position->attempts)
		position->attempts = run->attempt;
	if (run->status == RUN_OK || !run->external)
		position->need = POSITION_FINAL;
	return 0;
}

static int visit_block_end(void *context, const char *block, struct error *err)
{
	const struct planned_block *planned = NULL;
	struct block_state *state = state_of(context, block, &planned);

	(void)err;
	if (state)
		state->ended = true;
	return 0;
}

int block_states_read(const char *directory, const struct schedule *schedule, struct block_states *ret_states,
		      struct error *err)
{
	struct reading reading = {schedule, ret_states};
	struct campaign_visitor visitor = {.run = visit_run, .block_end = visit_block_end, .context = &reading};

	*ret_states =
		(struct block_states){.items = mem_new(schedule->n + 1, sizeof(*ret_states->items)), .n = schedule->n};
	for (size_t i = 0; i < schedule->n; i++) {
		struct block_state *state = &ret_states->items[i];

		state->n = schedule->blocks[i].n;
		state->positions = mem_new(state->n + 1, sizeof(*state->positions));
	}
	return campaign_log_each(directory, &visitor, NULL, NULL, err);
}

void block_states_release(struct block_states *states)
{
	for (size_t i = 0; i < states->n; i++) {
		free(states->items[i].positions);
		free(states->items[i].misfit);
	}
	free(states->items);
	*states = (struct block_states){0};
}

size_t block_state_recorded(const struct block_state *state)
{
	size_t recorded = 0;

	for (size_t i = 0; i < state->n; i++)
		recorded += state->ended || state->positions[i].need == POSITION_FINAL;
	return recorded;
}

int block_state_check(const struct block_state *state, struct error *err)
{
	if (state->ended || !state->misfit)
		return 0;
	return error_set(err, ERROR_DATA,
			 "the plan was changed under a block that is not finished: %s; restore campaign.json, or use a "
			 "new campaign folder",
			 state->misfit);
}

int schedule_state_read(const char *directory, const struct schedule *schedule, struct schedule_state *ret_state,
			struct error *err)
{
	CLEANUP(block_states_release) struct block_states states = {0};

	*ret_state = (struct schedule_state){0};
	int r = block_states_read(directory, schedule, &states, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < states.n; i++) {
		ret_state->planned += states.items[i].n;
		ret_state->recorded += block_state_recorded(&states.items[i]);
	}
	ret_state->elapsed_s = states.elapsed_s;
	ret_state->elapsed_n = states.elapsed_n;
	return 0;
}
