#include "assay/analyze.h"

#include "analyze/comm_fraction.h"
#include "analyze/document.h"
#include "analyze/findings.h"
#include "analyze/inference.h"
#include "analyze/loss_pair.h"
#include "analyze/parity.h"
#include "analyze/questions.h"
#include "analyze/scaling.h"
#include "analyze/spread.h"
#include "analyze/throughput.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The effects of one harness while its family is not yet judged. */
struct effect_list {
	struct effect *items;
	size_t n, capacity;
};

static void effect_list_release(struct effect_list *list)
{
	free(list->items);
}
CLEANUP_VALUE(struct effect_list, effect_list_release)

static void measure(const struct campaign *campaign, const struct effect_request *request, const struct floors *floors,
		    struct effect_list *list)
{
	list->items = mem_grow(list->items, &list->capacity, list->n + 1, sizeof(*list->items));
	effect_measure(campaign, request, floors, &list->items[list->n++]);
}

static void measure_sub_arms(const struct campaign *campaign, const struct effect_request *family,
			     const struct floors *floors, struct effect_list *list)
{
	struct string_list versions = {0};

	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct campaign_run *run = &campaign->runs[i];
		const char *version = run->record->factors.net.plugin_version;
		if (run->harness == family->harness && run->setting == family->setting && version &&
		    run->record->role == RUN_ARM && !campaign_contradicted(run) && !string_list_has(&versions, version))
			string_list_add(&versions, version);
	}
	for (size_t i = 0; versions.n > 1 && i < versions.n; i++) {
		CLEANUP(mem_free)
		char *name = campaign_format("%s@net_plugin_version=%s", family->setting_name, versions.items[i]);
		struct effect_request request = *family;
		request.role = EFFECT_SUB_ARM;
		request.setting_name = name;
		request.treatment = (struct arm_filter){.setting = family->setting_name,
							.observed = family->setting_name,
							.plugin_version = versions.items[i]};
		request.control.observed = family->control_name;
		measure(campaign, &request, floors, list);
	}
	for (size_t i = 0; i < versions.n; i++)
		free(versions.items[i]);
	free(versions.items);
}

static bool holds_both(const struct campaign *campaign, const struct effect_request *request)
{
	CLEANUP(effect_pairs_release) struct effect_pairs pairs = {0};
	bool both = false;

	effect_pairs_of(campaign, request, &pairs);
	for (size_t i = 0; i < pairs.n; i++)
		both = both || (pairs.items[i].control.n > 0 && pairs.items[i].treatment.n > 0);
	return both;
}

static void measure_renamed(const struct campaign *campaign, const struct campaign_run *run,
			    const struct plan_setting *setting, const struct floors *floors, struct effect_list *list)
{
	const char *control = plan_control_of(campaign->plan, setting);
	bool is_control = control && strcmp(control, run->record->setting) == 0;
	bool is_treatment = setting == run->setting;

	if (!control || strcmp(control, setting->name) == 0 || is_control == is_treatment ||
	    !plan_harness_runs(campaign->plan, run->harness, setting->name))
		return;
	struct effect_request request = {
		.harness = run->harness,
		.setting = setting,
		.role = EFFECT_RELABELLED,
		.setting_name = is_treatment ? run->observed : setting->name,
		.control_name = is_control ? run->observed : control,
	};
	request.treatment = (struct arm_filter){.setting = setting->name, .observed = request.setting_name};
	request.control = (struct arm_filter){.setting = control, .observed = request.control_name};
	if (holds_both(campaign, &request))
		measure(campaign, &request, floors, list);
}

static void measure_relabelled(const struct campaign *campaign, const struct plan_harness *harness,
			       const struct floors *floors, struct effect_list *list)
{
	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct campaign_run *run = &campaign->runs[i];
		bool seen = run->harness != harness || run->record->role != RUN_ARM ||
			    strcmp(run->observed, run->record->setting) == 0;
		for (size_t j = 0; j < i && !seen; j++)
			seen = campaign->runs[j].harness == harness && campaign->runs[j].record->role == RUN_ARM &&
			       strcmp(campaign->runs[j].observed, run->observed) == 0;
		for (size_t s = 0; !seen && s < campaign->plan->n_settings; s++)
			measure_renamed(campaign, run, &campaign->plan->settings[s], floors, list);
	}
}

