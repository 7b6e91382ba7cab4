#include "report/answer.h"

#include "report/format.h"
#include "report/order.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void clause(struct text *out)
{
	if (out->length > 0)
		text_add(out, "; ");
}

static size_t count_slices(const struct analysis_doc *doc)
{
	size_t n = 0;
	for (size_t i = 0; i < doc->n_effects; i++)
		n += order_is_slice(doc, &doc->effects[i]);
	return n;
}

/* "crashed in 4 of 9 jobs", when every loss of the arm was a crash; else "did not finish 4 of 9 jobs". */
static void unfinished(const struct analysis_doc *doc, const struct doc_effect *e, struct text *out)
{
	size_t crashes = 0, others = 0;
	for (size_t i = 0; i < doc->n_lost_runs; i++) {
		const struct doc_lost_run *lost = &doc->lost_runs[i];
		if (lost->external || !lost->harness || !lost->setting || !lost->status || !e->harness || !e->setting ||
		    strcmp(lost->harness, e->harness) != 0 || strcmp(lost->setting, e->setting) != 0)
			continue;
		if (strcmp(lost->status, "crash") == 0)
			crashes++;
		else
			others++;
	}
	text_format(out, "it %s %" PRId64 " of %" PRId64 " jobs: not adoptable",
		    crashes > 0 && others == 0 ? "crashed in" : "did not finish", e->attempted - e->completed,
		    e->attempted);
}

static void add_gain(const struct analysis_doc *doc, const struct doc_effect *e, struct text *out)
{
	format_setting(out, doc, e->setting);
	text_add(out, " gains ");
	format_percent(out, e->gain_percent, FORMAT_SIGN_MINUS_ONLY);
}

/* A setting that more than one job compared is spoken of by job: what one gains another may lose. */
static void add_setting(const struct analysis_doc *doc, const struct doc_effect *e, struct text *out)
{
	size_t n = 0;

	for (size_t i = 0; i < doc->n_effects; i++)
		n += order_is_slice(doc, &doc->effects[i]) && doc->effects[i].setting && e->setting &&
		     strcmp(doc->effects[i].setting, e->setting) == 0;
	format_setting(out, doc, e->setting);
	if (n > 1)
		text_format(out, " on %s", e->harness);
}

static bool trains_otherwise(const struct analysis_doc *doc, const char *setting)
{
	for (size_t i = 0; i < doc->n_loss_pairs; i++)
		if (strcmp(doc->loss_pairs[i].setting, setting) == 0 &&
		    strcmp(doc->loss_pairs[i].verdict, "outside") == 0)
			return true;
	return false;
}

static void add_held(const struct analysis_doc *doc, const struct doc_effect *e, struct text *out)
{
	clause(out);
	if (string_list_has(&e->qualifiers, "when_it_finishes")) {
		add_gain(doc, e, out);
		text_format(out, " on %s when it finishes; ", e->harness);
		unfinished(doc, e, out);
	} else if (trains_otherwise(doc, e->setting)) {
		text_add(out, "reject ");
		add_setting(doc, e, out);
		text_add(out, ": its loss is outside the tolerance");
	} else if (string_list_has(&e->qualifiers, "not_quality_neutral")) {
		text_add(out, "hold ");
		add_setting(doc, e, out);
		text_add(out, " until its loss is read");
	} else if (string_list_has(&e->qualifiers, "network_unverified")) {
		add_gain(doc, e, out);
		text_format(out, " on %s, but its network is unverified", e->harness);
	} else {
		add_gain(doc, e, out);
		text_format(out, " on %s, not adoptable yet", e->harness);
		if (e->qualifiers.n > 0) {
			text_add(out, ": ");
			format_qualifier(out, e->qualifiers.items[0]);
		}
	}
}

static void capitalise(struct text *out)
{
	if (out->length > 0 && (strncmp(out->bytes, "hold ", 5) == 0 || strncmp(out->bytes, "reject ", 7) == 0))
		out->bytes[0] = (char)(out->bytes[0] - 'a' + 'A');
}

static void add_losers(const struct analysis_doc *doc, const struct doc_effect *const *sorted, struct text *out)
{
	size_t n = 0;
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *e = sorted[i];
		if (order_family_of(e) != ORDER_HARM || !order_is_slice(doc, e) || n++ > 0)
			continue;
		clause(out);
		add_setting(doc, e, out);
		text_add(out, " loses ");
		format_percent(out, fabs(e->gain_percent), FORMAT_SIGN_MINUS_ONLY);
	}
}

