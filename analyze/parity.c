#include "analyze/parity.h"

#include "analyze/stats/interval.h"
#include "analyze/stats/ratio.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

#define AMDAHL_POINTS 48

const struct doc_effect *parity_effect(const struct analysis_doc *doc, const char *harness, const char *setting)
{
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		if (!effect->relabelled && text_equal(effect->harness, harness) && text_equal(effect->setting, setting))
			return effect;
	}
	return NULL;
}

/* Void effects and those without a usable arm do not speak of their setting. */
static bool has_number(const struct doc_effect *effect)
{
	return effect && isfinite(effect->log_gain) && !text_equal(effect->verdict, "void") &&
	       !text_equal(effect->verdict, "no_number");
}

double parity_covariance(const struct doc_effect *x, const struct doc_effect *y)
{
	double sum_x = 0, sum_y = 0, sum_xy = 0;
	double n = 0;

	for (size_t i = 0; i < x->n_log_gains; i++)
		for (size_t j = 0; j < y->n_log_gains; j++) {
			if (strcmp(x->log_gains[i].block, y->log_gains[j].block) != 0)
				continue;
			double dx = x->log_gains[i].log_gain - x->log_gain;
			double dy = y->log_gains[j].log_gain - y->log_gain;
			sum_x += dx;
			sum_y += dy;
			sum_xy += dx * dy;
			n++;
		}
	if (n < 2)
		return 0;
	double s_xy = (sum_xy - sum_x * sum_y / n) / (n - 1);
	return s_xy * n / ((double)x->n_log_gains * (double)y->n_log_gains);
}

double parity_standard_error(const struct doc_effect *effect)
{
	double half = (log1p(effect->ci95_percent.hi / 100) - log1p(effect->ci95_percent.lo / 100)) / 2;

	return half / interval_t_multiplier(0.95, effect->df);
}

static void divide(const struct doc_effect *x, const struct doc_effect *y, struct doc_parity_setting *row)
{
	struct ratio ratio;
	struct error err;

	double se_x = parity_standard_error(x);
	double se_y = parity_standard_error(y);

	row->ratio = x->log_gain == 0 ? (double)NAN : y->log_gain / x->log_gain;
	if (!isfinite(se_x) || !isfinite(se_y))
		return;
	struct ratio_input in = {.num = y->log_gain,
				 .den = x->log_gain,
				 .var_num = se_y * se_y,
				 .var_den = se_x * se_x,
				 .covariance = parity_covariance(x, y),
				 .df = fmin(x->df, y->df)};
	if (ratio_fieller(&in, 0.95, &ratio, &err) < 0)
		return;
	row->fieller.type = mem_dup_string(ratio_set_name(ratio.set));
	row->fieller.lo = isfinite(ratio.lo) ? ratio.lo : (double)NAN;
	row->fieller.hi = isfinite(ratio.hi) ? ratio.hi : (double)NAN;
	row->fieller.df = in.df;
}

/* In words why a side has no number. */
static char *lost_words(const struct analysis_doc *doc, const char *harness, const char *setting,
			const struct doc_effect *effect)
{
	static const struct {
		const char *status, *words;
	} words[] = {{"crash", "crashed"},
		     {"oom", "out of memory"},
		     {"timeout", "timed out"},
		     {"wrong", "wrong result"},
		     {"truncated", "cut short"},
		     {"cancelled", "cancelled"},
		     {"launch_failed", "did not start"}};

	if (effect && text_equal(effect->verdict, "void"))
		return mem_dup_string("void");
	for (size_t i = 0; effect && effect->attempted + effect->external > effect->completed && i < doc->n_lost_runs;
	     i++) {
		const struct doc_lost_run *lost = &doc->lost_runs[i];
		for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++)
			if (text_equal(lost->harness, harness) && text_equal(lost->setting, setting) &&
			    text_equal(lost->status, words[w].status))
				return mem_dup_string(words[w].words);
	}
	if (effect && effect->attempted > 0)
		return mem_dup_string(effect->reasons.n > 0 ? effect->reasons.items[0] : "no number");
	return mem_dup_string("never run");
}

static bool excludes_zero(struct doc_interval interval)
{
	return interval.lo > 0 || interval.hi < 0;
}

static const char *ratio_class(const struct doc_ratio_set *set)
{
	if (!text_equal(set->type, "bounded"))
		return NULL;
	if (set->lo <= 0)
		return NULL;
	if (set->lo > 1)
		return "amplified";
	return set->hi < 1 ? "attenuated" : "transfers";
}

static void classify(const struct doc_effect *x, const struct doc_effect *y, struct doc_parity_setting *row)
{
	const char *name = NULL;
	bool x_null = text_equal(x->verdict, "null");
	bool y_null = text_equal(y->verdict, "null");

	if (text_equal(x->verdict, "unreadable") || text_equal(y->verdict, "unreadable")) {
		bool bench = text_equal(x->verdict, "unreadable");
		row->class_name = mem_dup_string("unreadable");
		row->why =
			mem_dup_string(bench && !text_equal(y->verdict, "unreadable") ? "the benchmark cannot be read"
				       : bench                                        ? "neither side can be read"
										      : "production cannot be read");
		return;
	}
	if (excludes_zero(x->ci95_percent) && excludes_zero(y->ci95_percent) && (x->log_gain > 0) != (y->log_gain > 0))
		name = "reverses";
	else if (x_null && !y_null && !text_equal(y->verdict, "immaterial"))
		name = "missed_by_benchmark";
	else if (x_null && y_null)
		name = "null_in_both";
	else if (y_null)
		name = "null_in_production";
	else
		name = ratio_class(&row->fieller);
	row->class_name = mem_dup_string(name ? name : "unreadable");
	if (!name)
		row->why = mem_dup_string(text_equal(row->fieller.type, "bounded") ? "the ratio cannot be told from 0"
										   : "the ratio is not bounded");
}