static void void_by_drift(const struct drift *drift, struct effect *effect, struct analysis_doc *doc)
{
	struct doc_effect *row = &effect->row;

	if (!drift->flagged || !isfinite(row->log_gain) || fabs(row->log_gain) > drift_limit(drift))
		return;
	effect->verdict_case = VERDICT_VOID;
	row->p = NAN;
	string_list_add(&row->reasons, "the gain is not above what the drift inside blocks could make");
	for (size_t i = 0; effect->role == EFFECT_FAMILY && i < row->n_log_gains; i++) {
		struct doc_void *entry = analysis_doc_add_void(doc);
		entry->harness = mem_dup_string(row->harness);
		entry->setting = mem_dup_string(row->setting);
		entry->block = mem_dup_string(row->log_gains[i].block);
		entry->check = mem_dup_string("drift");
		entry->reason = mem_dup_string("the gain is not above what the drift inside blocks could make");
		entry->would_read_percent = 100 * expm1(row->log_gains[i].log_gain);
	}
}

static void analyze_harness(const struct campaign *campaign, const struct plan_harness *harness,
			    struct analysis_doc *doc)
{
	CLEANUP(effect_list_release) struct effect_list list = {0};
	struct floors floors;
	struct drift drift;

	floors_of(campaign, harness, campaign->plan->control, &floors);
	drift_of(campaign, harness, &drift);
	for (size_t s = 0; s < campaign->plan->n_settings; s++) {
		const struct plan_setting *setting = &campaign->plan->settings[s];
		const char *control = plan_control_of(campaign->plan, setting);
		if (campaign_is_reference(campaign, setting) ||
		    !plan_harness_runs(campaign->plan, harness, setting->name))
			continue;
		struct effect_request request = {
			.harness = harness,
			.setting = setting,
			.role = EFFECT_FAMILY,
			.setting_name = setting->name,
			.control_name = control,
			.treatment = {.setting = setting->name},
			.control = {.setting = control},
		};
		struct floors own;
		floors_of(campaign, harness, control, &own);
		measure(campaign, &request, &own, &list);
		measure_sub_arms(campaign, &request, &own, &list);
		floors_release(&own);
		document_pairs(campaign, &request, doc);
	}
	measure_relabelled(campaign, harness, &floors, &list);
	for (size_t i = 0; i < list.n; i++)
		void_by_drift(&drift, &list.items[i], doc);
	effect_holm(list.items, list.n);
	for (size_t i = 0; i < list.n; i++) {
		list.items[i].quality_open = loss_pairs_open(doc, list.items[i].setting);
		effect_judge(campaign->plan, &list.items[i]);
	}
	comm_fraction_add(campaign, harness, list.items, list.n, doc);
	document_harness(campaign, harness, &floors, list.items, list.n, doc);
	document_drift(harness, &drift, doc);
	for (size_t i = 0; i < list.n; i++)
		*analysis_doc_add_effect(doc) = list.items[i].row;
	spread_add(campaign, harness, &floors, doc);
	floors_release(&floors);
}

int analyze_campaign(const char *directory, const struct plan *plan, struct analysis_doc **ret_doc, struct error *err)
{
	/* GSL aborts on an error by default; its routines here return codes or NaN, which are checked. */
	gsl_set_error_handler_off();

	CLEANUP(campaign_free) struct campaign *campaign = NULL;

	int r = campaign_load(directory, plan, &campaign, err);
	if (r < 0)
		return error_wrap(r, err, "cannot analyse '%s'", directory);
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();
	document_header(campaign, doc);
	document_runs(campaign, doc);
	document_networks(campaign, doc);
	loss_pairs_add(campaign, doc);
	for (size_t h = 0; h < plan->n_harnesses; h++)
		analyze_harness(campaign, &plan->harnesses[h], doc);
	inference_add(campaign, doc);
	parity_add(campaign, doc);
	throughput_add(campaign, doc);
	scaling_add(campaign, doc);
	questions_add(doc);
	traces_add(campaign, doc);
	findings_add(campaign, doc);
	*ret_doc = TAKE(doc);
	return 0;
}