void answer_headline(const struct analysis_doc *doc, struct text *out)
{
	if (count_slices(doc) == 0) {
		text_add(out, "No setting was compared with its control in a production job; a benchmark ranks "
			      "settings and does "
			      "not size them.");
		return;
	}
	CLEANUP(mem_free) const struct doc_effect **sorted = order_effects(doc);
	CLEANUP(text_release) struct text line = {0};
	size_t adopted = 0;
	size_t held = 0;
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *e = sorted[i];
		if (!e->adoptable || !order_is_slice(doc, e))
			continue;
		text_add(&line, adopted == 0 ? "Adopt " : adopted < 3 ? " and " : "");
		if (adopted++ < 3)
			add_setting(doc, e, &line);
	}
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *e = sorted[i];
		if (e->adoptable || order_family_of(e) != ORDER_WIN || !order_is_slice(doc, e))
			continue;
		if (held++ < 2)
			add_held(doc, e, &line);
	}
	if (held > 2) {
		clause(&line);
		format_count(&line, held - 2);
		text_add(&line, held == 3 ? " more gains but is held" : " more gain but are held");
	}
	if (line.length > 0) {
		capitalise(&line);
		text_add(&line, "; nothing else is shown to gain ");
		format_margin(&line, doc->margin_percent);
	} else {
		text_add(&line, "Nothing is shown to gain ");
		format_margin(&line, doc->margin_percent);
		add_losers(doc, sorted, &line);
	}
	text_add_char(&line, '.');
	text_add(out, text_string(&line));
}

static void add_counts(const size_t counts[ORDER_N], size_t n_void, struct text *out)
{
	static const struct {
		enum order_family family;
		const char *one, *many;
	} words[] = {
		{ORDER_WIN, "wins", "win"},
		{ORDER_WIN_OPEN, "wins with its size open", "win with their size open"},
		{ORDER_NULL, "stays inside the margin", "stay inside the margin"},
		{ORDER_HARM, "loses", "lose"},
		{ORDER_UNREADABLE, "cannot be read", "cannot be read"},
		{ORDER_NO_NUMBER, "gave no number", "gave no number"},
		{ORDER_N, "is void", "are void"},
	};
	size_t left = n_void > 0;
	for (size_t i = 0; i < ORDER_N; i++)
		left += counts[i] > 0;
	bool first = true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n = words[i].family == ORDER_N ? n_void : counts[words[i].family];
		if (n == 0)
			continue;
		left--;
		text_add(out, first ? " " : left == 0 ? " and " : ", ");
		format_count(out, n);
		text_format(out, " %s", n == 1 ? words[i].one : words[i].many);
		first = false;
	}
	text_add_char(out, '.');
}

/* A title begins a sentence with a capital; a bare name is written as it is. */
static void capitalise_title(const struct analysis_doc *doc, const char *setting, char *first)
{
	const char *title = setting ? string_map_get(&doc->titles, setting) : NULL;

	if (title && strcmp(title, setting) != 0 && *first >= 'a' && *first <= 'z')
		*first = (char)(*first - 'a' + 'A');
}

void answer_standfirst(const struct analysis_doc *doc, struct text *out)
{
	CLEANUP(mem_free) const struct doc_effect **sorted = order_effects(doc);
	size_t counts[ORDER_N] = {0};
	size_t n_void = 0;
	size_t told = 0;
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *e = sorted[i];
		if (order_family_of(e) == ORDER_WIN && order_is_slice(doc, e) && told < 2) {
			size_t start = out->length;
			add_gain(doc, e, out);
			capitalise_title(doc, e->setting, out->bytes + start);
			text_add(out, told == 0 ? " (95" FORMAT_NBSP "%" FORMAT_NBSP "CI" FORMAT_NBSP : " (");
			format_range(out, e->ci95_percent);
			text_format(out, ") on %s. ", e->harness);
			told++;
		} else if (e->verdict && strcmp(e->verdict, "void") == 0) {
			n_void++;
		} else {
			counts[order_family_of(e)]++;
		}
	}
	size_t rest = doc->n_effects - told;
	if (rest == 0)
		return;
	text_add(out, told > 0 ? "Of the other " : "Of ");
	format_count(out, rest);
	text_add(out, rest == 1 ? " comparison," : " comparisons,");
	add_counts(counts, n_void, out);
}
