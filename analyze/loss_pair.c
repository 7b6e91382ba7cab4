#include "analyze/loss_pair.h"

#include "analyze/effect.h"
#include "analyze/stats/summary.h"
#include "analyze/stats/two_sample.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A spread of blocks below this, in percent, is the print's resolution. */
#define LOSS_PAIR_SD_NONE 1e-10
/* Learning rates further apart than this, relative, are two schedules; below it lies the print. */
#define LOSS_PAIR_RATE_RATIO 1e-6

struct reading {
	const struct plan_loss_pair *pair;
	const struct plan_harness *harness;
	const struct plan_setting *setting;
	double *differences_percent;
	double control_sum, treatment_sum;
	size_t n, voided, diverged; /* blocks */
	int64_t steps, last_step;
	char *void_reason, *diverged_reason, *reason; /* the first of each */
};

static void keep_first(char **slot, char *text)
{
	if (*slot)
		free(text);
	else
		*slot = text;
}

/* Why a run has not trained, or NULL; "" when nothing tells. */
static char *untrained(const struct reading *reading, const struct loss_series *loss)
{
	int64_t warmup = reading->harness->production_warmup_steps;

	if (reading->harness->peak_lr > 0 && isfinite(loss->max_lr)) {
		double share = loss->max_lr / reading->harness->peak_lr;
		return share > LOSS_PAIR_TRAINED_RATIO
			       ? NULL
			       : campaign_format("the learning rate reached %.2g %% of its peak", 100 * share);
	}
	if (warmup > 0) {
		double last = loss->steps[loss->n - 1];
		return last > LOSS_PAIR_TRAINED_RATIO * (double)warmup
			       ? NULL
			       : campaign_format("the last step, %.0f, lies in the first tenth of a warm-up of %" PRId64
						 " steps",
						 last, warmup);
	}
	/* The largest rate of a run on its ramp is no peak. */
	return loss_series_settled(loss) ? NULL : mem_dup_string("");
}

static bool has_loss(const struct arm *arm)
{
	for (size_t i = 0; i < arm->n; i++)
		if (arm->runs[i]->loss.n > 0)
			return true;
	return false;
}

static bool is_numbered(const struct arm *arm)
{
	for (size_t i = 0; i < arm->n; i++)
		if (arm->runs[i]->loss.n > 0 && !arm->runs[i]->loss.numbered)
			return false;
	return true;
}

static bool has_diverged(const struct arm *arm)
{
	for (size_t i = 0; i < arm->n; i++)
		if (arm->runs[i]->loss.diverged)
			return true;
	return false;
}

/* What one arm logs at a step, meaned over its runs. */
struct arm_step {
	double loss; /* NAN where a run printed none */
	double rate; /* NAN where no run logs it */
};

static bool finds_step(const struct arm *arm, double step, struct arm_step *ret)
{
	double losses = 0, rates = 0;
	size_t n = 0, n_rates = 0;

	for (size_t i = 0; i < arm->n; i++) {
		const struct loss_series *loss = &arm->runs[i]->loss;
		int64_t row = loss->n > 0 ? loss_series_row(loss, step) : -1;
		if (loss->n > 0 && row < 0)
			return false;
		if (row < 0)
			continue;
		losses += loss->values[row];
		n++;
		if (isfinite(loss->rates[row])) {
			rates += loss->rates[row];
			n_rates++;
		}
	}
	ret->loss = losses / (double)n;
	ret->rate = rates / (double)n_rates;
	return n > 0;
}

struct window {
	double control, treatment; /* mean loss */
	int64_t shared;            /* steps that every run logs, down to the last one compared */
	int64_t steps, last_step;  /* those that hold a loss in every run */
	bool equal;                /* at every step, to the printed precision */
	double unequal_step;       /* the last step whose learning rates differ, or NAN */
	double control_rate, treatment_rate;
};

