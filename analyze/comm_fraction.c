#include "analyze/comm_fraction.h"

#include "analyze/findings.h"
#include "analyze/stats/interval.h"
#include "analyze/stats/payload.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The setting's bytes by those of its control; NAN when the setting declares none. */
static double payload_ratio_of(const struct plan *plan, const struct effect *effect)
{
	const char *control_name = plan_control_of(plan, effect->setting);
	const struct plan_setting *control = control_name ? plan_setting_find(plan, control_name) : NULL;
	double own = effect->setting->payload_ratio;

	if (effect->role != EFFECT_FAMILY || !isfinite(own))
		return (double)NAN;
	return control && isfinite(control->payload_ratio) ? own / control->payload_ratio : own;
}

static bool changes_payload(double ratio)
{
	return isfinite(ratio) && fabs(ratio - 1) > 1e-12;
}

static void add_assumptions(struct string_list *list)
{
	static const char *const sentences[] = {
		"communication time is linear in bytes",
		"compute takes as long with either payload: the cost of the conversion counts as communication left",
		"every byte that the step sends is scaled alike",
		"ring latency is not subtracted: f is the payload's share and the latency comes on top",
	};

	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++)
		string_list_add(list, sentences[i]);
}

static void fill_interval(const struct effect *effect, struct doc_fraction *row)
{
	struct payload_interval solved;
	double df = effect->row.df, r = row->payload_ratio;

	if (!isfinite(effect->lo95) || !isfinite(effect->hi95) || !(df > 0))
		return;
	double se = (effect->hi95 - effect->lo95) / 2 / interval_t_multiplier(0.95, df);
	if (payload_from_log_ratio(-effect->row.log_gain, se, df, r, 0.95, &solved, NULL) < 0)
		return;
	row->f_ci95 = (struct doc_interval){solved.lo, solved.hi};
	row->f_ci95_delta = (struct doc_interval){solved.lo_delta, solved.hi_delta};
	row->recovered_ci95 = (struct doc_interval){(1 - r) * solved.lo, (1 - r) * solved.hi};
	row->df = df;
}

static double ceiling_percent(double f)
{
	return f < 1 ? 100 * f / (1 - f) : (double)NAN;
}

static void judge(const struct effect *effect, struct doc_fraction *row)
{
	bool has_interval = isfinite(row->f_ci95.lo);

	if (!row->model_violated) {
		row->exposed = (struct doc_interval){row->recovered, row->f};
		row->total_at_least = row->f;
		row->ceiling_percent = ceiling_percent(row->f);
		if (has_interval)
			row->ceiling_ci95_percent =
				(struct doc_interval){ceiling_percent(row->f_ci95.lo), ceiling_percent(row->f_ci95.hi)};
	}
	bool excludes_zero = has_interval && (row->f_ci95.lo > 0 || row->f_ci95.hi < 0);
	if (!has_interval)
		row->reason =
			campaign_format("no interval: %s", effect->row.reasons.n > 0 ? effect->row.reasons.items[0]
										     : "none was estimated");
	else if (!excludes_zero)
		row->reason = mem_dup_string("not resolved: the interval of f holds 0");
	else if (row->model_violated)
		row->reason = campaign_format("model violated: f = %.3g lies outside 0 to 1", row->f);
	row->resolved = excludes_zero && !row->model_violated;
}

static void add_row(const struct effect *effect, double ratio, struct analysis_doc *doc)
{
	struct doc_fraction *row = analysis_doc_add_fraction(doc);
	struct payload point;

	row->harness = mem_dup_string(effect->row.harness);
	row->setting = mem_dup_string(effect->row.setting);
	row->control = mem_dup_string(effect->row.control);
	row->payload_ratio = ratio;
	row->blocks = effect->row.blocks;
	add_assumptions(&row->assumptions);
	bool is_void = strcmp(effect->row.verdict, "void") == 0;
	if (is_void || !isfinite(effect->row.log_gain))
		row->f_reason = campaign_format("the effect %s: %s", is_void ? "is void" : "has no number",
						effect->row.reasons.n > 0 ? effect->row.reasons.items[0] : "no pair");
	else if (ratio > 1)
		row->f_reason =
			mem_dup_string("the setting sends more bytes than its control: the formula needs fewer");
	else if (payload_point(expm1(effect->row.log_gain), ratio, &point, NULL) < 0)
		row->f_reason = mem_dup_string("the formula has no solution for this gain and ratio");
	if (row->f_reason) {
		row->reason = mem_dup_string(row->f_reason);
		return;
	}
	row->f = point.f_ratio;
	row->recovered = point.recovered_ratio;
	row->model_violated = !point.in_range;
	fill_interval(effect, row);
	judge(effect, row);
}

