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

/* By the interval, so that noise about 0 or 1 violates nothing; by the number where there is no interval. */
static bool outside_model(const struct doc_fraction *row)
{
	if (isfinite(row->f_ci95.lo))
		return row->f_ci95.lo > 1 || row->f_ci95.hi < 0;
	return row->f < 0 || row->f > 1;
}

static char *why_open(const struct effect *effect, const struct doc_fraction *row)
{
	if (!isfinite(row->f_ci95.lo))
		return campaign_format("%sno interval: %s",
				       row->model_violated ? "model violated: f lies outside 0 to 1, with " : "",
				       effect->row.reasons.n > 0 ? effect->row.reasons.items[0] : "none was estimated");
	if (row->model_violated)
		return campaign_format("model violated: f = %.4g [%.4g, %.4g] lies outside 0 to 1", row->f,
				       row->f_ci95.lo, row->f_ci95.hi);
	if (row->f_ci95.lo <= 0 && row->f_ci95.hi >= 0)
		return mem_dup_string("not resolved: the interval of f holds 0");
	return row->f > 1 ? mem_dup_string("not resolved: f lies above 1 and its interval holds 1") : NULL;
}

static void judge(const struct effect *effect, struct doc_fraction *row)
{
	row->model_violated = outside_model(row);
	if (row->f >= 0 && row->f <= 1) {
		row->exposed = (struct doc_interval){row->recovered, row->f};
		row->total_at_least = row->f;
		row->ceiling_percent = ceiling_percent(row->f);
		if (isfinite(row->f_ci95.lo))
			row->ceiling_ci95_percent =
				(struct doc_interval){ceiling_percent(row->f_ci95.lo), ceiling_percent(row->f_ci95.hi)};
	}
	row->reason = why_open(effect, row);
	row->resolved = !row->reason;
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
	fill_interval(effect, row);
	judge(effect, row);
}

/* Less time at fewer bytes, and no more of it a byte than at the milder ratio: what a line and a hinge share. NULL when
 * the intervals of both settings allow that. */
static const char *contradiction(const struct doc_fraction *a, const struct doc_fraction *b)
{
	const struct doc_fraction *mild = a->payload_ratio >= b->payload_ratio ? a : b;
	const struct doc_fraction *strong = mild == a ? b : a;
	bool rises = mild->recovered_ci95.lo > strong->recovered_ci95.hi;
	bool steepens = strong->f_ci95.lo > mild->f_ci95.hi;

	if (a->model_violated || b->model_violated || (!rises && !steepens))
		return NULL;
	if (a->payload_ratio == b->payload_ratio)
		return "the same bytes take another time";
	return rises ? "time rises as bytes fall" : "time falls faster than the bytes";
}

/* Brackets that exclude each other: neither is held up as an answer. */
static void unresolve(struct doc_fraction *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n && rows[i].resolved; j++) {
			const char *why = strcmp(rows[i].control, rows[j].control) == 0
						  ? contradiction(&rows[i], &rows[j])
						  : NULL;
			if (!why)
				continue;
			rows[i].resolved = false;
			rows[i].reason =
				campaign_format("the ratios contradict one model: against %s %s", rows[j].setting, why);
		}
}

