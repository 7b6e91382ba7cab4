#include "analyze/inference.h"

#include "analyze/findings.h"
#include "base/text.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum outcome { UNRESOLVED, GAIN, LOSS, FLAT };

static enum outcome outcome_of(const struct doc_effect *effect)
{
	if (string_list_has(&effect->qualifiers, "provisional") ||
	    string_list_has(&effect->qualifiers, "no_evidence_of_effect"))
		return UNRESOLVED;
	if (strncmp(effect->verdict, "win", 3) == 0)
		return GAIN;
	if (strncmp(effect->verdict, "harm", 4) == 0)
		return LOSS;
	if (text_equal(effect->verdict, "null") || text_equal(effect->verdict, "immaterial"))
		return FLAT;
	return UNRESOLVED;
}

static bool probes(const struct plan_setting *setting, const char *word)
{
	return string_list_has(&setting->probes, word);
}

static bool runs_ll128(const struct plan_setting *setting)
{
	const char *set = string_map_get(&setting->env, "NCCL_PROTO");
	const char *expected = setting->expect.proto;

	return (set && strcasecmp(set, "LL128") == 0) || (expected && strcasecmp(expected, "LL128") == 0);
}

/* LL128 that loses no more than the flags it carries. */
static bool is_within_tax(const struct plan_setting *setting, const struct doc_effect *effect)
{
	return runs_ll128(setting) && !(effect->ci95_percent.hi < INFERENCE_LL128_TAX_PERCENT);
}

/* A setting that gives up bandwidth decides; what it says is the row's word. */
static void judge_deciding(const struct plan_setting *setting, const struct doc_effect *effect,
			   struct doc_inference *row, struct doc_inference *latency)
{
	enum outcome outcome = outcome_of(effect);

	if (outcome == LOSS && is_within_tax(setting, effect))
		string_list_add(&row->within_tax, setting->name);
	else if (outcome == LOSS)
		string_list_add(&row->supported_by, setting->name);
	else if (outcome == GAIN && probes(setting, "less_latency"))
		string_list_add(&latency->supported_by, setting->name);
	else if (outcome == FLAT && !runs_ll128(setting))
		string_list_add(&row->contradicted_by, setting->name);
}

static bool probes_start(const struct plan_setting *setting)
{
	return probes(setting, "fewer_launches") || probes(setting, "fewer_hops") || probes(setting, "less_latency");
}

/* The others stand for it, against it, or are explained by it. */
static void judge_other(const struct plan_setting *setting, const struct doc_effect *effect, struct doc_inference *row,
			struct doc_inference *latency)
{
	enum outcome outcome = outcome_of(effect);

	if (setting->nature == PLAN_DEFECT)
		return; /* another network differs in all of them */
	if (probes(setting, "more_channels")) {
		if (outcome == FLAT || outcome == LOSS)
			string_list_add(&row->qualified_by, setting->name);
		return;
	}
	if (probes(setting, "more_bandwidth") || setting->payload_ratio < 1) {
		if (outcome == GAIN)
			string_list_add(&row->supported_by, setting->name);
		else if (outcome == FLAT) {
			string_list_add(&row->contradicted_by, setting->name);
			string_list_add(&latency->explains, setting->name);
		}
		return;
	}
	if (probes_start(setting) && outcome == FLAT)
		string_list_add(&row->explains, setting->name);
	else if (probes_start(setting) && outcome == GAIN)
		string_list_add(&latency->supported_by, setting->name);
}

static void move_list(struct string_list *from, struct string_list *to)
{
	string_list_release(to);
	*to = *from;
	*from = (struct string_list){0};
}

static void conclude(const char *harness, struct doc_inference *bandwidth, struct doc_inference *latency, bool deciding,
		     struct analysis_doc *doc)
{
	const char *implies = "undetermined";

	if (!deciding || bandwidth->supported_by.n + latency->supported_by.n + bandwidth->within_tax.n == 0)
		return;
	struct doc_inference *row = analysis_doc_add_inference(doc);
	bool by_bandwidth = bandwidth->supported_by.n > 0, by_latency = latency->supported_by.n > 0;
	if (by_bandwidth && by_latency)
		implies = "contradictory";
	else if (by_latency)
		implies = "latency_bound";
	else if (by_bandwidth)
		implies = bandwidth->contradicted_by.n > 0 ? "contradictory" : "bandwidth_bound";
	row->harness = mem_dup_string(harness);
	row->implies = mem_dup_string(implies);
	move_list(&bandwidth->within_tax, &row->within_tax);
	if (text_equal(implies, "latency_bound")) {
		move_list(&latency->supported_by, &row->supported_by);
		move_list(&latency->explains, &row->explains);
		return;
	}
	move_list(&bandwidth->supported_by, &row->supported_by);
	move_list(&bandwidth->contradicted_by, &row->contradicted_by);
	for (size_t i = 0; i < latency->supported_by.n; i++)
		string_list_add(&row->contradicted_by, latency->supported_by.items[i]);
	move_list(&bandwidth->explains, &row->explains);
	move_list(&bandwidth->qualified_by, &row->qualified_by);
}

