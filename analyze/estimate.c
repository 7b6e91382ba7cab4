#include "analyze/effect.h"

#include "analyze/stats/interval.h"
#include "analyze/stats/summary.h"
#include "analyze/stats/two_sample.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A spread of pairs below this is the print's resolution, not a spread. */
#define ESTIMATE_SD_NONE 1e-12

static void set_gain(struct effect *effect, double log_gain)
{
	effect->row.log_gain = log_gain;
	effect->row.gain_percent = interval_percent_of_log(log_gain);
}

static void set_intervals(struct effect *effect, const struct two_sample_t *t95, const struct two_sample_t *t90)
{
	struct doc_effect *row = &effect->row;

	effect->lo95 = t95->lo;
	effect->hi95 = t95->hi;
	effect->lo90 = t90->lo;
	effect->hi90 = t90->hi;
	row->ci95_percent = (struct doc_interval){interval_percent_of_log(t95->lo), interval_percent_of_log(t95->hi)};
	row->ci90_percent = (struct doc_interval){interval_percent_of_log(t90->lo), interval_percent_of_log(t90->hi)};
	row->df = t95->df;
	row->p = t95->p;
	effect->verdict_case = VERDICT_MEASURED;
}

static bool set_from_se(struct effect *effect, double se, double df)
{
	struct two_sample_t t95, t90;

	if (two_sample_from_se(effect->row.log_gain, se, df, 0.95, &t95, NULL) < 0 ||
	    two_sample_from_se(effect->row.log_gain, se, df, 0.90, &t90, NULL) < 0)
		return false;
	set_intervals(effect, &t95, &t90);
	return true;
}

static void set_floor(struct effect *effect, const char *kind, double sd_log, double df, double half_width)
{
	struct doc_floor *floor = &effect->row.floor;

	free(floor->percent_reason);
	floor->percent_reason = NULL;
	floor->kind = mem_dup_string(kind);
	floor->sd_log = sd_log;
	floor->df = df;
	floor->percent = interval_percent_of_log(half_width);
	floor->blocks = effect->row.blocks;
	floor->runs = effect->row.runs;
}

static void no_floor(struct effect *effect, const char *reason)
{
	effect->row.floor.percent_reason = mem_dup_string(reason);
}

static void estimate_paired(const struct effect_pairs *pairs, struct effect *effect)
{
	CLEANUP(mem_free) double *d = mem_new(pairs->n + 1, sizeof(*d));
	size_t n = 0;
	double mean, sd;

	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *pair = &pairs->items[i];
		if (pair_usable(pair))
			d[n++] = pair->control.mean_y - pair->treatment.mean_y;
	}
	effect->row.design = mem_dup_string("paired");
	if (summary_mean_sd(d, n, &mean, &sd, NULL) < 0)
		return;
	set_gain(effect, mean);
	effect->verdict_case = VERDICT_BARE;
	if (!(sd >= ESTIMATE_SD_NONE)) {
		const char *why = "the pairs do not differ: the print hides the spread";
		string_list_add(&effect->row.reasons, why);
		no_floor(effect, why);
		return;
	}
	effect->paired_sd = sd;
	double df = (double)n - 1, se = sd / sqrt((double)n);
	set_from_se(effect, se, df);
	if (n >= 3)
		set_floor(effect, "paired", sd, df, interval_t_quantile(0.975, df) * se);
	else
		no_floor(effect, "a paired floor needs three blocks");
}

static void estimate_one_block(const struct pair *pair, const struct floors *floors, struct effect *effect)
{
	const struct arm *c = &pair->control, *t = &pair->treatment;
	struct two_sample_t t95, t90;

	effect->row.design = mem_dup_string("one_block");
	set_gain(effect, c->mean_y - t->mean_y);
	effect->verdict_case = VERDICT_BARE;
	if (two_sample_welch(c->y, c->n_y, t->y, t->n_y, 0.95, &t95, NULL) == 0 &&
	    two_sample_welch(c->y, c->n_y, t->y, t->n_y, 0.90, &t90, NULL) == 0)
		set_intervals(effect, &t95, &t90);
	else
		string_list_add(&effect->row.reasons, "the runs do not differ: the print hides the spread");
	string_list_add(&effect->row.reasons, "one block: it speaks for that allocation only");
	if (c->n_y == t->n_y && isfinite(floors->within.percent))
		set_floor(effect, "within_block", floors->within.s_r, floors->within.df,
			  interval_t_quantile(0.975, floors->within.df) * floors->within.s_r *
				  sqrt(2 / (double)c->n_y));
	else
		no_floor(effect, "no floor is defined for arms of different size");
}

static void estimate_single(const struct pair *pair, const struct floors *floors, struct effect *effect)
{
	const struct floor_within *within = &floors->within;

	effect->row.design = mem_dup_string("single_pair");
	set_gain(effect, pair->control.mean_y - pair->treatment.mean_y);
	effect->verdict_case = VERDICT_BARE;
	double se = within->s_r * sqrt(1 / (double)pair->control.n_y + 1 / (double)pair->treatment.n_y);
	if (isfinite(within->percent) && within->s_r >= ESTIMATE_SD_NONE && set_from_se(effect, se, within->df)) {
		set_floor(effect, "within_block", within->s_r, within->df, interval_t_quantile(0.975, within->df) * se);
		return;
	}
	const char *why =
		isfinite(floors->cross.percent)
			? "one block, one run an arm, and the harness has no within-block floor: other floors "
			  "are not lent to a single pair"
			: "one block, one run an arm, and the harness has no floor of its own: unfloored";
	string_list_add(&effect->row.reasons, why);
	no_floor(effect, within->reason ? within->reason : "the runs of a block do not differ");
}

