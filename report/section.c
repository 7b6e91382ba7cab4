#include "report/section.h"

#include "report/figure/catalogue.h"
#include "report/figure/change.h"
#include "report/figure/communication.h"
#include "report/figure/ranking.h"
#include "report/figure/spread.h"
#include "report/style.h"

#include <stddef.h>
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
	{"loss", section_loss},           {"price", section_price},
	{"scope", section_scope},         {NULL, NULL},
};

static const struct entry figures[] = {{"catalogue", figure_catalogue}, {"communication", figure_communication},
				       {"ranking", figure_ranking},     {"spread", figure_spread},
				       {"change", figure_change},       {NULL, NULL}};

static const struct entry notes[] = {
	{"findings", section_findings},       {"voidbox", section_void_box}, {"questions", section_questions},
	{"corrections", section_corrections}, {"scope", section_scope},      {NULL, NULL},
};

/* The rows that a block draws: none of them means that nothing was planned, since what is missing has a row with its
 * reason. */
static const struct {
	const char *block;
	size_t count_at;
} counts[] = {
	{"figure change", offsetof(struct analysis_doc, n_throughputs)},
	{"figure communication", offsetof(struct analysis_doc, n_fractions)},
	{"figure ranking", offsetof(struct analysis_doc, n_parities)},
	{"figure spread", offsetof(struct analysis_doc, n_spreads)},
	{"table confounds", offsetof(struct analysis_doc, n_confounds)},
	{"table loss", offsetof(struct analysis_doc, n_loss_pairs)},
	{"table lost", offsetof(struct analysis_doc, n_lost_runs)},
	{"table network", offsetof(struct analysis_doc, n_networks)},
	{"table price", offsetof(struct analysis_doc, n_prices)},
	{"table relabelled", offsetof(struct analysis_doc, n_relabelled)},
	{"table scope", offsetof(struct analysis_doc, scope.n)},
	{"table void", offsetof(struct analysis_doc, n_voids)},
};

size_t section_rows(const char *block, const struct analysis_doc *doc)
{
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (strcmp(counts[i].block, block) == 0)
			return *(const size_t *)((const char *)doc + counts[i].count_at);
	return SECTION_ALWAYS;
}

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
