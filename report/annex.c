#include "report/format.h"
#include "report/order.h"
#include "report/section.h"
#include "report/style.h"
#include "report/table.h"

#include <inttypes.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *or_dash(const char *text)
{
	return text && *text ? text : FORMAT_DASH;
}

static void setting_cell(struct table *table, size_t column, const struct analysis_doc *doc, const char *setting)
{
	CLEANUP(text_release) struct text title = {0};
	format_setting(&title, doc, setting);
	table_cell(table, column, STYLE_CELL_BOLD, text_string(&title));
}

static void number_cell(struct table *table, size_t column, double value, enum format_sign sign)
{
	CLEANUP(text_release) struct text out = {0};
	format_number(&out, value, sign);
	table_cell(table, column, STYLE_CELL_SECOND, text_string(&out));
}

static void integer_cell(struct table *table, size_t column, int64_t value)
{
	CLEANUP(text_release) struct text out = {0};
	format_done(&out, value, RECORD_UNSET);
	table_cell(table, column, STYLE_CELL_SECOND, text_string(&out));
}

static void finish(struct table *table, struct layout *layout, const char *title)
{
	table_draw(table, layout, title);
	layout->y += 20;
}

static void reasons_text(struct text *out, const struct doc_effect *e)
{
	for (size_t i = 0; i < e->reasons.n; i++) {
		text_add(out, i > 0 ? "; " : "");
		format_prose(out, e->reasons.items[i]);
	}
	if (out->length == 0)
		text_add(out, "no reason given");
}

void section_no_number(struct layout *layout, const struct analysis_doc *doc)
{
	static const struct table_column columns[] = {{"Setting", 0, 124, LAYOUT_LEFT, false},
						      {"Job", 130, 92, LAYOUT_LEFT, false},
						      {"Finished", 224, 38, LAYOUT_RIGHT, false},
						      {"Reason", 274, 209, LAYOUT_LEFT, false}};
	CLEANUP(table_free) struct table *table = table_new(columns, COUNT(columns));
	for (size_t i = 0; i < doc->n_effects; i++) {
		const struct doc_effect *e = &doc->effects[i];
		if (order_family_of(e) != ORDER_NO_NUMBER)
			continue;
		CLEANUP(text_release) struct text reason = {0};
		CLEANUP(text_release) struct text finished = {0};
		table_row(table, TABLE_RULE_HAIR);
		setting_cell(table, 0, doc, e->setting);
		table_cell(table, 1, STYLE_CELL_SECOND, or_dash(e->harness));
		text_format(&finished, "%" PRId64 " of %" PRId64, e->completed, e->attempted);
		table_cell(table, 2, STYLE_CELL_SECOND, e->attempted >= 0 ? text_string(&finished) : FORMAT_DASH);
		reasons_text(&reason, e);
		table_cell(table, 3, STYLE_CELL, text_string(&reason));
	}
	if (table_rows(table) == 0)
		section_missing(layout, "No usable number.", " Every comparison gave one.");
	else
		finish(table, layout, "No usable number, and why");
}

void section_void(struct layout *layout, const struct analysis_doc *doc)
{
	static const struct table_column columns[] = {
		{"Setting", 0, 96, LAYOUT_LEFT, false},   {"Job", 102, 72, LAYOUT_LEFT, false},
		{"Block", 180, 52, LAYOUT_LEFT, false},   {"Check", 238, 66, LAYOUT_LEFT, false},
		{"Reason", 310, 116, LAYOUT_LEFT, false}, {"Would read, %", 432, 51, LAYOUT_RIGHT, false}};
	CLEANUP(table_free) struct table *table = table_new(columns, COUNT(columns));
	for (size_t i = 0; i < doc->n_voids; i++) {
		const struct doc_void *v = &doc->voids[i];
		CLEANUP(text_release) struct text check = {0};
		CLEANUP(text_release) struct text reason = {0};
		table_row(table, TABLE_RULE_HAIR);
		setting_cell(table, 0, doc, v->setting);
		table_cell(table, 1, STYLE_CELL_SECOND, or_dash(v->harness));
		table_cell(table, 2, STYLE_CELL_SECOND, or_dash(v->block));
		format_words(&check, v->check);
		table_cell(table, 3, STYLE_CELL_SECOND, or_dash(text_string(&check)));
		format_prose(&reason, or_dash(v->reason));
		table_cell(table, 4, STYLE_CELL, text_string(&reason));
		number_cell(table, 5, v->would_read_percent, FORMAT_SIGN_ALWAYS);
	}
	if (table_rows(table) == 0)
		section_missing(layout, "Void pairs.", " No pair failed a check.");
	else
		finish(table, layout, "Void pairs: what failed, and the number that is not used");
}

