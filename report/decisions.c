#include "report/format.h"
#include "report/order.h"
#include "report/section.h"
#include "report/style.h"
#include "report/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Relative to the left margin; the last column ends at 483 on A4. */
static const struct table_column columns[] = {
	{"Setting", 0, 98, LAYOUT_LEFT, false},
	{"Job", 102, 58, LAYOUT_LEFT, false},
	{"Verdict", 164, 62, LAYOUT_LEFT, false},
	{"Gain, %", 222, 34, LAYOUT_RIGHT, false},
	{"95" FORMAT_NBSP "% CI", 256, 32, LAYOUT_RIGHT, true},
	{NULL, 288, 27, LAYOUT_RIGHT, false},
	{"Floor, %", 316, 30, LAYOUT_RIGHT, false},
	{"Blocks", 346, 30, LAYOUT_RIGHT, false},
	{"Finished", 376, 36, LAYOUT_RIGHT, false},
	{"Qualifier", 419, 64, LAYOUT_LEFT, false},
};
enum { SETTING, JOB, VERDICT, GAIN, LO, HI, FLOOR, BLOCKS, FINISHED, QUALIFIER, N_COLUMNS };

static struct canvas_colour verdict_colour(enum order_family family)
{
	if (family == ORDER_WIN || family == ORDER_WIN_OPEN)
		return STYLE_GAIN;
	return family == ORDER_HARM ? STYLE_LOSS : STYLE_SECONDARY;
}

/* Qualifiers that every row with a number has: said once, in the note. */
static void shared_qualifiers(const struct doc_effect *const *rows, size_t n, struct string_list *ret)
{
	const struct doc_effect *first = NULL;
	for (size_t i = 0; i < n && !first; i++)
		first = order_family_of(rows[i]) < ORDER_NO_NUMBER && rows[i]->qualifiers.n > 0 ? rows[i] : NULL;
	for (size_t q = 0; first && q < first->qualifiers.n; q++) {
		size_t have = 0;
		size_t of = 0;
		for (size_t i = 0; i < n; i++) {
			if (order_family_of(rows[i]) >= ORDER_NO_NUMBER || strcmp(rows[i]->verdict, "void") == 0)
				continue;
			of++;
			have += string_list_has(&rows[i]->qualifiers, first->qualifiers.items[q]);
		}
		if (have == of && of > 2)
			string_list_add(ret, first->qualifiers.items[q]);
	}
}

static void qualifier_text(const struct analysis_doc *doc, const struct doc_effect *e, const struct string_list *shared,
			   struct text *out)
{
	if (order_is_corrected(doc, e))
		text_add(out, "corrected, see the note");
	for (size_t i = 0; i < e->qualifiers.n; i++) {
		if (string_list_has(shared, e->qualifiers.items[i]))
			continue;
		if (out->length > 0)
			text_add(out, ", ");
		format_qualifier(out, e->qualifiers.items[i]);
	}
	if (order_family_of(e) == ORDER_UNREADABLE && isfinite(e->blocks_to_settle)) {
		text_add(out, out->length > 0 ? ", needs " : "needs ");
		format_fixed(out, ceil(e->blocks_to_settle), 0, FORMAT_SIGN_MINUS_ONLY);
		text_add(out, " blocks");
	} else if (out->length == 0 && e->verdict && strcmp(e->verdict, "void") == 0 && e->reasons.n > 0 &&
		   strlen(e->reasons.items[0]) < 48) {
		format_prose(out, e->reasons.items[0]);
	}
	if (e->relabelled)
		text_add(out, out->length > 0 ? ", relabelled" : "relabelled");
}

static void number_cell(struct table *table, size_t column, struct canvas_style style, double value,
			enum format_sign sign)
{
	CLEANUP(text_release) struct text out = {0};
	format_number(&out, value, sign);
	table_cell(table, column, style, text_string(&out));
}

