#include "analyze/document.h"

#include "analyze/regime.h"
#include "analyze/validity.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct run_net copy_net(const struct run_net *net)
{
	return (struct run_net){
		.kind = mem_dup_string(net->kind),
		.raw = mem_dup_string(net->raw),
		.plugin = mem_dup_string(net->plugin),
		.plugin_version = mem_dup_string(net->plugin_version),
		.ranks_reporting = net->ranks_reporting > 0 ? net->ranks_reporting : 0,
	};
}

static void add_version(struct string_map *versions, const char *name, const char *value)
{
	const char *known = string_map_get(versions, name);

	if (!value)
		return;
	if (!known) {
		string_map_set(versions, name, value);
		return;
	}
	/* A list "a, b": is the value one of it? */
	size_t length = strlen(value);
	for (const char *at = known; (at = strstr(at, value)); at += length)
		if ((at == known || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
			return;
	CLEANUP(mem_free) char *both = campaign_format("%s, %s", known, value);
	string_map_set(versions, name, both);
}

static void add_versions(const struct campaign *campaign, struct analysis_doc *doc)
{
	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct run_factors *factors = &campaign->runs[i].record->factors;
		add_version(&doc->versions, "nccl", factors->nccl);
		if (factors->net.plugin) {
			CLEANUP(mem_free)
			char *plugin =
				campaign_format("%s%s%s", factors->net.plugin, factors->net.plugin_version ? " " : "",
						factors->net.plugin_version ? factors->net.plugin_version : "");
			add_version(&doc->versions, "plugin", plugin);
		}
		add_version(&doc->versions, "nccl-tests", string_map_get(&factors->more, "tests_version"));
	}
}

static void add_notes(const struct campaign *campaign, struct analysis_doc *doc)
{
	for (size_t i = 0; i < campaign->n_notes; i++) {
		const struct note_record *note = &campaign->notes[i];
		bool correction = note->kind && strcmp(note->kind, "correction") == 0;
		struct doc_note *row = correction ? analysis_doc_add_correction(doc) : analysis_doc_add_decision(doc);
		row->on = mem_dup_string(note->on);
		row->kind = mem_dup_string(note->kind);
		row->text = mem_dup_string(note->text);
		row->time = mem_dup_string(note->time);
		row->author = mem_dup_string(note->author);
	}
}

static void replace(char **slot, const char *value)
{
	free(*slot);
	*slot = mem_dup_string(value);
}

void document_header(struct campaign *campaign, struct analysis_doc *doc)
{
	const struct plan *plan = campaign->plan;

	replace(&doc->name, plan->name);
	replace(&doc->question, plan->question);
	replace(&doc->cluster, plan->cluster);
	replace(&doc->control, plan->control);
	replace(&doc->plan_sha256, plan->sha256);
	doc->margin_percent = plan->margin_percent;
	doc->seed = plan->seed;
	doc->inputs = TAKE(campaign->inputs);
	doc->n_inputs = campaign->n_inputs;
	campaign->n_inputs = 0;
	for (size_t i = 0; i < doc->n_inputs; i++)
		doc->simulated = doc->simulated || doc->inputs[i].simulated;
	for (size_t i = 0; i < campaign->n_runs; i++) {
		const char *started = campaign->runs[i].record->started;
		if (!started)
			continue;
		if (!doc->first_started || strcmp(started, doc->first_started) < 0)
			replace(&doc->first_started, started);
		if (!doc->last_started || strcmp(started, doc->last_started) > 0)
			replace(&doc->last_started, started);
	}
	for (size_t i = 0; i < plan->n_settings; i++)
		if (plan->settings[i].title)
			string_map_set(&doc->titles, plan->settings[i].name, plan->settings[i].title);
	add_versions(campaign, doc);
	add_notes(campaign, doc);
}

static void add_run(const struct campaign_run *run, struct analysis_doc *doc)
{
	const struct run_record *record = run->record;
	struct doc_run *row = analysis_doc_add_run(doc);

	row->id = mem_dup_string(record->id);
	row->segment = mem_dup_string(record->segment);
	row->block = mem_dup_string(record->block);
	row->harness = mem_dup_string(record->harness);
	row->setting = mem_dup_string(record->setting);
	row->observed = mem_dup_string(run->observed);
	row->position = record->position;
	row->role = mem_dup_string(run_role_name(record->role));
	row->status = mem_dup_string(run_status_name(record->status));
	row->reason = mem_dup_string(record->reason);
	row->external = record->external;
	row->y = run->response.y;
	row->y_reason = mem_dup_string(run->response.y_reason);
	row->units = run->response.units;
	row->discarded = run->response.discarded;
	row->source = mem_dup_string(record->source_file);
	row->net = copy_net(&record->factors.net);
	row->started = mem_dup_string(record->started);
}

static void add_lost(const struct campaign_run *run, struct analysis_doc *doc)
{
	const struct run_record *record = run->record;
	struct doc_lost_run *row = analysis_doc_add_lost_run(doc);

	row->run = mem_dup_string(record->id);
	row->harness = mem_dup_string(record->harness);
	row->setting = mem_dup_string(record->setting);
	row->block = mem_dup_string(record->block);
	row->status = mem_dup_string(run_status_name(record->status));
	row->proof = mem_dup_string(record->reason);
	row->external = record->external;
}

void document_runs(const struct campaign *campaign, struct analysis_doc *doc)
{
	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct campaign_run *run = &campaign->runs[i];
		add_run(run, doc);
		if (run->record->status != RUN_OK)
			add_lost(run, doc);
		if (strcmp(run->observed, run->record->setting) == 0)
			continue;
		struct doc_relabelled *row = analysis_doc_add_relabelled(doc);
		row->run = mem_dup_string(run->record->id);
		row->declared = mem_dup_string(run->record->setting);
		row->named = mem_dup_string(run->observed);
		row->evidence = validity_evidence(run);
	}
}

