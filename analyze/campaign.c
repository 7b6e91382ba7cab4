#include "analyze/campaign.h"

#include "analyze/validity.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *campaign_format(const char *format, ...)
{
	va_list arguments, again;

	va_start(arguments, format);
	va_copy(again, arguments);
	int n = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	char *string = mem_new((size_t)n + 1, 1);
	vsnprintf(string, (size_t)n + 1, format, again);
	va_end(again);
	return string;
}

static void drop_values(struct run_record *run)
{
	for (size_t i = 0; i < run->n_tables; i++) {
		free(run->tables[i].values);
		run->tables[i].values = NULL;
	}
}

/* The statistic of the first run of a harness that has a response, or NULL. */
static const char *statistic_of(const struct campaign *campaign, const struct plan_harness *harness)
{
	for (size_t i = 0; i < campaign->n_runs; i++)
		if (campaign->runs[i].harness == harness && isfinite(campaign->runs[i].response.y))
			return campaign->runs[i].response.statistic;
	return NULL;
}

static int visit_run(void *context, struct run_record *run, struct error *err)
{
	struct campaign *campaign = context;
	const struct plan_harness *harness = plan_harness_find(campaign->plan, run->harness);

	if (!harness)
		return error_set(err, ERROR_DATA, "run '%s' of segment '%s' names harness '%s', which the plan lacks",
				 run->id, run->segment ? run->segment : "?", run->harness);
	campaign->runs =
		mem_grow(campaign->runs, &campaign->runs_capacity, campaign->n_runs + 1, sizeof(*campaign->runs));
	struct campaign_run *kept = &campaign->runs[campaign->n_runs++];
	memset(kept, 0, sizeof(*kept));
	kept->harness = harness;
	kept->setting = plan_setting_find(campaign->plan, run->setting);
	response_of(harness, run, &kept->response);
	response_keep_to_statistic(&kept->response, statistic_of(campaign, harness));
	if (loss_series_wanted(campaign->plan, run))
		loss_series_of(run, &kept->loss);
	traces_keep(campaign, harness, run, &kept->trace);
	drop_values(run);
	/* The visitor's record is emptied, not kept: its owner frees the empty one. */
	kept->record = run_record_new();
	struct run_record empty = *kept->record;
	*kept->record = *run;
	*run = empty;
	kept->network = validity_network(campaign->plan, kept);
	kept->observed = validity_observed_name(campaign->plan, kept);
	return 0;
}

static int visit_note(void *context, const struct note_record *note, struct error *err)
{
	struct campaign *campaign = context;

	(void)err;
	campaign->notes =
		mem_grow(campaign->notes, &campaign->notes_capacity, campaign->n_notes + 1, sizeof(*campaign->notes));
	struct note_record *kept = &campaign->notes[campaign->n_notes++];
	*kept = (struct note_record){
		.on = mem_dup_string(note->on),
		.kind = mem_dup_string(note->kind),
		.text = mem_dup_string(note->text),
		.time = mem_dup_string(note->time),
		.author = mem_dup_string(note->author),
		.segment = mem_dup_string(note->segment),
	};
	return 0;
}

static void mark_superseded(struct campaign *campaign)
{
	for (size_t i = 0; i < campaign->n_runs; i++) {
		struct campaign_run *run = &campaign->runs[i];
		if (run->record->status == RUN_OK || !run->record->external || run->record->position < 0)
			continue;
		for (size_t j = 0; j < campaign->n_runs && !run->superseded; j++) {
			const struct run_record *other = campaign->runs[j].record;
			run->superseded = other->position == run->record->position &&
					  other->attempt > run->record->attempt &&
					  strcmp(other->block, run->record->block) == 0 &&
					  strcmp(other->harness, run->record->harness) == 0 &&
					  strcmp(other->setting, run->record->setting) == 0;
		}
	}
}

static int compare_ids(const void *a, const void *b)
{
	const struct run_record *const *left = a, *const *right = b;

	return strcmp((*left)->id, (*right)->id);
}

/* One run under one id: a copied segment would count its runs twice. */
static int check_ids(const struct campaign *campaign, struct error *err)
{
	CLEANUP(mem_free)
	const struct run_record **records = mem_new(campaign->n_runs, sizeof(*records));

	for (size_t i = 0; i < campaign->n_runs; i++)
		records[i] = campaign->runs[i].record;
	qsort(records, campaign->n_runs, sizeof(*records), compare_ids);
	for (size_t i = 1; i < campaign->n_runs; i++)
		if (strcmp(records[i - 1]->id, records[i]->id) == 0)
			return error_set(
				err, ERROR_DATA,
				"run '%s' stands in segments '%s' and '%s'; one of them is a copy: move it out of "
				"the log",
				records[i]->id, records[i - 1]->segment ? records[i - 1]->segment : "?",
				records[i]->segment ? records[i]->segment : "?");
	return 0;
}

