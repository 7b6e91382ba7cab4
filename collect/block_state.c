#include "collect/block_state.h"

#include "collect/recipe.h"

#include <stdlib.h>
#include <string.h>

struct reading {
	const struct plan *plan;
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

/* Lost to an outside cause, a run says nothing: neither does it count, nor does what it was matter. */
static bool is_final(const struct run_record *run)
{
	return run->status == RUN_OK || !run->external;
}

static int check_recipe(const struct plan *plan, const struct run_record *run, struct error *err)
{
	const struct plan_harness *harness = plan_harness_find(plan, run->harness);
	const struct plan_setting *setting = plan_setting_find(plan, run->setting);
	char recipe[DIGEST_HEX];

	if (!run->recipe || !harness || !setting || !is_final(run))
		return 0;
	recipe_digest(plan, harness, setting, recipe);
	if (strcmp(recipe, run->recipe) == 0)
		return 0;
	return error_set(
		err, ERROR_DATA,
		"setting '%s' of harness '%s' was run in %s as something else (its args, env or mpirun_args, the "
		"launcher's, or the harness's command, sizes, ranks, steps or reading of the log changed since): "
		"restore campaign.json, give the changed setting or harness a new name, or use a new campaign "
		"folder",
		run->setting, run->harness, run->block);
}

/* An attempt at a position that has one counts no second time: settle runs are repeated. */
static bool first_seen(struct block_state *state, int64_t position)
{
	for (size_t i = 0; i < state->n_seen; i++)
		if (state->seen[i] == position)
			return false;
	state->seen = mem_grow(state->seen, &state->seen_capacity, state->n_seen + 1, sizeof(*state->seen));
	state->seen[state->n_seen++] = position;
	return true;
}

static void count_alike(struct block_state *state, const struct planned_block *planned, const struct run_record *run)
{
	if (run->position >= 1 && !first_seen(state, run->position))
		return;
	for (size_t i = 0; i < planned->n; i++) {
		if (!fits(&planned->runs[i], run))
			continue;
		state->positions[i].alike++;
		return;
	}
}

static bool same_kind(const struct planned_run *a, const struct planned_run *b)
{
	return a->harness == b->harness && a->setting == b->setting && a->role == b->role;
}

/* The plan may have moved, added or dropped runs since the block ended: each record covers one planned run like it. */
static void match_ended(struct block_state *state, const struct planned_block *planned)
{
	for (size_t i = 0; i < planned->n; i++) {
		size_t first = 0;

		while (!same_kind(&planned->runs[first], &planned->runs[i]))
			first++;
		struct position_state *kind = &state->positions[first];
		state->positions[i].state = kind->alike > 0 ? PLANNED_RECORDED : PLANNED_MISSED;
		kind->alike -= kind->alike > 0;
	}
}

static int visit_run(void *context, struct run_record *run, struct error *err)
{
	struct reading *reading = context;
	const struct planned_block *planned = NULL;
	struct block_state *state = state_of(reading, run->block, &planned);

	int r = check_recipe(reading->plan, run, err);
	if (r < 0)
		return r;
	if (!state)
		return 0;
	state->begun = true;
	if (is_final(run))
		count_alike(state, planned, run);
	bool there = run->position >= 1 && (uint64_t)run->position <= planned->n;
	const struct planned_run *at = there ? &planned->runs[run->position - 1] : NULL;
	if ((!at || !fits(at, run)) && !state->misfit)
		state->misfit = describe_misfit(at, run);
	if (!at)
		return 0;
	struct position_state *position = &state->positions[run->position - 1];
	if (run->attempt > position->attempts)
		position->attempts = run->attempt;
	if (is_final(run))
		position->state = PLANNED_RECORDED;
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

int block_states_read(const char *directory, const struct plan *plan, const struct schedule *schedule,
		      struct block_states *ret_states, struct error *err)
{
	struct reading reading = {plan, schedule, ret_states};
	struct campaign_visitor visitor = {.run = visit_run, .block_end = visit_block_end, .context = &reading};

	*ret_states =
		(struct block_states){.items = mem_new(schedule->n + 1, sizeof(*ret_states->items)), .n = schedule->n};
	for (size_t i = 0; i < schedule->n; i++) {
		struct block_state *state = &ret_states->items[i];

		state->n = schedule->blocks[i].n;
		state->positions = mem_new(state->n + 1, sizeof(*state->positions));
	}
	int r = campaign_log_each(directory, &visitor, NULL, NULL, err);
	for (size_t i = 0; r == 0 && i < schedule->n; i++)
		if (ret_states->items[i].ended)
			match_ended(&ret_states->items[i], &schedule->blocks[i]);
	return r;
}

void block_states_release(struct block_states *states)
{
	for (size_t i = 0; i < states->n; i++) {
		free(states->items[i].positions);
		free(states->items[i].seen);
		free(states->items[i].misfit);
	}
	free(states->items);
	*states = (struct block_states){0};
}

size_t block_state_count(const struct block_state *state, enum planned_state which)
{
	size_t n = 0;

	for (size_t i = 0; i < state->n; i++)
		n += state->positions[i].state == which;
	return n;
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