void section_relabelled(struct layout *layout, const struct analysis_doc *doc)
{
	static const struct table_column columns[] = {{"Run", 0, 96, LAYOUT_LEFT, false},
						      {"Declared", 102, 86, LAYOUT_LEFT, false},
						      {"Named", 194, 130, LAYOUT_LEFT, false},
						      {"Evidence", 330, 153, LAYOUT_LEFT, false}};
	CLEANUP(table_free) struct table *table = table_new(columns, COUNT(columns));
	for (size_t i = 0; i < doc->n_relabelled; i++) {
		const struct doc_relabelled *r = &doc->relabelled[i];
		table_row(table, TABLE_RULE_HAIR);
		table_cell(table, 0, STYLE_CELL_SECOND, or_dash(r->run));
		setting_cell(table, 1, doc, r->declared);
		table_cell(table, 2, STYLE_CELL, or_dash(r->named));
		table_cell(table, 3, STYLE_CELL_SECOND, or_dash(r->evidence));
	}
	if (table_rows(table) == 0)
		section_missing(layout, "Relabelled runs.", " Every run ran what it declared.");
	else
		finish(table, layout, "Runs that ran something else than declared");
}

void section_network(struct layout *layout, const struct analysis_doc *doc)
{
	static const struct table_column columns[] = {
		{"Setting", 0, 104, LAYOUT_LEFT, false},   {"Job", 110, 84, LAYOUT_LEFT, false},
		{"Expected", 200, 60, LAYOUT_LEFT, false}, {"Reported", 266, 96, LAYOUT_LEFT, false},
		{"Status", 368, 84, LAYOUT_LEFT, false},   {"Runs", 455, 28, LAYOUT_RIGHT, false}};
	CLEANUP(table_free) struct table *table = table_new(columns, COUNT(columns));
	for (size_t i = 0; i < doc->n_networks; i++) {
		const struct doc_network *n = &doc->networks[i];
		CLEANUP(text_release) struct text net = {0};
		CLEANUP(text_release) struct text status = {0};
		table_row(table, TABLE_RULE_HAIR);
		setting_cell(table, 0, doc, n->setting);
		table_cell(table, 1, STYLE_CELL_SECOND, or_dash(n->harness));
		table_cell(table, 2, STYLE_CELL_SECOND, or_dash(n->expected));
		text_add(&net, or_dash(n->net.kind));
		if (n->net.plugin)
			text_format(&net, ", %s %s", n->net.plugin, n->net.plugin_version ? n->net.plugin_version : "");
		table_cell(table, 3, STYLE_CELL, text_string(&net));
		format_words(&status, n->status);
		table_cell(table, 4, STYLE_CELL, or_dash(text_string(&status)));
		integer_cell(table, 5, n->runs);
	}
	if (table_rows(table) == 0)
		section_missing(layout, "Networks.", " No run reported the network it used.");
	else
		finish(table, layout, "Networks: expected and reported");
}

static bool is_corrected(const struct analysis_doc *doc, const struct doc_run *run)
{
	for (size_t i = 0; run->id && i < doc->n_corrections; i++)
		if (doc->corrections[i].on && strcmp(doc->corrections[i].on, run->id) == 0)
			return true;
	return false;
}

void section_runs(struct layout *layout, const struct analysis_doc *doc)
{
	static const struct table_column columns[] = {
		{"Run", 0, 92, LAYOUT_LEFT, false},        {"Job", 98, 82, LAYOUT_LEFT, false},
		{"Setting", 186, 104, LAYOUT_LEFT, false}, {"Role", 296, 34, LAYOUT_LEFT, false},
		{"Status", 334, 46, LAYOUT_LEFT, false},   {"Network", 384, 58, LAYOUT_LEFT, false},
		{"Units", 446, 37, LAYOUT_RIGHT, false}};
	CLEANUP(table_free) struct table *table = table_new(columns, COUNT(columns));
	for (size_t i = 0; i < doc->n_runs; i++) {
		const struct doc_run *r = &doc->runs[i];
		CLEANUP(text_release) struct text status = {0};
		bool same = i > 0 && r->block && doc->runs[i - 1].block && !strcmp(r->block, doc->runs[i - 1].block);
		table_row(table, same ? TABLE_RULE_NONE : TABLE_RULE_HAIR);
		table_cell(table, 0, STYLE_CELL_SECOND, or_dash(r->id));
		table_cell(table, 1, STYLE_CELL_SECOND, or_dash(r->harness));
		table_cell(table, 2, STYLE_CELL, or_dash(r->observed ? r->observed : r->setting));
		table_cell(table, 3, STYLE_CELL_SECOND, or_dash(r->role));
		format_words(&status, r->status);
		if (is_corrected(doc, r))
			text_add(&status, ", corrected");
		bool ok = r->status && strcmp(r->status, "ok") == 0;
		table_cell(table, 4, ok ? STYLE_CELL_SECOND : STYLE_TEXT(BOLD, 8.0, LOSS),
			   or_dash(text_string(&status)));
		table_cell(table, 5, STYLE_CELL_SECOND, or_dash(r->net.kind));
		integer_cell(table, 6, r->units);
	}
	if (table_rows(table) == 0)
		section_missing(layout, "Runs.", " The log holds none.");
	else
		finish(table, layout, "Every run, in the order of the log");
}

