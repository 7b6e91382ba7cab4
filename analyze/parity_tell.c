/* What the pairs say, in sentences. */
#include "analyze/parity.h"

#include "analyze/findings.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool crashed(const char *lost)
{
	return text_equal(lost, "crashed") || text_equal(lost, "out of memory") || text_equal(lost, "timed out") ||
	       text_equal(lost, "wrong result");
}

void parity_sentence(struct doc_parity *parity)
{
	struct doc_parity_sentence *sentence = &parity->sentence;
	CLEANUP(text_release) struct text text = {0};
	CLEANUP(text_release) struct text other = {0};

	for (size_t i = 0; i < parity->n_settings; i++) {
		const struct doc_parity_setting *row = &parity->settings[i];
		if (!text_equal(row->x_verdict, "win"))
			continue;
		sentence->benchmark_wins++;
		if (text_equal(row->y_verdict, "win"))
			sentence->win++;
		else if (text_equal(row->y_verdict, "null"))
			sentence->null++;
		else if (text_equal(row->y_verdict, "harm"))
			sentence->harm++;
		else if (crashed(row->y_lost))
			sentence->crashed++;
		else
			sentence->other++;
	}
	const struct {
		int64_t n;
		const char *one, *many;
	} parts[] = {{sentence->win, "was a win", "were wins"},
		     {sentence->null, "was null", "were null"},
		     {sentence->harm, "was harmful", "were harmful"},
		     {sentence->crashed, "did not finish", "did not finish"},
		     {sentence->other, "has no verdict of this kind", "have no verdict of this kind"}};
	if (sentence->benchmark_wins == 0) {
		sentence->text = mem_dup_string("The benchmark shows no win.");
		return;
	}
	text_format(&text, "Of %" PRId64 " benchmark win%s", sentence->benchmark_wins,
		    sentence->benchmark_wins == 1 ? "" : "s");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].n > 0)
			text_format(&text, ", %" PRId64 " %s", parts[i].n,
				    parts[i].n == 1 ? parts[i].one : parts[i].many);
	text_add(&text, " in production.");
	sentence->text = text_take(&text);
}

static void tell_order(struct analysis_doc *doc, size_t index)
{
	const struct doc_parity *parity = &doc->parities[index];
	const struct doc_parity_ranking *ranking = &parity->ranking;
	int64_t pairs = ranking->agree + ranking->reversed + ranking->unresolved;

	if (ranking->reversed > 0)
		findings_path(
			findings_row(doc, "order_reversed",
				     campaign_format("%s against %s: %" PRId64 " of %" PRId64
						     " orders of two settings are reversed in production, %" PRId64
						     " agree, %" PRId64 " are not resolved",
						     parity->bench, parity->slice, ranking->reversed, pairs,
						     ranking->agree, ranking->unresolved)),
			"parity", index);
}

/* Settings whose benchmark gain arrives larger, smaller or not at all, with their ratios. */
static size_t name_mispriced(const struct doc_parity *parity, struct text *names)
{
	size_t n = 0;

	for (size_t i = 0; i < parity->n_settings; i++) {
		const struct doc_parity_setting *row = &parity->settings[i];
		if (!text_equal(row->class_name, "attenuated") && !text_equal(row->class_name, "amplified") &&
		    !text_equal(row->class_name, "null_in_production") && !text_equal(row->class_name, "reverses"))
			continue;
		text_format(names, "%s%s %+.1f %% against %+.1f %%", n++ > 0 ? ", " : "", row->setting, row->y_percent,
			    row->x_percent);
	}
	return n;
}

static void tell_price(struct analysis_doc *doc, size_t index)
{
	const struct doc_parity *parity = &doc->parities[index];
	const struct doc_parity_ranking *ranking = &parity->ranking;
	CLEANUP(text_release) struct text names = {0};
	size_t n = name_mispriced(parity, &names);

	if (n == 0)
		return;
	if (ranking->agree > 0 && ranking->reversed == 0)
		findings_path(findings_row(doc, "order_survives_price_does_not",
					   campaign_format(
						   "%s against %s: the order survives (%" PRId64
						   " resolved pairs agree, none is reversed), the price does not: %s "
						   "(production against benchmark)",
						   parity->bench, parity->slice, ranking->agree, text_string(&names))),
			      "parity", index);
	else
		findings_path(
			findings_row(doc, "price_does_not_carry_over",
				     campaign_format("%s against %s: the benchmark's gains do not price production: "
						     "%s (production against benchmark)",
						     parity->bench, parity->slice, text_string(&names))),
			"parity", index);
}

static void tell_coverage(struct analysis_doc *doc, size_t index)
{
	const struct doc_parity *parity = &doc->parities[index];

	if (parity->uncovered_collectives.n == 0)
		return;
	CLEANUP(mem_free) char *names = string_list_join(&parity->uncovered_collectives);
	findings_path(findings_row(doc, "collective_not_benchmarked",
				   campaign_format("%s runs %s, which %s never measured", parity->slice, names,
						   parity->bench)),
		      "parity", index);
}

void parity_tell(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_parities; i++) {
		const struct doc_parity *parity = &doc->parities[i];
		if (parity->sentence.benchmark_wins > 0)
			findings_path(findings_row(doc, "parity_sentence",
						   campaign_format("%s against %s: %s", parity->bench, parity->slice,
								   parity->sentence.text)),
				      "parity", i);
		tell_order(doc, i);
		tell_price(doc, i);
		tell_coverage(doc, i);
	}
}
