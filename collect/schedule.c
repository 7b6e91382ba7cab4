/* Which runs a plan asks for, in which order; it depends on the plan alone, so that a repeated call finds its place. */
#include "assay/collect.h"

#include "base/digest.h"
#include "collect/launcher.h"
#include "collect/worker/collective.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run of a round, before the round is ordered. */
struct arm {
	const struct plan_setting *setting;
	int64_t copy; /* 0; from 1 for the controls that aa_pairs adds */
	char key[DIGEST_HEX];
};

struct arm_list {
	struct arm *items;
	size_t n, capacity;
};

static void arm_list_release(struct arm_list *arms)
{
	free(arms->items);
}
CLEANUP_VALUE(struct arm_list, arm_list_release)

/* A block that is being filled. */
struct filling {
	const struct plan *plan;
	struct planned_block *block;
	size_t capacity;
	int64_t block_index; /* from 0 */
};

static const struct plan_design *design_of(const struct plan *plan, const struct plan_harness *harness)
{
	return harness->design.present ? &harness->design : &plan->design;
}

/* ---- what a plan cannot mean ---- */

enum { WORKER_COUNT_MAX = 1000000 };

static int refuse_dtype(const struct plan_harness *harness, struct error *err)
{
	CLEANUP(text_release) struct text known = {0};

	for (size_t i = 0; i < ELEMENT_N; i++)
		text_format(&known, "%s%s", i > 0 ? ", " : "", elements[i].name);
	return error_set(err, ERROR_DATA, "harness '%s': dtype '%s': the worker has only %s; name one of these",
			 harness->name, harness->dtype, text_string(&known));
}

static int check_counts(const struct plan_harness *harness, struct error *err)
{
	if (harness->warmup > WORKER_COUNT_MAX)
		return error_set(err, ERROR_DATA, "harness '%s': warmup %lld: give at most %d", harness->name,
				 (long long)harness->warmup, WORKER_COUNT_MAX);
	if (harness->iterations > WORKER_COUNT_MAX)
		return error_set(err, ERROR_DATA, "harness '%s': iterations %lld: give at most %d", harness->name,
				 (long long)harness->iterations, WORKER_COUNT_MAX);
	return 0;
}

/* The worker's own rules for sizes and placement. */
static int check_sizes(const struct plan_harness *harness, const struct collective *collective,
		       const struct element *element, struct error *err)
{
	int64_t ranks = harness->ranks > 0 ? harness->ranks : LAUNCH_RANKS_DEFAULT;
	bool in_place = strcmp(harness->placement, "in_place") == 0;
	struct collective_layout layout;
	struct error cause;

	if (ranks > INT_MAX)
		return error_set(err, ERROR_DATA, "harness '%s': ranks %lld: give at most %d", harness->name,
				 (long long)ranks, INT_MAX);
	if (in_place && collective->buffers == BUFFERS_TWO)
		return error_set(err, ERROR_DATA,
				 "harness '%s': placement 'in_place': op '%s' has no such form; write \"out_of_place\"",
				 harness->name, harness->op);
	for (size_t i = 0; i < harness->n_bytes; i++)
		if (collective_lay_out(collective, element, in_place ? PLACEMENT_IN_PLACE : PLACEMENT_OUT_OF_PLACE,
				       harness->bytes[i], 0, (int)ranks, &layout, &cause) < 0)
			return error_set(err, ERROR_DATA, "harness '%s': bytes: %s; with %lld ranks, give such a size",
					 harness->name, cause.message, (long long)ranks);
	return 0;
}

static int check_headline(const struct plan_harness *harness, struct error *err)
{
	if (harness->headline_bytes <= 0)
		return error_set(err, ERROR_DATA,
				 "harness '%s': no headline_bytes: name the size among its bytes that the result is "
				 "about",
				 harness->name);
	for (size_t i = 0; i < harness->n_bytes; i++)
		if (harness->bytes[i] == harness->headline_bytes)
			return 0;
	return error_set(err, ERROR_DATA,
			 "harness '%s': headline_bytes %lld is not among its bytes; list it there, or name one of them",
			 harness->name, (long long)harness->headline_bytes);
}

