#include "report/section.h"

#include "report/figure/catalogue.h"
#include "report/figure/change.h"
#include "report/figure/communication.h"
#include "report/figure/spread.h"
#include "report/style.h"

#include <string.h>

struct entry {
	const char *name;
	section_draw *draw;
};

static const struct entry tables[] = {
	{"decisions", section_decisions}, {"nonumber", section_no_number},
	{"void", section_void},           {"relabelled", section_relabelled},
	{"network", section_network},     {"runs", section_runs},
	{"questions", section_questions}, {"findings", section_findings},
	{"floors", section_floors},       {"confounds", section_confounds},
	{"benches", section_benches},     {"lost", section_lost},
	{"loss", section_loss},           {NULL, NULL},
};

static const struct entry figures[] = {{"catalogue", figure_catalogue},
				       {"communication", figure_communication},
				       {"spread", figure_spread},
				       {"change", figure_change},
				       {NULL, NULL}};

static const struct entry notes[] = {
	{"findings", section_findings},
	{"voidbox", section_void_box},
	{"questions", section_questions},
	{"corrections", section_corrections},
	{NULL, NULL},
};

static section_draw *find(const struct entry *entries, const char *name)
{
	while (entries->name && strcmp(entries->name, name) != 0)
		entries++;
	return entries->draw;
}

section_draw *section_table(const char *name)
{
	return find(tables, name);
}

section_draw *section_figure(const char *name)
{
	return find(figures, name);
}

section_draw *section_note(const char *name)
{
	return find(notes, name);
}

void section_missing(struct layout *layout, const char *title, const char *reason)
{
	struct layout_span spans[] = {{STYLE_CELL_BOLD, title}, {STYLE_CELL_SECOND, reason}};
	layout_paragraph(layout, spans, 2, 11.4, 14);
}

void section_caption(struct layout *layout, const char *text)
{
	struct layout_span span = {STYLE_SMALL, text};
	layout_paragraph(layout, &span, 1, 9.8, 18);
}