/* The settings of one control that a fit can use. */
struct fit_input {
	const struct effect **effects;
	const struct doc_fraction **rows;
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

/* Why one line, bent or not, cannot stand for every ratio; NULL when it can. */
static char *lack_of_fit(const struct fit_input *input, const struct payload_blocks *fit)
{
	if (fit->tail_hi < 0)
		return campaign_format("the ratios contradict one model: time rises as bytes fall at the strongest "
				       "ratio, slope %.3g [%.3g, %.3g] of a step",
				       fit->tail, fit->tail_lo, fit->tail_hi);
	for (size_t i = 0; i < input->n; i++)
		for (size_t j = i + 1; j < input->n; j++) {
			const char *why = contradiction(input->rows[i], input->rows[j]);
			if (why)
				return campaign_format("the ratios contradict one model: between %s and %s %s",
						       input->rows[i]->setting, input->rows[j]->setting, why);
		}
	if (fit->hinge < 0 && fit->hinge_p < 0.05)
		return campaign_format("lack of fit: time falls faster than the bytes, hinge difference %.3g "
				       "[%.3g, %.3g], p = %.2g",
				       fit->hinge, fit->hinge_lo, fit->hinge_hi, fit->hinge_p);
	return NULL;
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
	row->reason = lack_of_fit(input, &fit);
	row->model_violated = row->reason != NULL;
	row->hinge_found = !row->model_violated && fit.hinge_p < 0.05 && fit.hinge > 0;
}

static bool can_fit(const struct effect *effect, const struct doc_fraction *row)
{
	return effect->row.n_log_gains > 0 && isfinite(row->f) && !row->model_violated;
}

/* effects and rows run side by side, a setting with a payload ratio each. */
static void add_fit(const struct effect *const *effects, const struct doc_fraction *rows, size_t n, const char *control,
		    struct analysis_doc *doc)
{
	struct fit_input input = {
		.effects = mem_new(n + 1, sizeof(*input.effects)),
		.rows = mem_new(n + 1, sizeof(*input.rows)),
		.ratios = mem_new(n + 1, sizeof(*input.ratios)),
	};
	struct string_list left_out = {0};
	bool several = false;

	for (size_t i = 0; i < n; i++) {
		double ratio = rows[i].payload_ratio;
		if (strcmp(rows[i].control, control) != 0)
			continue;
		if (!can_fit(effects[i], &rows[i])) {
			string_list_add(&left_out, rows[i].setting);
			continue;
		}
		several = several || (input.n > 0 && ratio != input.ratios[0]);
		input.effects[input.n] = effects[i];
		input.rows[input.n] = &rows[i];
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
	free(input.rows);
	free(input.ratios);
}

void comm_fraction_add(const struct campaign *campaign, const struct plan_harness *harness,
		       const struct effect *effects, size_t n_effects, struct analysis_doc *doc)
{
	CLEANUP(mem_free) const struct effect **used = mem_new(n_effects + 1, sizeof(*used));
	size_t first = doc->n_fractions, n = 0;

	if (harness->kind != PLAN_SLICE)
		return;
	for (size_t i = 0; i < n_effects; i++) {
		double ratio = payload_ratio_of(campaign->plan, &effects[i]);
		if (!changes_payload(ratio))
			continue;
		used[n++] = &effects[i];
		add_row(&effects[i], ratio, doc);
	}
	if (n == 0)
		return;
	struct doc_fraction *rows = &doc->fractions[first];
	unresolve(rows, n);
	for (size_t i = 0; i < n; i++) {
		bool seen = false;
		for (size_t j = 0; j < i && !seen; j++)
			seen = strcmp(rows[j].control, rows[i].control) == 0;
		if (!seen)
			add_fit(used, rows, n, rows[i].control, doc);
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
	bool excluded = row->model_violated && isfinite(row->f_ci95.lo);
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
	/* More blocks settle an interval about 0; they do not mend a model. */
	ask(row,
	    excluded || row->f_ci95.lo > 0 ? "the compute of both arms timed alone"
					   : "the blocks that settle its effect",
	    doc);
}

static void tell_fit(const struct doc_fraction_fit *fit, size_t index, struct analysis_doc *doc)
{
	if (fit->model_violated)
		findings_path(
			findings_row(doc, "payload_model_violated",
				     campaign_format("on %s the joint f of all ratios, %.1f %%, stands for none of "
						     "them: %s",
						     fit->harness, 100 * fit->f, fit->reason)),
			"communication_fraction_multi", index);
	else if (fit->hinge_found)
		findings_path(findings_row(doc, "payload_hinge",
					   campaign_format("on %s the saving stops short at the strongest ratio "
							   "(p = %.2g): the rest of the communication hides "
							   "behind compute",
							   fit->harness, fit->hinge_p)),
			      "communication_fraction_multi", index);
}

void comm_fraction_tell(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_fractions; i++)
		tell_row(&doc->fractions[i], i, doc);
	for (size_t i = 0; i < doc->n_fraction_fits; i++)
		tell_fit(&doc->fraction_fits[i], i, doc);
}