/* The last common steps of all runs of both arms. */
static struct window last_common(const struct arm *control, const struct arm *treatment, int64_t wanted)
{
	struct window window = {.last_step = RECORD_UNSET, .equal = true, .unequal_step = (double)NAN};
	const struct loss_series *guide = NULL;

	for (size_t i = 0; i < control->n && !guide; i++)
		guide = control->runs[i]->loss.n > 0 ? &control->runs[i]->loss : NULL;
	bool diverged = has_diverged(control) || has_diverged(treatment);
	for (size_t row = guide ? guide->n : 0; row-- > 0 && window.steps < wanted;) {
		struct arm_step c, t;
		if (diverged && window.shared >= wanted)
			break; /* the losses are not averaged: only the rates count */
		if (!finds_step(control, guide->steps[row], &c) || !finds_step(treatment, guide->steps[row], &t))
			continue;
		window.shared++;
		if (isnan(window.unequal_step) &&
		    fabs(c.rate - t.rate) > LOSS_PAIR_RATE_RATIO * fmax(fabs(c.rate), fabs(t.rate))) {
			window.unequal_step = guide->steps[row];
			window.control_rate = c.rate;
			window.treatment_rate = t.rate;
		}
		if (!isfinite(c.loss) || !isfinite(t.loss))
			continue;
		if (window.steps++ == 0)
			window.last_step = (int64_t)guide->steps[row];
		window.control += c.loss;
		window.treatment += t.loss;
		window.equal = window.equal && c.loss == t.loss;
	}
	window.equal = window.equal && window.steps > 0 && !diverged;
	window.control /= (double)window.steps;
	window.treatment /= (double)window.steps;
	return window;
}

/* Why a block's two arms are no matched pair, or NULL. */
static char *unmatched(const struct pair *pair)
{
	for (size_t i = 0; i < pair->confounds->n; i++) {
		const struct factor_difference *item = &pair->confounds->items[i];
		if (item->voids)
			return campaign_format("block %s: %s %s against %s: the runs are not matched", pair->block,
					       item->factor, item->control, item->treatment);
	}
	return NULL;
}

/* Sentences of why the loss says nothing, or "" when it does. */
static void why_void(const struct reading *reading, const struct pair *pair, const struct window *window,
		     bool *ret_unknown, struct text *out)
{
	const struct arm *arms[] = {&pair->control, &pair->treatment};

	for (size_t a = 0; a < 2 && out->length == 0; a++) {
		for (size_t i = 0; i < arms[a]->n && out->length == 0; i++) {
			const struct loss_series *loss = &arms[a]->runs[i]->loss;
			CLEANUP(mem_free) char *why = loss->n > 0 ? untrained(reading, loss) : NULL;
			*ret_unknown = *ret_unknown || (why && !*why);
			text_add(out, why ? why : "");
		}
	}
	if (window->equal && !reading->setting->quality_neutral)
		text_format(out, "%sboth losses read %.6g to the printed precision, in arms that change the arithmetic",
			    out->length > 0 ? "; " : "", window->control);
}

static void add_void(const struct reading *reading, const char *block, const char *reason, struct analysis_doc *doc)
{
	struct doc_void *row = analysis_doc_add_void(doc);

	row->harness = mem_dup_string(reading->harness->name);
	row->setting = mem_dup_string(reading->setting->name);
	row->block = mem_dup_string(block);
	row->check = mem_dup_string("untrained_loss");
	row->reason = campaign_format("%s: voids the loss reading, not the throughput", reason);
	row->would_read_percent = (double)NAN;
}

/* Mean of an arm's own last losses, whatever the other arm shares of them. */
static double last_mean(const struct arm *arm, int64_t steps)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < arm->n; i++) {
		if (arm->runs[i]->loss.n == 0)
			continue;
		sum += loss_series_last_mean(&arm->runs[i]->loss, steps);
		n++;
	}
	return sum / (double)n;
}

