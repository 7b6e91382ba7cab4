#include "analyze/loss_pair.h"

#include "analyze/effect.h"
#include "analyze/findings.h"
#include "analyze/stats/summary.h"
#include "analyze/stats/two_sample.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A spread of blocks below this, in percent, is the print's resolution. */
#define LOSS_PAIR_SD_NONE 1e-10

struct reading {
	const struct plan_loss_pair *pair;
	const struct plan_harness *harness;
	const struct plan_setting *setting;
	double peak_lr; /* NAN when nothing tells it */
	double *differences_percent;
	double control_sum, treatment_sum;
	size_t n, voided;
	int64_t steps, last_step;
	char *void_reason, *reason; /* the first of each */
	bool diverged;
};

static void keep_first(char **slot, char *text)
{
	if (*slot)
		free(text);
	else
		*slot = text;
}

/* The plan's peak, else the largest rate that any run of the harness reached. */
static double peak_of(const struct campaign *campaign, const struct plan_harness *harness)
{
	double peak = harness->peak_lr;

	if (peak > 0 || harness->production_warmup_steps > 0)
		return peak;
	for (size_t i = 0; i < campaign->n_runs; i++)
		if (campaign->runs[i].harness == harness && campaign->runs[i].loss.n > 0)
			peak = fmax(peak, campaign->runs[i].loss.max_lr);
	return peak;
}

