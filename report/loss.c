#include "report/format.h"
#include "report/section.h"
#include "report/style.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

enum { SETTING, JOB, VERDICT, CONTROL, TREATMENT, DIFFERENCE, LO, HI, TOLERANCE, REASON };

static const struct table_column columns[] = {
	[SETTING] = {"Setting", 0, 86, LAYOUT_LEFT, false},
	[JOB] = {"Job", 92, 62, LAYOUT_LEFT, false},
	[VERDICT] = {"Loss", 158, 46, LAYOUT_LEFT, false},
	[CONTROL] = {"Control", 204, 36, LAYOUT_RIGHT, false},
	[TREATMENT] = {"Setting", 242, 36, LAYOUT_RIGHT, false},
	[DIFFERENCE] = {"Change, %", 282, 38, LAYOUT_RIGHT, false},
	[LO] = {"95" FORMAT_NBSP "% CI", 324, 36, LAYOUT_RIGHT, true},
	[HI] = {NULL, 364, 36, LAYOUT_RIGHT, false},
	[TOLERANCE] = {"Tolerance", 404, 36, LAYOUT_RIGHT, false},
	[REASON] = {"Blocks", 446, 37, LAYOUT_RIGHT, false},
};

static void number(struct table *table, size_t column, double value, int decimals, enum format_sign sign)
{
	CLEANUP(text_release) struct text out = {0};
	format_fixed(&out, value, decimals, sign);
	table_cell(table, column, STYLE_CELL_SECOND, text_string(&out));
}

void section_loss(struct layout *layout, const struct analysis_doc *doc)
{
	CLEANUP(table_free) struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < doc->n_loss_pairs; i++) {
		const struct doc_loss_pair *p = &doc->loss_pairs[i];
		bool outside = p->verdict && strcmp(p->verdict, "outside") == 0;
		CLEANUP(text_release) struct text title = {0};
		CLEANUP(text_release) struct text verdict = {0};
		CLEANUP(text_release) struct text tolerance = {0};
		CLEANUP(text_release) struct text blocks = {0};
		table_row(table, TABLE_RULE_HAIR);
		format_setting(&title, doc, p->setting);
		format_words(&verdict, p->verdict);
		table_cell(table, SETTING, STYLE_CELL_BOLD, text_string(&title));
		table_cell(table, JOB, STYLE_CELL_SECOND, p->harness);
		table_cell(table, VERDICT, outside ? STYLE_TEXT(BOLD, 8.4, LOSS) : STYLE_CELL_BOLD,
			   text_string(&verdict));
		number(table, CONTROL, p->control_loss, 4, FORMAT_SIGN_MINUS_ONLY);
		number(table, TREATMENT, p->treatment_loss, 4, FORMAT_SIGN_MINUS_ONLY);
		number(table, DIFFERENCE, p->difference_percent, 4, FORMAT_SIGN_ALWAYS);
		number(table, LO, p->difference_ci95_percent.lo, 4, FORMAT_SIGN_MINUS_ONLY);
		number(table, HI, p->difference_ci95_percent.hi, 4, FORMAT_SIGN_MINUS_ONLY);
		format_margin(&tolerance, p->tolerance_percent);
		table_cell(table, TOLERANCE, STYLE_CELL_SECOND, text_string(&tolerance));
		format_done(&blocks, p->blocks, RECORD_UNSET);
		table_cell(table, REASON, STYLE_CELL_SECOND, text_string(&blocks));
		if (!p->reason)
			continue;
		table_row(table, TABLE_RULE_NONE);
		CLEANUP(text_release) struct text reason = {0};
		format_prose(&reason, p->reason);
		table_cell_wide(table, VERDICT, STYLE_SMALL, text_string(&reason));
	}
	if (table_rows(table) == 0) {
		section_missing(layout, "Loss pairs.", " None is planned.");
		return;
	}
	table_draw(table, layout, "Matched loss pairs: the mean loss of the last common steps");
	layout->y += 20;
}