/* Why the steps of two arms cannot be aligned, or NULL. */
static char *unaligned(const struct pair *pair, const struct window *window)
{
	if (!is_numbered(&pair->control) || !is_numbered(&pair->treatment))
		return campaign_format("block %s: no step is logged: the losses cannot be aligned", pair->block);
	if (window->shared == 0)
		return campaign_format("block %s: the arms share no logged step", pair->block);
	if (isfinite(window->unequal_step))
		return campaign_format("block %s: learning rate %.4g against the control's %.4g at step %.0f: the runs "
				       "are not matched",
				       pair->block, window->treatment_rate, window->control_rate, window->unequal_step);
	return NULL;
}

/* Why aligned losses have no difference, or NULL. */
static char *unreadable(const struct pair *pair, const struct window *window, int64_t wanted, bool unknown)
{
	if (has_diverged(&pair->control) || window->control == 0)
		return campaign_format("block %s: the control's loss is no number to compare with", pair->block);
	if (window->steps < wanted)
		return campaign_format("block %s: the arms share %" PRId64 " logged steps, not %" PRId64, pair->block,
				       window->steps, wanted);
	if (unknown)
		return mem_dup_string("nothing shows that the learning rate left the warm-up: give peak_lr or "
				      "production_warmup_steps");
	return NULL;
}

static void read_block(struct reading *reading, const struct pair *pair, struct analysis_doc *doc)
{
	CLEANUP(text_release) struct text why = {0};
	bool unknown = false;

	if (!has_loss(&pair->control) || !has_loss(&pair->treatment))
		return;
	int64_t wanted = reading->pair->steps > 0 ? reading->pair->steps : LOSS_PAIR_STEPS;
	struct window window = last_common(&pair->control, &pair->treatment, wanted);
	char *reason = unmatched(pair);
	if (!reason)
		reason = unaligned(pair, &window);
	if (reason) {
		keep_first(&reading->reason, reason);
		return;
	}
	if (window.steps > 0) {
		reading->steps = window.steps;
		if (reading->last_step < 0 || window.last_step < reading->last_step)
			reading->last_step = window.last_step;
	}
	why_void(reading, pair, &window, &unknown, &why);
	if (why.length > 0) {
		add_void(reading, pair->block, text_string(&why), doc);
		keep_first(&reading->void_reason, mem_dup_string(text_string(&why)));
		reading->voided++;
		return;
	}
	if (has_diverged(&pair->treatment) && !has_diverged(&pair->control)) {
		reading->diverged++;
		keep_first(&reading->diverged_reason,
			   campaign_format("block %s: the loss of %s is no number, that of its control %.6g",
					   pair->block, reading->setting->name, last_mean(&pair->control, wanted)));
		return;
	}
	reason = unreadable(pair, &window, wanted, unknown);
	if (reason) {
		keep_first(&reading->reason, reason);
		return;
	}
	reading->control_sum += window.control;
	reading->treatment_sum += window.treatment;
	reading->differences_percent[reading->n++] = 100 * (window.treatment - window.control) / fabs(window.control);
}

/* Inside: two one-sided tests; outside: the 95 % interval beyond the tolerance. */
static const char *compare(const struct reading *reading, struct doc_loss_pair *row)
{
	double tolerance = row->tolerance_percent, mean, sd;
	struct two_sample_t t95, t90;

	if (summary_mean_sd(reading->differences_percent, reading->n, &mean, &sd, NULL) < 0)
		return "cannot_tell";
	row->difference_percent = mean;
	row->control_loss = reading->control_sum / (double)reading->n;
	row->treatment_loss = reading->treatment_sum / (double)reading->n;
	if (reading->n < 2) {
		row->reason = mem_dup_string("one block: no interval over blocks");
		return "cannot_tell";
	}
	/* Arms of one arithmetic that print one loss in every block are what neutral means. */
	if (reading->setting->quality_neutral && mean == 0 && sd == 0)
		return "inside";
	double se = sd / sqrt((double)reading->n), df = (double)reading->n - 1;
	if (!(sd >= LOSS_PAIR_SD_NONE) || two_sample_from_se(mean, se, df, 0.95, &t95, NULL) < 0 ||
	    two_sample_from_se(mean, se, df, 0.90, &t90, NULL) < 0) {
		row->reason = mem_dup_string("the pairs do not differ: the print hides the spread");
		return "cannot_tell";
	}
	row->difference_ci95_percent = (struct doc_interval){t95.lo, t95.hi};
	if (t90.lo > -tolerance && t90.hi < tolerance)
		return "inside";
	if (t95.lo > tolerance || t95.hi < -tolerance)
		return "outside";
	row->reason = mem_dup_string("the interval reaches beyond the tolerance");
	return "cannot_tell";
}