static void inference_release(struct doc_inference *row)
{
	string_list_release(&row->supported_by);
	string_list_release(&row->contradicted_by);
	string_list_release(&row->explains);
	string_list_release(&row->qualified_by);
	string_list_release(&row->within_tax);
}
CLEANUP_VALUE(struct doc_inference, inference_release)

static void infer_slice(const struct plan *plan, const char *harness, struct analysis_doc *doc)
{
	CLEANUP(inference_release) struct doc_inference bandwidth = {0};
	CLEANUP(inference_release) struct doc_inference latency = {0};
	size_t said = 0;

	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		const struct plan_setting *setting = plan_setting_find(plan, effect->setting);
		if (!setting || !doc_effect_is_declared(effect) || strcmp(effect->harness, harness) != 0)
			continue;
		if (probes(setting, "less_bandwidth"))
			judge_deciding(setting, effect, &bandwidth, &latency);
		else
			judge_other(setting, effect, &bandwidth, &latency);
		said += probes(setting, "less_bandwidth") && outcome_of(effect) != UNRESOLVED;
	}
	conclude(harness, &bandwidth, &latency, said > 0, doc);
}

void inference_add(const struct campaign *campaign, struct analysis_doc *doc)
{
	for (size_t i = 0; i < campaign->plan->n_harnesses; i++)
		if (campaign->plan->harnesses[i].kind == PLAN_SLICE)
			infer_slice(campaign->plan, campaign->plan->harnesses[i].name, doc);
}

static void tell_bound(struct analysis_doc *doc, size_t index, const char *code, const char *bound)
{
	const struct doc_inference *row = &doc->inferences[index];
	CLEANUP(mem_free) char *by = string_list_join(&row->supported_by);
	CLEANUP(mem_free) char *explained = string_list_join(&row->explains);
	CLEANUP(text_release) struct text why = {0};

	if (row->explains.n > 0)
		text_format(&why, "; that explains why %s %s no difference", explained,
			    row->explains.n == 1 ? "makes" : "make");
	findings_path(findings_row(doc, code,
				   campaign_format("the payload of %s is bound by %s: so %s %s%s", row->harness, bound,
						   by, row->supported_by.n == 1 ? "says" : "say",
						   why.length > 0 ? text_string(&why) : "")),
		      "inference", index);
}

static void tell_channels(struct analysis_doc *doc, size_t index)
{
	const struct doc_inference *row = &doc->inferences[index];

	if (row->qualified_by.n == 0)
		return;
	CLEANUP(mem_free) char *names = string_list_join(&row->qualified_by);
	findings_path(
		findings_row(doc, "bandwidth_bound_qualified",
			     campaign_format("with a reservation: more channels (%s) do not help on %s, so the bound "
					     "is not the number of channels",
					     names, row->harness)),
		"inference", index);
}

static void tell_row(struct analysis_doc *doc, size_t index)
{
	const struct doc_inference *row = &doc->inferences[index];
	CLEANUP(mem_free) char *by = string_list_join(&row->supported_by);
	CLEANUP(mem_free) char *against = string_list_join(&row->contradicted_by);

	if (text_equal(row->implies, "latency_bound"))
		tell_bound(doc, index, "latency_bound", "latency");
	if (text_equal(row->implies, "contradictory"))
		findings_path(
			findings_row(doc, "inference_contradictory",
				     campaign_format("what bounds the payload of %s is open: %s %s bandwidth, %s %s "
						     "against it",
						     row->harness, by, row->supported_by.n == 1 ? "says" : "say",
						     against, row->contradicted_by.n == 1 ? "speaks" : "speak")),
			"inference", index);
	if (!text_equal(row->implies, "bandwidth_bound"))
		return;
	tell_bound(doc, index, "bandwidth_bound", "bandwidth");
	tell_channels(doc, index);
}

void inference_tell(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_inferences; i++) {
		const struct doc_inference *row = &doc->inferences[i];
		tell_row(doc, i);
		if (row->within_tax.n == 0)
			continue;
		CLEANUP(mem_free) char *names = string_list_join(&row->within_tax);
		findings_path(findings_row(doc, "within_protocol_tax",
					   campaign_format("the loss of %s on %s is not beyond the %.2f %% that LL128 "
							   "itself can take: it says nothing of the payload",
							   names, row->harness, -INFERENCE_LL128_TAX_PERCENT)),
			      "inference", i);
	}
}