int campaign_load(const char *directory, const struct plan *plan, struct campaign **ret_campaign, struct error *err)
{
	CLEANUP(campaign_free) struct campaign *campaign = mem_new(1, sizeof(*campaign));
	struct campaign_visitor visitor = {
		.run = visit_run, .note = visit_note, .context = campaign, .load_tables = true};

	campaign->plan = plan;
	int r = campaign_log_each(directory, &visitor, &campaign->inputs, &campaign->n_inputs, err);
	if (r < 0)
		return r;
	r = check_ids(campaign, err);
	if (r < 0)
		return r;
	mark_superseded(campaign);
	*ret_campaign = TAKE(campaign);
	return 0;
}

void campaign_free(struct campaign *campaign)
{
	for (size_t i = 0; i < campaign->n_runs; i++) {
		if (campaign->runs[i].record)
			run_record_free(campaign->runs[i].record);
		response_release(&campaign->runs[i].response);
		loss_series_release(&campaign->runs[i].loss);
		trace_release(&campaign->runs[i].trace);
		free(campaign->runs[i].observed);
	}
	for (size_t i = 0; i < campaign->n_notes; i++) {
		struct note_record *note = &campaign->notes[i];
		free(note->on);
		free(note->kind);
		free(note->text);
		free(note->time);
		free(note->author);
		free(note->segment);
	}
	if (campaign->inputs)
		campaign_inputs_free(campaign->inputs, campaign->n_inputs);
	free(campaign->runs);
	free(campaign->notes);
	free(campaign);
}

static bool matches(const char *wanted, const char *value)
{
	return !wanted || (value && strcmp(wanted, value) == 0);
}

static void arm_judge(struct arm *arm)
{
	bool lost_inside = false;
	double sum = 0;

	for (size_t i = 0; i < arm->n; i++) {
		const struct campaign_run *run = arm->runs[i];
		if (run->record->status != RUN_LAUNCH_FAILED)
			arm->started = true;
		if (run->record->status != RUN_OK) {
			if (!arm->lost)
				arm->lost = run;
			lost_inside = lost_inside || !run->record->external;
		}
		if (campaign_contradicted(run) && run->record->status != RUN_LAUNCH_FAILED && !arm->contradictor)
			arm->contradictor = run;
		if (run->record->status == RUN_OK && run->network == NETWORK_UNVERIFIED)
			arm->unverified = true;
		if (isfinite(run->response.y))
			arm->y[arm->n_y++] = run->response.y;
	}
	for (size_t i = 0; i < arm->n_y; i++)
		sum += arm->y[i] - arm->y[0];
	arm->mean_y = arm->n_y > 0 ? arm->y[0] + sum / (double)arm->n_y : NAN;
	arm->completed = arm->n > 0 && !arm->lost;
	arm->external = arm->lost && !lost_inside;
}

void arm_collect(const struct campaign *campaign, const struct plan_harness *harness, const char *block,
		 const struct arm_filter *filter, struct arm *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->runs = mem_new(campaign->n_runs + 1, sizeof(*ret->runs));
	ret->y = mem_new(campaign->n_runs + 1, sizeof(*ret->y));
	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct campaign_run *run = &campaign->runs[i];
		if (run->harness != harness || run->superseded || run->record->role != RUN_ARM)
			continue;
		if (block && strcmp(run->record->block, block) != 0)
			continue;
		if (!matches(filter->setting, run->record->setting) || !matches(filter->observed, run->observed) ||
		    !matches(filter->plugin_version, run->record->factors.net.plugin_version))
			continue;
		ret->runs[ret->n++] = run;
	}
	arm_judge(ret);
}

void arm_release(struct arm *arm)
{
	free(arm->runs);
	free(arm->y);
	memset(arm, 0, sizeof(*arm));
}

const char **campaign_blocks(const struct campaign *campaign, const struct plan_harness *harness, size_t *ret_n)
{
	const char **blocks = mem_new(campaign->n_runs + 1, sizeof(*blocks));
	size_t n = 0;

	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct campaign_run *run = &campaign->runs[i];
		bool known = run->harness != harness;
		for (size_t j = 0; j < n && !known; j++)
			known = strcmp(blocks[j], run->record->block) == 0;
		if (!known)
			blocks[n++] = run->record->block;
	}
	*ret_n = n;
	return blocks;
}

bool campaign_is_reference(const struct campaign *campaign, const struct plan_setting *setting)
{
	const char *control = plan_control_of(campaign->plan, setting);

	return !control || strcmp(control, setting->name) == 0;
}