/* Standard error and df of control minus treatment across jobs. Source: STATISTICS.md, Rulings */
static void cross_error(const struct floor_cross *cross, double b_t, double n_t, double *ret_se, double *ret_df)
{
	double b_c = (double)cross->blocks, n_c = (double)cross->runs;
	double k_blocks = 1 / b_c + 1 / b_t, k_runs = 1 / n_c + 1 / n_t;

	if (!isfinite(cross->s_r)) {
		*ret_se = cross->s_R * sqrt(k_blocks);
		*ret_df = b_c - 1;
		return;
	}
	*ret_se = sqrt(cross->s_L * cross->s_L * k_blocks + cross->s_r * cross->s_r * k_runs);
	double between = cross->ms_between * k_blocks / cross->n0;
	double within = cross->ms_within * (k_runs - k_blocks / cross->n0);
	double variance = between + within;
	*ret_df = variance * variance / (between * between / (b_c - 1) + within * within / (n_c - b_c));
}

static bool estimate_cross(const struct effect_pairs *pairs, const struct floors *floors, struct effect *effect)
{
	const struct floor_cross *cross = &floors->cross;
	double sum = 0, first = NAN, se, df;
	size_t blocks = 0, runs = 0;
	bool unverified = false;

	for (size_t i = 0; i < pairs->n; i++) {
		const struct arm *arm = &pairs->items[i].treatment;
		if (pairs->items[i].control.n_y > 0)
			unverified = unverified || pairs->items[i].control.unverified;
		if (arm->n_y == 0 || arm->contradictor)
			continue;
		first = blocks == 0 ? arm->mean_y : first;
		sum += arm->mean_y - first;
		blocks++;
		runs += arm->n_y;
		unverified = unverified || arm->unverified;
	}
	if (blocks == 0 || !isfinite(cross->percent) || effect->role != EFFECT_FAMILY)
		return false;
	effect->unverified = unverified;
	effect->row.design = mem_dup_string("cross_job");
	effect->row.blocks = (int64_t)blocks;
	effect->row.runs = (int64_t)runs + cross->runs;
	set_gain(effect, cross->mean_of_blocks - (first + sum / (double)blocks));
	effect->verdict_case = VERDICT_BARE;
	string_list_add(&effect->row.reasons, "no block holds both arms: compared across jobs");
	cross_error(cross, (double)blocks, (double)runs, &se, &df);
	if (se >= ESTIMATE_SD_NONE && set_from_se(effect, se, df))
		set_floor(effect, "cross_job", cross->s_R, df, interval_t_quantile(0.975, df) * se);
	else
		no_floor(effect, "the controls do not differ: the print hides the spread");
	return true;
}

static char *lost_reason(const struct campaign_run *run)
{
	const char *status = run_status_name(run->record->status);

	return run->record->reason ? campaign_format("%s: %s", status, run->record->reason) : mem_dup_string(status);
}

static void explain_no_number(const struct effect_pairs *pairs, const struct floors *floors, struct effect *effect)
{
	bool ran = false, alone = false;

	for (size_t i = 0; i < pairs->n; i++) {
		const struct arm *t = &pairs->items[i].treatment;
		ran = ran || t->n > 0;
		for (size_t j = 0; j < t->n; j++) {
			if (isfinite(t->runs[j]->response.y))
				continue;
			CLEANUP(mem_free)
			char *lost = t->runs[j]->record->status != RUN_OK
					     ? lost_reason(t->runs[j])
					     : mem_dup_string(t->runs[j]->response.y_reason);
			string_list_add_once(&effect->row.reasons, lost);
		}
	}
	for (size_t i = 0; i < pairs->n; i++) {
		const struct arm *c = &pairs->items[i].control;
		if (pairs->items[i].treatment.n == 0 || c->n_y > 0)
			continue;
		CLEANUP(mem_free) char *lost = c->lost ? lost_reason(c->lost) : NULL;
		CLEANUP(mem_free)
		char *why = lost ? campaign_format("no control in its job (control %s)", lost)
				 : mem_dup_string("no control in its job");
		string_list_add_once(&effect->row.reasons, why);
		alone = alone || (pairs->items[i].treatment.n_y > 0 && !lost);
	}
	if (!ran)
		string_list_add(&effect->row.reasons, "never run");
	if (alone && floors->cross.reason) {
		CLEANUP(mem_free) char *why = campaign_format("no cross-job floor: %s", floors->cross.reason);
		string_list_add_once(&effect->row.reasons, why);
	}
}

void effect_estimate(const struct campaign *campaign, const struct effect_request *request, const struct floors *floors,
		     const struct effect_pairs *pairs, struct effect *effect)
{
	const struct pair *only = NULL;

	(void)campaign;
	(void)request;
	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *pair = &pairs->items[i];
		if (!pair_usable(pair))
			continue;
		only = pair;
		effect->row.blocks++;
		effect->row.runs += (int64_t)(pair->control.n_y + pair->treatment.n_y);
		doc_effect_add_gain(&effect->row, pair->block, pair->control.mean_y - pair->treatment.mean_y);
	}
	if (effect->row.blocks >= 2)
		estimate_paired(pairs, effect);
	else if (only && only->control.n_y >= 2 && only->treatment.n_y >= 2)
		estimate_one_block(only, floors, effect);
	else if (only)
		estimate_single(only, floors, effect);
	else if (effect->voided_complete) {
		effect->verdict_case = VERDICT_VOID;
		for (size_t i = 0; i < pairs->n; i++)
			if (pairs->items[i].void_reason)
				string_list_add_once(&effect->row.reasons, pairs->items[i].void_reason);
		no_floor(effect, "no usable pair");
	} else if (!estimate_cross(pairs, floors, effect)) {
		explain_no_number(pairs, floors, effect);
		no_floor(effect, "no usable pair");
	}
}