static void effect_row(struct table *table, const struct analysis_doc *doc, const struct doc_effect *e,
		       const struct string_list *shared)
{
	enum order_family family = order_family_of(e);
	bool strong = family == ORDER_WIN || family == ORDER_WIN_OPEN || family == ORDER_HARM;
	CLEANUP(text_release) struct text title = {0};
	CLEANUP(text_release) struct text verdict = {0};
	CLEANUP(text_release) struct text blocks = {0};
	CLEANUP(text_release) struct text finished = {0};
	CLEANUP(text_release) struct text qualifier = {0};
	struct canvas_style bold = {CANVAS_BOLD, 8.4, verdict_colour(family)};

	format_setting(&title, doc, e->setting);
	if (e->relabelled) {
		text_add(&title, " against ");
		format_setting(&title, doc, e->control);
	}
	table_cell(table, SETTING, STYLE_CELL, text_string(&title));
	table_cell(table, JOB, STYLE_CELL_SECOND, e->harness);
	format_verdict(&verdict, e->verdict);
	table_cell(table, VERDICT, bold, text_string(&verdict));
	number_cell(table, GAIN, strong ? STYLE_CELL_BOLD : STYLE_TEXT(REGULAR, 8.4, SECONDARY), e->gain_percent,
		    FORMAT_SIGN_ALWAYS);
	number_cell(table, LO, STYLE_CELL_SECOND, e->ci95_percent.lo, FORMAT_SIGN_MINUS_ONLY);
	number_cell(table, HI, STYLE_CELL_SECOND, e->ci95_percent.hi, FORMAT_SIGN_MINUS_ONLY);
	number_cell(table, FLOOR, STYLE_CELL_SECOND, e->floor.kind ? e->floor.percent : (double)NAN,
		    FORMAT_SIGN_MINUS_ONLY);
	format_done(&blocks, e->blocks, e->blocks_planned);
	table_cell(table, BLOCKS, STYLE_CELL_SECOND, text_string(&blocks));
	text_format(&finished, "%" PRId64 " of %" PRId64, e->completed, e->attempted);
	table_cell(table, FINISHED, STYLE_CELL_SECOND, e->attempted >= 0 ? text_string(&finished) : FORMAT_DASH);
	qualifier_text(doc, e, shared, &qualifier);
	if (qualifier.length > 0)
		table_cell(table, QUALIFIER, STYLE_SMALL, text_string(&qualifier));
}

static void settings_word(struct text *out, size_t n, const char *more)
{
	format_count(out, n);
	if (out->bytes[0] >= 'a' && out->bytes[0] <= 'z')
		out->bytes[0] = (char)(out->bytes[0] - 'a' + 'A');
	text_format(out, "%s setting%s", more, n == 1 ? "" : "s");
}

/* The benchmark rows of one harness that decide nothing, in one line. */
static void bench_row(struct table *table, const struct doc_harness *harness, const struct doc_effect *const *rows,
		      size_t n, enum table_rule rule)
{
	size_t unreadable = 0;
	size_t lost = 0;
	size_t voided = 0;
	for (size_t i = 0; i < n; i++) {
		if (!rows[i]->harness || strcmp(rows[i]->harness, harness->name) != 0)
			continue;
		bool is_void = strcmp(rows[i]->verdict, "void") == 0;
		voided += is_void;
		unreadable += !is_void && order_family_of(rows[i]) == ORDER_UNREADABLE;
		lost += order_family_of(rows[i]) == ORDER_NO_NUMBER;
	}
	size_t all = unreadable + lost + voided;
	if (all == 0)
		return;
	CLEANUP(text_release) struct text words = {0};
	CLEANUP(text_release) struct text why = {0};
	settings_word(&words, all, "");
	table_row(table, rule);
	table_cell(table, SETTING, STYLE_CELL, text_string(&words));
	table_cell(table, JOB, STYLE_CELL_SECOND, harness->name);
	table_cell(table, VERDICT, STYLE_TEXT(BOLD, 8.4, SECONDARY),
		   unreadable == all ? "unreadable"
		   : lost == all     ? "no number"
		   : voided == all   ? "void"
				     : "not read");
	if (unreadable > 0)
		text_format(&why, "%zu unreadable%s", unreadable, harness->unfloored ? " (single runs, no floor)" : "");
	if (lost > 0)
		text_format(&why, "%s%zu without a number", why.length > 0 ? "; " : "", lost);
	if (voided > 0)
		text_format(&why, "%s%zu void", why.length > 0 ? "; " : "", voided);
	table_cell_wide(table, GAIN, STYLE_SMALL, text_string(&why));
}

static void lost_row(struct table *table, const struct doc_effect *const *rows, size_t n)
{
	CLEANUP(text_release) struct text words = {0};
	CLEANUP(text_release) struct text why = {0};
	struct string_list seen = {0};
	settings_word(&words, n, table_rows(table) > 0 ? " more" : "");
	for (size_t i = 0; i < n; i++) {
		const char *reason = rows[i]->reasons.n > 0 ? rows[i]->reasons.items[0] : "no reason given";
		if (seen.n >= 4 || string_list_has(&seen, reason) || strlen(reason) > 60)
			continue;
		string_list_add(&seen, reason);
		text_add(&why, why.length > 0 ? "; " : "");
		format_prose(&why, reason);
	}
	for (size_t i = 0; i < seen.n; i++)
		mem_free_pointer(&seen.items[i]);
	mem_free_pointer(&seen.items);
	table_row(table, TABLE_RULE_FAMILY);
	table_cell(table, SETTING, STYLE_CELL, text_string(&words));
	table_cell(table, VERDICT, STYLE_TEXT(BOLD, 8.4, SECONDARY), "no number");
	table_cell_wide(table, GAIN, STYLE_SMALL, why.length > 0 ? text_string(&why) : "the reasons stand below");
}