static int check_bench(const struct plan_harness *harness, struct error *err)
{
	if (strcmp(harness->backend, "mpi") != 0)
		return 0;
	if (!harness->op)
		return error_set(err, ERROR_DATA, "harness '%s': no op: name the collective to run, such as allreduce",
				 harness->name);
	if (harness->n_bytes == 0)
		return error_set(err, ERROR_DATA, "harness '%s': no bytes: list the message sizes to run",
				 harness->name);
	const struct collective *collective = collective_find(harness->op);
	const struct element *element = element_find(harness->dtype);
	if (!collective)
		return error_set(err, ERROR_DATA, "harness '%s': op '%s': the worker has no such collective",
				 harness->name, harness->op);
	if (!element)
		return refuse_dtype(harness, err);
	int r = check_counts(harness, err);
	if (r == 0)
		r = check_sizes(harness, collective, element, err);
	return r < 0 ? r : check_headline(harness, err);
}

static int refuse_part(const struct plan_harness *harness, const struct plan_setting *setting, const char *part,
		       const char *remedy, struct error *err)
{
	return error_set(err, ERROR_DATA,
			 "harness '%s': setting '%s' has %s, which %s does not take; %s leave the setting out of the "
			 "harness's 'settings' list",
			 harness->name, setting->name, part, harness->command.n > 0 ? "its command" : "assay's worker",
			 remedy);
}

/* A part of a setting that a harness cannot apply would be measured as if it made no difference. */
static int check_setting(const struct plan_harness *harness, const struct plan_setting *setting, struct error *err)
{
	bool worker = harness->command.n == 0;

	if (setting->args.n > 0 && !string_list_has(&harness->command, "{args}"))
		return refuse_part(harness, setting, "args",
				   worker ? "write them as env or mpirun_args, or"
					  : "write {args} as an argument of its own in the command, or",
				   err);
	if (setting->mpirun_args.n > 0 && !worker && !string_list_has(&harness->command, "{mpirun_args}"))
		return refuse_part(harness, setting, "mpirun_args",
				   "write {mpirun_args} as an argument of its own after mpirun in the command, or",
				   err);
	return 0;
}

/* A probe whose learning rate stays at a tenth of its peak or less moves no weights: its losses say nothing. */
static int check_trained(const struct plan_harness *harness, struct error *err)
{
	int64_t warmup = harness->production_warmup_steps;

	if (harness->kind != PLAN_SLICE || harness->allow_untrained || harness->steps <= 0 || warmup <= 0 ||
	    harness->steps > warmup / 10)
		return 0;
	return error_set(err, ERROR_DATA,
			 "harness '%s': its %lld steps end within the first tenth of a warm-up of %lld steps, where "
			 "the learning "
			 "rate is at most 10 %% of its peak and nothing is trained; give it more than %lld steps, a "
			 "shorter warm-up "
			 "(through the settings' args, and production_warmup_steps with it), or \"allow_untrained\": "
			 "true, which "
			 "voids its loss reading",
			 harness->name, (long long)harness->steps, (long long)warmup, (long long)(warmup / 10));
}

static int check_harness(const struct plan *plan, const struct plan_harness *harness, struct error *err)
{
	int r = 0;

	if (harness->command.n == 0 && harness->kind == PLAN_SLICE)
		return error_set(err, ERROR_DATA,
				 "harness '%s': nothing to run: give it a command, or collect without it (a harness of "
				 "imported logs needs a plan of its own)",
				 harness->name);
	if (harness->command.n == 0 && !harness->backend)
		return error_set(err, ERROR_DATA,
				 "harness '%s': nothing to run: give it a backend with op and bytes, or a command, or "
				 "collect without it (a harness of imported logs needs a plan of its own)",
				 harness->name);
	if (harness->command.n == 0)
		r = check_bench(harness, err);
	if (r == 0)
		r = check_trained(harness, err);
	for (size_t i = 0; r == 0 && i < plan->n_settings; i++)
		if (plan_harness_runs(plan, harness, plan->settings[i].name))
			r = check_setting(harness, &plan->settings[i], err);
	return r;
}

static int check_plan(const struct plan *plan, struct error *err)
{
	int r = 0;

	if (plan->launcher_kind && strcmp(plan->launcher_kind, "local") != 0)
		return error_set(err, ERROR_DATA,
				 "launcher.kind '%s' is not supported yet: run inside an allocation with kind 'local'",
				 plan->launcher_kind);
	for (size_t i = 0; r == 0 && i < plan->n_harnesses; i++)
		r = check_harness(plan, &plan->harnesses[i], err);
	return r;
}

static void add_run(struct filling *filling, const struct plan_harness *harness, const struct plan_setting *setting,
		    enum run_role role)
{
	struct planned_block *block = filling->block;

	block->runs = mem_grow(block->runs, &filling->capacity, block->n + 1, sizeof(*block->runs));
	block->runs[block->n] = (struct planned_run){(int64_t)block->n + 1, harness, setting, role};
	block->n++;
}