/* Why a run has not trained, or NULL; "" when nothing tells. */
static char *untrained(const struct reading *reading, const struct loss_series *loss)
{
	int64_t warmup = reading->harness->production_warmup_steps;

	if (reading->peak_lr > 0 && isfinite(loss->max_lr)) {
		double share = loss->max_lr / reading->peak_lr;
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
	return mem_dup_string("");
}

static bool finds_step(const struct arm *arm, double step, double *ret_sum, size_t *ret_n)
{
	for (size_t i = 0; i < arm->n; i++) {
		const struct loss_series *loss = &arm->runs[i]->loss;
		bool found = false;
		for (size_t row = loss->n; loss->n > 0 && row-- > 0 && !found;) {
			found = loss->steps[row] == step;
			if (found)
				*ret_sum += loss->values[row];
			if (loss->steps[row] < step)
				break;
		}
		if (loss->n > 0 && !found)
			return false;
		*ret_n += found;
	}
	return *ret_n > 0;
}

struct window {
	double control, treatment; /* mean loss */
	int64_t steps, last_step;
	bool equal; /* at every step, to the printed precision */
};

/* The last common steps of all runs of both arms. */
static struct window last_common(const struct arm *control, const struct arm *treatment, int64_t wanted)
{
	struct window window = {.last_step = RECORD_UNSET, .equal = true};
	const struct loss_series *guide = NULL;

	for (size_t i = 0; i < control->n && !guide; i++)
		guide = control->runs[i]->loss.n > 0 ? &control->runs[i]->loss : NULL;
	for (size_t row = guide ? guide->n : 0; row-- > 0 && window.steps < wanted;) {
		double sums[2] = {0, 0};
		size_t counts[2] = {0, 0};
		if (!finds_step(control, guide->steps[row], &sums[0], &counts[0]) ||
		    !finds_step(treatment, guide->steps[row], &sums[1], &counts[1]))
			continue;
		double c = sums[0] / (double)counts[0], t = sums[1] / (double)counts[1];
		if (window.steps++ == 0)
			window.last_step = (int64_t)guide->steps[row];
		window.control += c;
		window.treatment += t;
		window.equal = window.equal && c == t;
	}
	window.control /= (double)window.steps;
	window.treatment /= (double)window.steps;
	return window;
}

static bool has_loss(const struct arm *arm)
{
	for (size_t i = 0; i < arm->n; i++)
		if (arm->runs[i]->loss.n > 0)
			return true;
	return false;
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

static void read_block(struct reading *reading, const struct pair *pair, struct analysis_doc *doc)
{
	CLEANUP(text_release) struct text why = {0};
	bool unknown = false;

	if (!has_loss(&pair->control) || !has_loss(&pair->treatment))
		return;
	char *mismatch = unmatched(pair);
	if (mismatch) {
		keep_first(&reading->reason, mismatch);
		return;
	}
	int64_t wanted = reading->pair->steps > 0 ? reading->pair->steps : LOSS_PAIR_STEPS;
	struct window window = last_common(&pair->control, &pair->treatment, wanted);
	if (window.steps == 0) {
		keep_first(&reading->reason, campaign_format("block %s: the arms share no logged step", pair->block));
		return;
	}
	reading->steps = window.steps;
	if (reading->last_step < 0 || window.last_step < reading->last_step)
		reading->last_step = window.last_step;
	why_void(reading, pair, &window, &unknown, &why);
	if (why.length > 0) {
		add_void(reading, pair->block, text_string(&why), doc);
		keep_first(&reading->void_reason, mem_dup_string(text_string(&why)));
		reading->voided++;
		return;
	}
	if (window.steps < wanted && reading->pair->steps > 0) {
		keep_first(&reading->reason,
			   campaign_format("block %s: the arms share %" PRId64 " logged steps, not %" PRId64,
					   pair->block, window.steps, wanted));
		return;
	}
	if (unknown) {
		keep_first(&reading->reason,
			   mem_dup_string("nothing shows that the learning rate left the warm-up: log lr, or give "
					  "peak_lr or production_warmup_steps"));
		return;
	}
	if (isfinite(window.control) && !isfinite(window.treatment)) {
		reading->diverged = true;
		keep_first(&reading->reason,
			   campaign_format("block %s: the loss of %s is no number, that of its control %.6g",
					   pair->block, reading->setting->name, window.control));
		return;
	}
	if (!isfinite(window.control) || window.control == 0) {
		keep_first(&reading->reason,
			   campaign_format("block %s: the control's loss is no number to compare with", pair->block));
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

	reading.peak_lr = peak_of(campaign, reading.harness);
	effect_pairs_of(campaign, &request, &pairs);
	reading.differences_percent = mem_new(pairs.n + 1, sizeof(double));
	for (size_t i = 0; i < pairs.n && strcmp(control, planned->setting) != 0; i++)
		read_block(&reading, &pairs.items[i], doc);
	struct doc_loss_pair *row = analysis_doc_add_loss_pair(doc);
	row->harness = mem_dup_string(planned->harness);
	row->setting = mem_dup_string(planned->setting);
	row->control = mem_dup_string(control);
	row->tolerance_percent = planned->tolerance_percent;
	row->blocks = (int64_t)reading.n;
	row->steps = reading.steps;
	row->last_step = reading.last_step;
	const char *verdict = "cannot_tell";
	if (reading.diverged)
		verdict = "outside";
	else if (reading.n > 0)
		verdict = compare(&reading, row);
	else if (reading.voided > 0)
		verdict = "void";
	row->verdict = mem_dup_string(verdict);
	if (strcmp(verdict, "void") == 0)
		row->reason = TAKE(reading.void_reason);
	else if (!row->reason && strcmp(verdict, "inside") != 0)
		row->reason = TAKE(reading.reason);
	if (!row->reason && strcmp(verdict, "cannot_tell") == 0)
		row->reason = mem_dup_string("no block holds the loss of both arms");
	free(reading.differences_percent);
	free(reading.void_reason);
	free(reading.reason);
}

void loss_pairs_add(const struct campaign *campaign, struct analysis_doc *doc)
{
	for (size_t i = 0; i < campaign->plan->n_loss_pairs; i++)
		add_pair(campaign, &campaign->plan->loss_pairs[i], doc);
}

bool loss_pairs_open(const struct analysis_doc *doc, const struct plan_setting *setting)
{
	size_t rows = 0, inside = 0, outside = 0;

	for (size_t i = 0; i < doc->n_loss_pairs; i++) {
		if (strcmp(doc->loss_pairs[i].setting, setting->name) != 0)
			continue;
		rows++;
		inside += strcmp(doc->loss_pairs[i].verdict, "inside") == 0;
		outside += strcmp(doc->loss_pairs[i].verdict, "outside") == 0;
	}
	return outside > 0 || (!setting->quality_neutral && (rows == 0 || inside < rows));
}

/* "+0.12 % [-0.10, +0.34], 4 blocks" */
static char *difference_text(const struct doc_loss_pair *pair)
{
	CLEANUP(text_release) struct text text = {0};

	text_format(&text, "%+.3g %%", pair->difference_percent);
	if (isfinite(pair->difference_ci95_percent.lo))
		text_format(&text, ", 95 %% interval [%+.3g, %+.3g] %%", pair->difference_ci95_percent.lo,
			    pair->difference_ci95_percent.hi);
	text_format(&text, ", %" PRId64 " block%s", pair->blocks, pair->blocks == 1 ? "" : "s");
	return text_take(&text);
}

static void ask(const struct doc_loss_pair *pair, const char *settles, struct analysis_doc *doc)
{
	struct doc_question *row = analysis_doc_add_question(doc);

	row->code = mem_dup_string("loss_pair");
	row->subject = campaign_format("%s/%s", pair->harness, pair->setting);
	row->text = campaign_format("loss of %s on %s: %s", pair->setting, pair->harness, pair->reason);
	row->settles = mem_dup_string(settles);
}

void loss_pairs_tell(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_loss_pairs; i++) {
		const struct doc_loss_pair *pair = &doc->loss_pairs[i];
		const char *code = NULL;
		char *text = NULL;
		CLEANUP(mem_free) char *difference = difference_text(pair);
		if (strcmp(pair->verdict, "void") == 0) {
			code = "loss_pair_void";
			text = campaign_format("the loss pair of %s on %s is void: %s; its throughput stands, nothing "
					       "says that training is unharmed",
					       pair->setting, pair->harness, pair->reason);
			ask(pair, "a matched loss pair past the warm-up", doc);
		} else if (strcmp(pair->verdict, "outside") == 0) {
			code = "loss_outside";
			text = campaign_format("%s on %s does not train as %s does: loss %s; tolerance %g %%",
					       pair->setting, pair->harness, pair->control,
					       pair->reason ? pair->reason : difference, pair->tolerance_percent);
		} else if (strcmp(pair->verdict, "inside") == 0) {
			code = "loss_inside";
			text = campaign_format("%s on %s trains as %s does: loss %s, inside the tolerance of %g %%",
					       pair->setting, pair->harness, pair->control, difference,
					       pair->tolerance_percent);
		} else {
			ask(pair, pair->blocks > 0 ? "more matched blocks" : "a matched loss pair past the warm-up",
			    doc);
			continue;
		}
		findings_path(findings_row(doc, code, text), "loss_pairs", i);
	}
}