static char *expected_words(const struct plan_expect *expect)
{
	CLEANUP(text_release) struct text text = {0};

	if (!expect)
		return NULL;
	const char *words[] = {expect->net, expect->net_plugin, expect->net_plugin_version, expect->algo,
			       expect->proto};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i])
			text_format(&text, "%s%s", text.length > 0 ? " " : "", words[i]);
	return text.length > 0 ? text_take(&text) : NULL;
}

static void add_network(const struct campaign *campaign, const struct plan_harness *harness,
			const struct plan_setting *setting, struct analysis_doc *doc)
{
	const struct campaign_run *worst = NULL;
	int64_t runs = 0;

	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct campaign_run *run = &campaign->runs[i];
		if (run->harness != harness || run->setting != setting || run->record->status == RUN_LAUNCH_FAILED)
			continue;
		runs++;
		if (!worst || run->network > worst->network)
			worst = run;
	}
	if (!worst)
		return;
	struct doc_network *row = analysis_doc_add_network(doc);
	row->harness = mem_dup_string(harness->name);
	row->setting = mem_dup_string(setting->name);
	row->expected = expected_words(validity_expect(campaign->plan, setting));
	row->status = mem_dup_string(validity_network_name(worst->network));
	row->runs = runs;
	row->net = copy_net(&worst->record->factors.net);
}

void document_networks(const struct campaign *campaign, struct analysis_doc *doc)
{
	for (size_t h = 0; h < campaign->plan->n_harnesses; h++)
		for (size_t s = 0; s < campaign->plan->n_settings; s++)
			add_network(campaign, &campaign->plan->harnesses[h], &campaign->plan->settings[s], doc);
}