static void add_arm(struct arm_list *arms, const struct plan_setting *setting, int64_t copy)
{
	arms->items = mem_grow(arms->items, &arms->capacity, arms->n + 1, sizeof(*arms->items));
	arms->items[arms->n++] = (struct arm){.setting = setting, .copy = copy};
}

/* The added controls are dealt out to the rounds in turn. */
static void list_round(const struct plan *plan, const struct plan_harness *harness, int64_t round,
		       struct arm_list *ret_arms)
{
	const struct plan_design *design = design_of(plan, harness);
	const struct plan_setting *control = plan_setting_find(plan, plan->control);

	ret_arms->n = 0;
	for (size_t i = 0; i < plan->n_settings; i++)
		if (plan_harness_runs(plan, harness, plan->settings[i].name))
			add_arm(ret_arms, &plan->settings[i], 0);
	for (int64_t pair = 0; pair < design->aa_pairs; pair++)
		if (pair % design->runs_per_arm == round)
			add_arm(ret_arms, control, pair + 1);
}

static int compare_keys(const void *a, const void *b)
{
	const struct arm *x = a, *y = b;

	return strcmp(x->key, y->key);
}

static void interleave(const struct plan *plan, const char *block, const struct plan_harness *harness, int64_t round,
		       struct arm_list *arms)
{
	for (size_t i = 0; i < arms->n; i++) {
		CLEANUP(text_release) struct text text = {0};

		text_format(&text, "%lld\n%s\n%s\n%lld\n%s\n%lld", (long long)plan->seed, block, harness->name,
			    (long long)round + 1, arms->items[i].setting->name, (long long)arms->items[i].copy);
		digest_sha256(text.bytes, text.length, arms->items[i].key);
	}
	qsort(arms->items, arms->n, sizeof(*arms->items), compare_keys);
}

static void reverse(struct arm_list *arms)
{
	for (size_t i = 0; i < arms->n / 2; i++) {
		struct arm first = arms->items[i];

		arms->items[i] = arms->items[arms->n - 1 - i];
		arms->items[arms->n - 1 - i] = first;
	}
}

static void add_harness(struct filling *filling, const struct plan_harness *harness)
{
	const struct plan *plan = filling->plan;
	const struct plan_design *design = design_of(plan, harness);
	const struct plan_setting *control = plan_setting_find(plan, plan->control);
	CLEANUP(arm_list_release) struct arm_list arms = {0};

	for (int64_t i = 0; i < design->settle_runs; i++)
		add_run(filling, harness, control, RUN_SETTLE);
	if (design->sentinels)
		add_run(filling, harness, control, RUN_SENTINEL);
	for (int64_t round = 0; round < design->runs_per_arm; round++) {
		list_round(plan, harness, round, &arms);
		if (design->order == PLAN_INTERLEAVED)
			interleave(plan, filling->block->name, harness, round, &arms);
		if (design->order == PLAN_ABBA && (round + filling->block_index) % 2 == 1)
			reverse(&arms);
		for (size_t i = 0; i < arms.n; i++)
			add_run(filling, harness, arms.items[i].setting, RUN_ARM);
	}
	if (design->sentinels)
		add_run(filling, harness, control, RUN_SENTINEL);
}

int schedule_plan(const struct plan *plan, struct schedule *ret_schedule, struct error *err)
{
	int64_t blocks = 0;
	size_t capacity = 0;

	*ret_schedule = (struct schedule){0};
	int r = check_plan(plan, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < plan->n_harnesses; i++)
		if (plan_blocks(plan, &plan->harnesses[i]) > blocks)
			blocks = plan_blocks(plan, &plan->harnesses[i]);
	for (int64_t b = 1; b <= blocks; b++) {
		char name[32];

		snprintf(name, sizeof(name), "b%lld", (long long)b);
		ret_schedule->blocks =
			mem_grow(ret_schedule->blocks, &capacity, ret_schedule->n + 1, sizeof(*ret_schedule->blocks));
		struct planned_block *block = &ret_schedule->blocks[ret_schedule->n++];
		*block = (struct planned_block){.name = mem_dup_string(name)};
		struct filling filling = {plan, block, 0, b - 1};
		for (size_t i = 0; i < plan->n_harnesses; i++)
			if (plan_blocks(plan, &plan->harnesses[i]) >= b)
				add_harness(&filling, &plan->harnesses[i]);
	}
	return 0;
}

void schedule_release(struct schedule *schedule)
{
	for (size_t i = 0; i < schedule->n; i++) {
		free(schedule->blocks[i].name);
		free(schedule->blocks[i].runs);
	}
	free(schedule->blocks);
	*schedule = (struct schedule){0};
}