static void add_pair(const struct campaign *campaign, const struct plan_loss_pair *planned, struct analysis_doc *doc)
{
	CLEANUP(effect_pairs_release) struct effect_pairs pairs = {0};
	struct reading reading = {
		.pair = planned,
		.harness = plan_harness_find(campaign->plan, planned->harness),
		.setting = plan_setting_find(campaign->plan, planned->setting),
		.last_step = RECORD_UNSET,
	};
	const char *control = plan_control_of(campaign->plan, reading.setting);
	struct effect_request request = {
		.harness = reading.harness,
		.setting = reading.setting,
		.role = EFFECT_FAMILY,
		.setting_name = planned->setting,
		.control_name = control,
		.treatment = {.setting = planned->setting},
		.control = {.setting = control},
	};

	effect_pairs_of(campaign, &request, &pairs);
	reading.differences_percent = mem_new(pairs.n + 1, sizeof(double));
	for (size_t i = 0; i < pairs.n && strcmp(control, planned->setting) != 0; i++)
		read_block(&reading, &pairs.items[i], doc);
	struct doc_loss_pair *row = analysis_doc_add_loss_pair(doc);
	row->harness = mem_dup_string(planned->harness);
	row->setting = mem_dup_string(planned->setting);
	row->control = mem_dup_string(control);
	row->tolerance_percent = planned->tolerance_percent;
	row->blocks = (int64_t)(reading.n + reading.diverged);
	row->steps = reading.steps;
	row->last_step = reading.last_step;
	const char *verdict = "cannot_tell";
	if (reading.diverged > 0)
		verdict = "outside";
	else if (reading.n > 0)
		verdict = compare(&reading, row);
	else if (reading.voided > 0)
		verdict = "void";
	row->verdict = mem_dup_string(verdict);
	if (strcmp(verdict, "void") == 0)
		row->reason = TAKE(reading.void_reason);
	else if (reading.diverged > 0)
		row->reason = TAKE(reading.diverged_reason);
	else if (!row->reason && strcmp(verdict, "inside") != 0)
		row->reason = TAKE(reading.reason);
	if (!row->reason && strcmp(verdict, "cannot_tell") == 0)
		row->reason = mem_dup_string("no block holds the loss of both arms");
	free(reading.differences_percent);
	free(reading.void_reason);
	free(reading.diverged_reason);
	free(reading.reason);
}

void loss_pairs_add(const struct campaign *campaign, struct analysis_doc *doc)
{
	for (size_t i = 0; i < campaign->plan->n_loss_pairs; i++)
		add_pair(campaign, &campaign->plan->loss_pairs[i], doc);
}

bool loss_pairs_open(const struct analysis_doc *doc, const struct plan_setting *setting)
{
	size_t rows = 0, inside = 0;

	for (size_t i = 0; i < doc->n_loss_pairs; i++) {
		if (strcmp(doc->loss_pairs[i].setting, setting->name) != 0)
			continue;
		rows++;
		inside += strcmp(doc->loss_pairs[i].verdict, "inside") == 0;
	}
	return inside < rows || (!setting->quality_neutral && rows == 0);
}