static void note(struct layout *layout, const struct analysis_doc *doc, const struct string_list *shared, bool benches)
{
	bool off_target = false;
	for (size_t i = 0; i < doc->n_effects; i++)
		off_target = off_target || string_list_has(&doc->effects[i].qualifiers, ORDER_NOT_THE_TARGET);
	CLEANUP(text_release) struct text out = {0};
	if (doc->control) {
		text_add(&out, "Control: ");
		format_setting(&out, doc, doc->control);
		text_add(&out, ". ");
	}
	text_add(&out, "Paired by block: t interval over blocks. Floor: the smallest effect the row could show. ");
	for (size_t i = 0; i < shared->n; i++) {
		text_add(&out, i == 0 ? "Every row with a number: " : ", ");
		format_qualifier(&out, shared->items[i]);
	}
	if (shared->n > 0)
		text_add(&out, ". ");
	if (off_target)
		text_add(
			&out,
			"Not the target: measured at another shape than the plan's; such a row ranks, it does not size "
			"the gain there. ");
	if (benches)
		text_add(&out, "Benchmarks rank settings; what a setting is worth is read from the jobs alone.");
	section_caption(layout, text_string(&out));
}

void section_decisions(struct layout *layout, const struct analysis_doc *doc)
{
	if (doc->n_effects == 0) {
		section_missing(layout, "Decisions.", " No setting was compared with a control.");
		return;
	}
	CLEANUP(mem_free) const struct doc_effect **sorted = order_effects(doc);
	CLEANUP(mem_free) const struct doc_effect **rows = mem_new(doc->n_effects, sizeof *rows);
	CLEANUP(mem_free) const struct doc_effect **folded = mem_new(doc->n_effects, sizeof *folded);
	CLEANUP(mem_free) const struct doc_effect **lost = mem_new(doc->n_effects, sizeof *lost);
	size_t n = 0;
	size_t n_folded = 0;
	size_t n_lost = 0;
	for (int slices = 1; slices >= 0; slices--) {
		for (size_t i = 0; i < doc->n_effects; i++) {
			if (order_is_slice(doc, sorted[i]) != (slices == 1))
				continue;
			bool corrected = order_is_corrected(doc, sorted[i]); /* has a row to stand beside */
			if (slices && !corrected && order_family_of(sorted[i]) == ORDER_NO_NUMBER)
				lost[n_lost++] = sorted[i];
			else if (slices || corrected || order_family_of(sorted[i]) < ORDER_UNREADABLE)
				rows[n++] = sorted[i];
			else
				folded[n_folded++] = sorted[i];
		}
	}
	struct string_list shared = {0};
	shared_qualifiers(rows, n, &shared);
	CLEANUP(table_free) struct table *table = table_new(columns, N_COLUMNS);
	for (size_t i = 0; i < n; i++) {
		bool new_family = i > 0 && (order_family_of(rows[i]) != order_family_of(rows[i - 1]) ||
					    order_is_slice(doc, rows[i]) != order_is_slice(doc, rows[i - 1]));
		table_row(table, new_family ? TABLE_RULE_FAMILY : TABLE_RULE_NONE);
		effect_row(table, doc, rows[i], &shared);
	}
	if (n_lost > 0)
		lost_row(table, lost, n_lost);
	bool ruled = false;
	for (size_t h = 0; h < doc->n_harnesses; h++) {
		size_t before = table_rows(table);
		bench_row(table, &doc->harnesses[h], folded, n_folded, ruled ? TABLE_RULE_NONE : TABLE_RULE_FAMILY);
		ruled = ruled || table_rows(table) > before;
	}
	CLEANUP(text_release) struct text title = {0};
	text_add(&title, "Decisions: gain in throughput against the control in the same job, margin \xC2\xB1");
	format_margin(&title, doc->margin_percent);
	table_draw(table, layout, text_string(&title));
	note(layout, doc, &shared, n_folded > 0);
	for (size_t i = 0; i < shared.n; i++)
		mem_free_pointer(&shared.items[i]);
	mem_free_pointer(&shared.items);
}