void section_lost(struct layout *layout, const struct analysis_doc *doc)
{
	static const struct table_column columns[] = {{"Run", 0, 92, LAYOUT_LEFT, false},
						      {"Job", 98, 82, LAYOUT_LEFT, false},
						      {"Setting", 186, 84, LAYOUT_LEFT, false},
						      {"Status", 276, 60, LAYOUT_LEFT, false},
						      {"The line that shows it", 342, 141, LAYOUT_LEFT, false}};
	CLEANUP(table_free) struct table *table = table_new(columns, COUNT(columns));
	for (size_t i = 0; i < doc->n_lost_runs; i++) {
		const struct doc_lost_run *r = &doc->lost_runs[i];
		CLEANUP(text_release) struct text status = {0};
		table_row(table, TABLE_RULE_HAIR);
		table_cell(table, 0, STYLE_CELL_SECOND, or_dash(r->run));
		table_cell(table, 1, STYLE_CELL_SECOND, or_dash(r->harness));
		setting_cell(table, 2, doc, r->setting);
		format_words(&status, r->status);
		if (r->external)
			text_add(&status, ", external");
		table_cell(table, 3, STYLE_CELL, or_dash(text_string(&status)));
		table_cell(table, 4, STYLE_TEXT(MONO, 6.5, SECONDARY), or_dash(r->proof));
	}
	if (table_rows(table) == 0)
		section_missing(layout, "Lost runs.", " Every run finished.");
	else
		finish(table, layout, "Lost runs, with the line that shows it");
}

void section_floors(struct layout *layout, const struct analysis_doc *doc)
{
	static const struct table_column columns[] = {
		{"Job", 0, 98, LAYOUT_LEFT, false},       {"Floor", 104, 58, LAYOUT_LEFT, false},
		{"Setting", 166, 80, LAYOUT_LEFT, false}, {"Floor, %", 248, 36, LAYOUT_RIGHT, false},
		{"Blocks", 286, 30, LAYOUT_RIGHT, false}, {"Runs", 318, 26, LAYOUT_RIGHT, false},
		{"Remark", 352, 131, LAYOUT_LEFT, false}};
	CLEANUP(table_free) struct table *table = table_new(columns, COUNT(columns));
	for (size_t h = 0; h < doc->n_harnesses; h++) {
		const struct doc_harness *harness = &doc->harnesses[h];
		if (harness->n_floors == 0) {
			table_row(table, TABLE_RULE_HAIR);
			table_cell(table, 0, STYLE_CELL_BOLD, or_dash(harness->name));
			table_cell(table, 1, STYLE_CELL_SECOND, "none");
			integer_cell(table, 5, harness->runs);
			table_cell(table, 6, STYLE_SMALL, "nothing can be read");
		}
		for (size_t i = 0; i < harness->n_floors; i++) {
			const struct doc_floor *f = &harness->floors[i];
			CLEANUP(text_release) struct text kind = {0};
			table_row(table, i == 0 ? TABLE_RULE_HAIR : TABLE_RULE_NONE);
			table_cell(table, 0, STYLE_CELL_BOLD, i == 0 ? or_dash(harness->name) : "");
			format_words(&kind, f->kind);
			table_cell(table, 1, STYLE_CELL, or_dash(text_string(&kind)));
			if (f->setting)
				setting_cell(table, 2, doc, f->setting);
			number_cell(table, 3, f->percent, FORMAT_SIGN_MINUS_ONLY);
			integer_cell(table, 4, f->blocks);
			integer_cell(table, 5, f->runs);
			if (f->percent_reason)
				table_cell(table, 6, STYLE_SMALL, f->percent_reason);
		}
	}
	if (table_rows(table) == 0)
		section_missing(layout, "Floors.", " No job is in the document.");
	else
		finish(table, layout, "Floors: the smallest effect that each job can show");
}