static bool same_word(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static void add_confound(const struct effect_request *request, const struct pair *pair,
			 const struct factor_difference *item, struct analysis_doc *doc)
{
	struct doc_confound *row = NULL;

	for (size_t i = 0; i < doc->n_confounds && !row; i++) {
		struct doc_confound *known = &doc->confounds[i];
		if (same_word(known->harness, request->harness->name) &&
		    same_word(known->setting, request->setting_name) && same_word(known->factor, item->factor) &&
		    same_word(known->control, item->control) && same_word(known->treatment, item->treatment))
			row = known;
	}
	if (!row) {
		row = analysis_doc_add_confound(doc);
		row->harness = mem_dup_string(request->harness->name);
		row->setting = mem_dup_string(request->setting_name);
		row->factor = mem_dup_string(item->factor);
		row->control = mem_dup_string(item->control);
		row->treatment = mem_dup_string(item->treatment);
		row->voids = item->voids;
	}
	string_list_add_once(&row->blocks, pair->block);
}

void document_pairs(const struct campaign *campaign, const struct effect_request *request, struct analysis_doc *doc)
{
	CLEANUP(effect_pairs_release) struct effect_pairs pairs = {0};

	effect_pairs_of(campaign, request, &pairs);
	for (size_t i = 0; i < pairs.n; i++) {
		const struct pair *pair = &pairs.items[i];
		for (size_t j = 0; j < pair->confounds->n; j++)
			add_confound(request, pair, &pair->confounds->items[j], doc);
		if (!pair->void_check)
			continue;
		struct doc_void *row = analysis_doc_add_void(doc);
		row->harness = mem_dup_string(request->harness->name);
		row->setting = mem_dup_string(request->setting_name);
		row->block = mem_dup_string(pair->block);
		row->check = mem_dup_string(pair->void_check);
		row->reason = mem_dup_string(pair->void_reason);
		row->would_read_percent = NAN;
		if (!pair->batch_differs && pair->control.n_y > 0 && pair->treatment.n_y > 0)
			row->would_read_percent = 100 * expm1(pair->control.mean_y - pair->treatment.mean_y);
	}
}

static void fill_floor(struct doc_floor *row, const char *kind, double sd_log, double df, double percent,
		       const char *reason)
{
	row->kind = mem_dup_string(kind);
	row->percent = percent;
	row->percent_reason = isfinite(percent) ? NULL : mem_dup_string(reason);
	row->sd_log = sd_log;
	row->df = df;
	row->s_r = row->s_l = row->s_l2_raw = NAN;
}

static void add_floors(const struct floors *floors, const struct effect *effects, size_t n_effects,
		       struct doc_harness *row)
{
	struct doc_floor *floor = doc_harness_add_floor(row);
	fill_floor(floor, "within_block", floors->within.s_r, floors->within.df, floors->within.percent,
		   floors->within.reason);
	floor->blocks = floors->within.cells;
	floor->runs = floors->within.runs;
	bool paired = false;
	for (size_t i = 0; i < n_effects; i++) {
		const struct doc_effect *effect = &effects[i].row;
		if (effects[i].role != EFFECT_FAMILY || !effect->design || strcmp(effect->design, "paired") != 0)
			continue;
		floor = doc_harness_add_floor(row);
		fill_floor(floor, "paired", effect->floor.sd_log, effect->floor.df, effect->floor.percent,
			   effect->floor.percent_reason);
		floor->setting = mem_dup_string(effect->setting);
		floor->blocks = effect->blocks;
		floor->runs = effect->runs;
		paired = paired || isfinite(effect->floor.percent);
	}
	floor = doc_harness_add_floor(row);
	fill_floor(floor, "cross_job", floors->cross.s_R, floors->cross.df, floors->cross.percent,
		   floors->cross.reason);
	floor->blocks = floors->cross.blocks;
	floor->runs = floors->cross.runs;
	floor->s_r = floors->cross.s_r;
	floor->s_l = floors->cross.s_L;
	floor->s_l2_raw = floors->cross.s_L2_raw;
	row->unfloored = !paired && !isfinite(floors->within.percent) && !isfinite(floors->cross.percent);
}

void document_harness(const struct campaign *campaign, const struct plan_harness *harness, const struct floors *floors,
		      const struct effect *effects, size_t n_effects, struct analysis_doc *doc)
{
	struct doc_harness *row = analysis_doc_add_harness(doc);
	bool throughput = false;

	row->name = mem_dup_string(harness->name);
	row->kind = mem_dup_string(harness->kind == PLAN_BENCH ? "bench" : "slice");
	row->regime = mem_dup_string(harness->regime);
	if (harness->kind == PLAN_SLICE) {
		struct regime regime = regime_of(campaign, harness);
		row->nodes = regime.nodes;
		row->ranks = regime.ranks;
		row->micro_steps = regime.micro_steps;
	}
	row->runs = row->completed = 0;
	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct campaign_run *run = &campaign->runs[i];
		if (run->harness != harness)
			continue;
		row->runs++;
		row->completed += run->record->status == RUN_OK;
		throughput = throughput || run->response.throughput;
		if (!row->statistic && run->response.statistic)
			row->statistic = mem_dup_string(run->response.statistic);
		if (!row->unit && run->response.unit)
			row->unit = mem_dup_string(run->response.unit);
	}
	row->spread_percent = floors->spread_percent;
	row->spread_n = floors->spread_n;
	row->cv_percent = floors->cv_percent;
	row->cv_ci95_percent = (struct doc_interval){floors->cv_lo_percent, floors->cv_hi_percent};
	if (throughput)
		row->note = mem_dup_string("the printed throughput is the log's own: what it leaves out of its time "
					   "(such as the first batch of an epoch) is left out here");
	add_floors(floors, effects, n_effects, row);
}

void document_drift(const struct plan_harness *harness, const struct drift *drift, struct analysis_doc *doc)
{
	if (drift->blocks == 0)
		return;
	struct doc_drift *row = analysis_doc_add_drift(doc);
	row->harness = mem_dup_string(harness->name);
	row->blocks = drift->blocks;
	row->flagged = drift->flagged;
	row->mean_log_change = drift->mean_log_change;
	row->p = drift->p;
	row->ci95_log = (struct doc_interval){drift->lo, drift->hi};
}