/* The settings of one control that a fit can use. */
struct fit_input {
	const struct effect **effects;
	double *ratios;
	size_t n;
};

static double gain_in(const struct effect *effect, const char *block)
{
	for (size_t i = 0; i < effect->row.n_log_gains; i++)
		if (strcmp(effect->row.log_gains[i].block, block) == 0)
			return effect->row.log_gains[i].log_gain;
	return (double)NAN;
}

/* Rows of the blocks that hold every setting; returns how many. */
static size_t complete_blocks(const struct fit_input *input, double *ret_time_ratio)
{
	const struct doc_effect *first = &input->effects[0]->row;
	size_t blocks = 0;

	for (size_t b = 0; b < first->n_log_gains; b++) {
		bool complete = true;
		for (size_t j = 0; j < input->n; j++) {
			double gain = gain_in(input->effects[j], first->log_gains[b].block);
			complete = complete && isfinite(gain);
			ret_time_ratio[blocks * input->n + j] = exp(-gain);
		}
		blocks += complete;
	}
	return blocks;
}

static void solve(const struct fit_input *input, struct doc_fraction_fit *row)
{
	size_t room = input->effects[0]->row.n_log_gains + 1;
	CLEANUP(mem_free) double *time_ratio = mem_new(room * input->n, sizeof(*time_ratio));
	size_t blocks = complete_blocks(input, time_ratio);
	struct payload_blocks fit;

	row->blocks = (int64_t)blocks;
	if (blocks == 0 || payload_from_blocks(input->ratios, time_ratio, blocks, input->n, 0.95, &fit, NULL) < 0) {
		row->f_reason = mem_dup_string("no block holds the control and every ratio");
		return;
	}
	row->f = fit.f_ratio;
	row->equal_weights = fit.equal_weights;
	row->hinge_difference = fit.hinge;
	if (isfinite(fit.lo)) {
		row->f_ci95 = (struct doc_interval){fit.lo, fit.hi};
		row->df = fit.df;
	}
	row->hinge_ci95 = (struct doc_interval){fit.hinge_lo, fit.hinge_hi};
	row->hinge_p = fit.hinge_p;
	row->hinge_found = fit.hinge_p < 0.05 && fit.hinge > 0;
}

static void add_fit(const struct plan *plan, const struct effect *effects, size_t n_effects, const char *control,
		    struct analysis_doc *doc)
{
	struct fit_input input = {
		.effects = mem_new(n_effects + 1, sizeof(*input.effects)),
		.ratios = mem_new(n_effects + 1, sizeof(*input.ratios)),
	};
	struct string_list left_out = {0};
	bool several = false;

	for (size_t i = 0; i < n_effects; i++) {
		double ratio = payload_ratio_of(plan, &effects[i]);
		struct payload point;
		if (!changes_payload(ratio) || strcmp(effects[i].row.control, control) != 0)
			continue;
		if (strcmp(effects[i].row.verdict, "void") == 0 || effects[i].row.n_log_gains == 0 ||
		    payload_point(expm1(effects[i].row.log_gain), ratio, &point, NULL) < 0 || !point.in_range) {
			string_list_add(&left_out, effects[i].row.setting);
			continue;
		}
		several = several || (input.n > 0 && ratio != input.ratios[0]);
		input.effects[input.n] = &effects[i];
		input.ratios[input.n++] = ratio;
	}
	if (several) {
		struct doc_fraction_fit *row = analysis_doc_add_fraction_fit(doc);
		row->harness = mem_dup_string(input.effects[0]->row.harness);
		row->control = mem_dup_string(control);
		doc_fraction_fit_add_ratio(row, control, 1);
		for (size_t j = 0; j < input.n; j++)
			doc_fraction_fit_add_ratio(row, input.effects[j]->row.setting, input.ratios[j]);
		row->left_out = left_out;
		left_out = (struct string_list){0};
		add_assumptions(&row->assumptions);
		string_list_add(&row->assumptions, "the line is held at the control, to which each block's times are "
						   "relative; the interval is over blocks");
		solve(&input, row);
	}
	string_list_release(&left_out);
	free(input.effects);
	free(input.ratios);
}