void section_confounds(struct layout *layout, const struct analysis_doc *doc)
{
	static const struct table_column columns[] = {
		{"Setting", 0, 104, LAYOUT_LEFT, false},      {"Job", 110, 84, LAYOUT_LEFT, false},
		{"Factor", 200, 70, LAYOUT_LEFT, false},      {"Control had", 276, 74, LAYOUT_LEFT, false},
		{"Setting had", 356, 74, LAYOUT_LEFT, false}, {"Voids", 436, 47, LAYOUT_LEFT, false}};
	CLEANUP(table_free) struct table *table = table_new(columns, COUNT(columns));
	for (size_t i = 0; i < doc->n_confounds; i++) {
		const struct doc_confound *f = &doc->confounds[i];
		table_row(table, TABLE_RULE_HAIR);
		setting_cell(table, 0, doc, f->setting);
		table_cell(table, 1, STYLE_CELL_SECOND, or_dash(f->harness));
		table_cell(table, 2, STYLE_CELL, or_dash(f->factor));
		table_cell(table, 3, STYLE_CELL_SECOND, or_dash(f->control));
		table_cell(table, 4, STYLE_CELL_SECOND, or_dash(f->treatment));
		table_cell(table, 5, STYLE_CELL_SECOND, f->voids ? "the pair" : "no");
	}
	if (table_rows(table) == 0)
		section_missing(layout, "Confounds.", " No pair differs in more than its setting.");
	else
		finish(table, layout, "Factors that differ besides the setting");
}

/* Settings down, unfloored benchmarks across: readings, in grey, since nothing says how far they scatter. */
static void benches_part(struct layout *layout, const struct analysis_doc *doc,
			 const struct doc_harness *const *benches, size_t n)
{
	enum { MAX_COLUMNS = 5 };
	struct table_column columns[MAX_COLUMNS + 1] = {{"Setting", 0, 118, LAYOUT_LEFT, false}};
	const double pitch = 363.0 / (double)(n < 3 ? 3 : n);
	for (size_t b = 0; b < n; b++)
		columns[b + 1] = (struct table_column){benches[b]->name, 120 + (double)b * pitch + 4, pitch - 4,
						       LAYOUT_RIGHT, false};
	CLEANUP(table_free) struct table *table = table_new(columns, n + 1);
	struct string_list seen = {0};
	for (size_t i = 0; i < doc->n_effects; i++) {
		const char *setting = doc->effects[i].setting;
		bool any = false;
		for (size_t b = 0; b < n; b++)
			any = any ||
			      (doc->effects[i].harness && strcmp(doc->effects[i].harness, benches[b]->name) == 0);
		if (!any || !setting || string_list_has(&seen, setting))
			continue;
		string_list_add(&seen, setting);
		table_row(table, TABLE_RULE_NONE);
		CLEANUP(text_release) struct text title = {0};
		format_setting(&title, doc, setting);
		table_cell(table, 0, STYLE_CELL, text_string(&title));
		for (size_t j = 0; j < doc->n_effects; j++) {
			const struct doc_effect *e = &doc->effects[j];
			for (size_t b = 0; b < n; b++) {
				if (!e->setting || !e->harness || strcmp(e->setting, setting) != 0 ||
				    strcmp(e->harness, benches[b]->name) != 0)
					continue;
				if (order_family_of(e) == ORDER_NO_NUMBER)
					table_cell(table, b + 1, STYLE_SMALL, "no number");
				else if (strcmp(e->verdict, "void") == 0)
					table_cell(table, b + 1, STYLE_SMALL, "void");
				else
					number_cell(table, b + 1, e->gain_percent, FORMAT_SIGN_ALWAYS);
			}
		}
	}
	for (size_t i = 0; i < seen.n; i++)
		mem_free_pointer(&seen.items[i]);
	mem_free_pointer(&seen.items);
	table_draw(table, layout, "Benchmark readings without a floor, % against the control of the same job");
	section_caption(layout, "No repetition covers these: each is a reading, not a result, and no gain is priced "
				"from it. En dash: not compared.");
}

void section_benches(struct layout *layout, const struct analysis_doc *doc)
{
	const struct doc_harness *part[5];
	size_t n = 0;
	bool any = false;
	for (size_t h = 0; h < doc->n_harnesses; h++) {
		const struct doc_harness *harness = &doc->harnesses[h];
		bool has = false;
		for (size_t i = 0; i < doc->n_effects && !has; i++)
			has = analysis_doc_find_harness(doc, doc->effects[i].harness) == harness;
		if (has && harness->unfloored && harness->kind && strcmp(harness->kind, "bench") == 0) {
			part[n++] = harness;
			any = true;
		}
		if (n == COUNT(part) || (n > 0 && h + 1 == doc->n_harnesses)) {
			benches_part(layout, doc, part, n);
			n = 0;
		}
	}
	if (!any)
		section_missing(layout, "Benchmarks without a floor.", " None was run.");
}
