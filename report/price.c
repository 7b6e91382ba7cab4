#include "report/format.h"
#include "report/section.h"
#include "report/style.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

/* As the document writes a reason that nobody gave: the same page before and after it is written. */
#define NOT_DETERMINED "not determined"

enum { SETTING, JOB, SAVED, LO, HI, LOST, MONEY_SAVED, MONEY_LOST, N_COLUMNS };

static const struct table_column columns[N_COLUMNS] = {
	[SETTING] = {"Setting", 0, 118, LAYOUT_LEFT, false},
	[JOB] = {"Job", 122, 74, LAYOUT_LEFT, false},
	[SAVED] = {"GPU-h saved", 198, 48, LAYOUT_RIGHT, false},
	[LO] = {"95" FORMAT_NBSP "% CI", 248, 40, LAYOUT_RIGHT, true},
	[HI] = {NULL, 290, 40, LAYOUT_RIGHT, false},
	[LOST] = {"GPU-h lost", 336, 44, LAYOUT_RIGHT, false},
	[MONEY_SAVED] = {"Money saved", 384, 50, LAYOUT_RIGHT, false},
	[MONEY_LOST] = {"Money lost", 438, 45, LAYOUT_RIGHT, false},
};

static void amount(struct table *table, size_t column, struct canvas_style style, double value)
{
	CLEANUP(text_release) struct text out = {0};

	format_amount(&out, value);
	table_cell(table, column, style, text_string(&out));
}

static const char *reason_of(const struct doc_price *price)
{
	if (isfinite(price->gpu_hours_saved_month))
		return NULL;
	return price->gpu_hours_saved_month_reason ? price->gpu_hours_saved_month_reason : NOT_DETERMINED;
}

static void price_row(struct table *table, const struct analysis_doc *doc, const struct doc_price *price)
{
	CLEANUP(text_release) struct text title = {0};
	const char *reason = reason_of(price);

	table_row(table, TABLE_RULE_HAIR);
	format_setting(&title, doc, price->setting);
	table_cell(table, SETTING, STYLE_CELL_BOLD, text_string(&title));
	table_cell(table, JOB, STYLE_CELL_SECOND, price->harness ? price->harness : FORMAT_DASH);
	if (reason) {
		CLEANUP(text_release) struct text words = {0};
		format_prose(&words, reason);
		table_cell_wide(table, SAVED, STYLE_SMALL, text_string(&words));
		return;
	}
	/* an interval that holds 0 saves nothing for certain */
	bool told = price->gpu_hours_saved_month_ci95.lo > 0 || price->gpu_hours_saved_month_ci95.hi < 0;
	amount(table, SAVED, told ? STYLE_CELL_BOLD : STYLE_TEXT(REGULAR, 8.4, SECONDARY),
	       price->gpu_hours_saved_month);
	amount(table, LO, STYLE_CELL_SECOND, price->gpu_hours_saved_month_ci95.lo);
	amount(table, HI, STYLE_CELL_SECOND, price->gpu_hours_saved_month_ci95.hi);
	amount(table, LOST, STYLE_CELL_SECOND, price->gpu_hours_lost_month);
	amount(table, MONEY_SAVED, STYLE_CELL_SECOND, price->money_saved_month);
	amount(table, MONEY_LOST, STYLE_CELL_SECOND, price->money_lost_month);
}

static void add_cost(const struct analysis_doc *doc, struct text *out)
{
	const struct doc_cost *cost = &doc->cost;

	if (!isfinite(cost->gpu_hours) && doc->n_prices == 0)
		return;
	if (!isfinite(cost->gpu_hours)) {
		text_add(out, " What the campaign itself took: ");
		format_prose(out, cost->gpu_hours_reason ? cost->gpu_hours_reason : NOT_DETERMINED);
		text_add_char(out, '.');
		return;
	}
	text_add(out, " The campaign itself took ");
	format_amount(out, cost->gpu_hours);
	text_add(out, " GPU-hours");
	if (isfinite(cost->money)) {
		text_add(out, ", ");
		format_amount(out, cost->money);
		text_add(out, " in money");
	}
	text_add_char(out, '.');
}

/* The widest of a harness's fractions bounds what any setting of the network can save there. */
static void add_ceilings(const struct analysis_doc *doc, struct text *out)
{
	for (size_t i = 0; i < doc->n_fractions; i++) {
		const struct doc_fraction *row = &doc->fractions[i];
		bool widest = row->resolved && isfinite(row->ceiling_percent) && row->harness;
		for (size_t j = 0; widest && j < doc->n_fractions; j++) {
			const struct doc_fraction *other = &doc->fractions[j];
			widest = !(other != row && other->resolved && other->harness &&
				   strcmp(other->harness, row->harness) == 0 &&
				   (other->ceiling_percent > row->ceiling_percent ||
				    (other < row && other->ceiling_percent >= row->ceiling_percent)));
		}
		if (!widest)
			continue;
		text_add(out, " A perfect network would gain at most ");
		format_percent(out, row->ceiling_percent, FORMAT_SIGN_MINUS_ONLY);
		if (isfinite(row->ceiling_ci95_percent.hi)) {
			text_add(out, " (");
			format_range(out, row->ceiling_ci95_percent);
			text_add_char(out, ')');
		}
		text_format(out, " on %s.", row->harness);
	}
}

/* One reason for all rows is said once, without a table of dashes. */
static const char *shared_reason(const struct analysis_doc *doc)
{
	const char *first = doc->n_prices > 0 ? reason_of(&doc->prices[0]) : NOT_DETERMINED;

	for (size_t i = 1; first && i < doc->n_prices; i++) {
		const char *reason = reason_of(&doc->prices[i]);
		if (!reason || strcmp(reason, first) != 0)
			return NULL;
	}
	return first;
}

void section_price(struct layout *layout, const struct analysis_doc *doc)
{
	CLEANUP(text_release) struct text out = {0};
	const char *shared = shared_reason(doc);

	if (shared) {
		text_add(&out, " Not priced: ");
		format_prose(&out, shared);
		text_add_char(&out, '.');
		add_cost(doc, &out);
		add_ceilings(doc, &out);
		section_missing(layout, "Price.", text_string(&out));
		return;
	}
	CLEANUP(table_free) struct table *table = table_new(columns, N_COLUMNS);
	for (size_t i = 0; i < doc->n_prices; i++)
		price_row(table, doc, &doc->prices[i]);
	table_draw(table, layout, "Price: what a setting saves a month at the declared use");
	text_add(&out, "Saved: GPU-hours from the gain, with its interval. Lost: expected, to runs that do not finish. "
		       "Money: at the declared cost of a GPU-hour.");
	add_cost(doc, &out);
	add_ceilings(doc, &out);
	section_caption(layout, text_string(&out));
}