void comm_fraction_add(const struct campaign *campaign, const struct plan_harness *harness,
		       const struct effect *effects, size_t n_effects, struct analysis_doc *doc)
{
	const struct plan *plan = campaign->plan;

	if (harness->kind != PLAN_SLICE)
		return;
	for (size_t i = 0; i < n_effects; i++) {
		double ratio = payload_ratio_of(plan, &effects[i]);
		if (!changes_payload(ratio))
			continue;
		add_row(&effects[i], ratio, doc);
		bool seen = false;
		for (size_t j = 0; j < i && !seen; j++)
			seen = changes_payload(payload_ratio_of(plan, &effects[j])) &&
			       strcmp(effects[j].row.control, effects[i].row.control) == 0;
		if (!seen)
			add_fit(plan, effects, n_effects, effects[i].row.control, doc);
	}
}

static void ask(const struct doc_fraction *row, const char *settles, struct analysis_doc *doc)
{
	struct doc_question *question = analysis_doc_add_question(doc);

	question->code = mem_dup_string("communication_fraction");
	question->subject = campaign_format("%s/%s", row->harness, row->setting);
	question->text =
		campaign_format("communication fraction of %s from %s: %s", row->harness, row->setting, row->reason);
	question->settles = mem_dup_string(settles);
}

static void tell_row(const struct doc_fraction *row, size_t index, struct analysis_doc *doc)
{
	if (row->resolved) {
		findings_path(
			findings_row(doc, "communication_fraction",
				     campaign_format("%s on %s at %g of the payload: %.1f %% of the step recovered, so "
						     "the exposed communication lies between that and f = %.1f %% "
						     "[%.1f, %.1f], and all of it is at least f; a perfect network "
						     "gains at most %.1f %%",
						     row->setting, row->harness, row->payload_ratio,
						     100 * row->recovered, 100 * row->f, 100 * row->f_ci95.lo,
						     100 * row->f_ci95.hi, row->ceiling_percent)),
			"communication_fraction", index);
		return;
	}
	bool excluded = row->model_violated && (row->f_ci95.lo > 1 || row->f_ci95.hi < 0);
	if (excluded)
		findings_path(findings_row(doc, "payload_model_violated",
					   campaign_format("%s on %s does not fit the payload model: f = %.1f %% "
							   "[%.1f, %.1f] of a step; more changed than the bytes",
							   row->setting, row->harness, 100 * row->f,
							   100 * row->f_ci95.lo, 100 * row->f_ci95.hi)),
			      "communication_fraction", index);
	/* An effect without a number, or without an interval, is asked about as an effect. */
	if (!isfinite(row->f_ci95.lo))
		return;
	ask(row, excluded ? "the compute of both arms timed alone" : "the blocks that settle its effect", doc);
}

void comm_fraction_tell(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_fractions; i++)
		tell_row(&doc->fractions[i], i, doc);
	for (size_t i = 0; i < doc->n_fraction_fits; i++) {
		const struct doc_fraction_fit *fit = &doc->fraction_fits[i];
		if (fit->hinge_found)
			findings_path(
				findings_row(doc, "payload_hinge",
					     campaign_format("on %s the saving stops short at the strongest ratio "
							     "(p = %.2g): the rest of the communication hides "
							     "behind compute",
							     fit->harness, fit->hinge_p)),
				"communication_fraction_multi", i);
	}
}