static void add_setting(const struct analysis_doc *doc, const char *name, struct doc_parity *parity)
{
	const struct doc_effect *x = parity_effect(doc, parity->bench, name);
	const struct doc_effect *y = parity_effect(doc, parity->slice, name);
	bool x_there = has_number(x);
	bool y_there = has_number(y);

	if (!x_there && !y_there)
		return;
	struct doc_parity_setting *row = doc_parity_add_setting(parity);
	row->setting = mem_dup_string(name);
	row->x_verdict = mem_dup_string(x ? x->verdict : NULL);
	row->y_verdict = mem_dup_string(y ? y->verdict : NULL);
	if (x_there) {
		row->x_log_gain = x->log_gain;
		row->x_percent = x->gain_percent;
		row->x_ci95_percent = x->ci95_percent;
	} else {
		row->x_lost = lost_words(doc, parity->bench, name, x);
	}
	if (y_there) {
		row->y_log_gain = y->log_gain;
		row->y_percent = y->gain_percent;
		row->y_ci95_percent = y->ci95_percent;
	} else {
		row->y_lost = lost_words(doc, parity->slice, name, y);
	}
	if (x_there && y_there) {
		divide(x, y, row);
		classify(x, y, row);
	} else {
		row->class_name = mem_dup_string(x_there ? "benchmark_only" : "production_only");
		row->why = x_there ? campaign_format("%s in production", row->y_lost)
				   : campaign_format("%s in the benchmark", row->x_lost);
	}
}

/* The narrowest of the slice's resolved fractions. */
static const struct doc_fraction *best_fraction(const struct analysis_doc *doc, const char *slice)
{
	const struct doc_fraction *best = NULL;

	for (size_t i = 0; i < doc->n_fractions; i++) {
		const struct doc_fraction *row = &doc->fractions[i];
		if (!text_equal(row->harness, slice) || !row->resolved)
			continue;
		if (!best || row->f_ci95.hi - row->f_ci95.lo < best->f_ci95.hi - best->f_ci95.lo)
			best = row;
	}
	return best;
}

/* What is left of a gain x of the communication when its share is f: the log gain of the step. */
static double amdahl(double f, double x)
{
	return -log1p(-f * -expm1(-x));
}

static void draw_amdahl(const struct analysis_doc *doc, struct doc_parity *parity)
{
	const struct doc_fraction *fraction = best_fraction(doc, parity->slice);
	double lo = 0, hi = 0;

	for (size_t i = 0; i < parity->n_settings; i++) {
		lo = fmin(lo, parity->settings[i].x_log_gain);
		hi = fmax(hi, parity->settings[i].x_log_gain);
	}
	if (!fraction || hi <= lo)
		return;
	double room = 0.15 * (hi - lo);
	struct doc_amdahl *curve = &parity->amdahl;
	curve->setting = mem_dup_string(fraction->setting);
	curve->f = fraction->f;
	curve->f_ci95 = fraction->f_ci95;
	for (int i = 0; i < AMDAHL_POINTS; i++) {
		double x = lo - room + (hi - lo + 2 * room) * i / (AMDAHL_POINTS - 1);
		double one = amdahl(fraction->f_ci95.lo, x);
		double other = amdahl(fmin(1, fraction->f_ci95.hi), x);
		struct doc_curve_point *point = doc_amdahl_add_point(curve);
		point->x = 100 * expm1(x);
		point->y = 100 * expm1(amdahl(fraction->f, x));
		point->lo = 100 * expm1(fmin(one, other));
		point->hi = 100 * expm1(fmax(one, other));
	}
}

static void cover(const struct campaign *campaign, struct doc_parity *parity)
{
	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct campaign_run *run = &campaign->runs[i];
		struct string_list *list =
			text_equal(run->harness->name, parity->slice)   ? &parity->production_collectives
			: text_equal(run->harness->name, parity->bench) ? &parity->benchmarked_collectives
									: NULL;
		for (size_t c = 0; list && c < run->record->factors.collectives.n; c++)
			string_list_add_once(list, run->record->factors.collectives.items[c]);
		if (list == &parity->benchmarked_collectives && run->harness->op)
			string_list_add_once(list, run->harness->op);
	}
	if (parity->production_collectives.n == 0)
		parity->coverage_reason = mem_dup_string("production's logs name no collective");
	for (size_t i = 0; i < parity->production_collectives.n; i++)
		if (!string_list_has(&parity->benchmarked_collectives, parity->production_collectives.items[i]))
			string_list_add(&parity->uncovered_collectives, parity->production_collectives.items[i]);
}

void parity_add(const struct campaign *campaign, struct analysis_doc *doc)
{
	for (size_t p = 0; p < campaign->plan->n_parity; p++) {
		struct doc_parity *parity = analysis_doc_add_parity(doc);
		parity->bench = mem_dup_string(campaign->plan->parity[p].bench);
		parity->slice = mem_dup_string(campaign->plan->parity[p].slice);
		for (size_t s = 0; s < campaign->plan->n_settings; s++)
			add_setting(doc, campaign->plan->settings[s].name, parity);
		parity_rank(doc, parity);
		parity_slope(doc, parity);
		parity_sentence(parity);
		draw_amdahl(doc, parity);
		cover(campaign, parity);
	}
}
