#include "report/format.h"
#include "report/section.h"
#include "report/style.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void block_head(struct layout *layout, const char *title, const char *right)
{
	struct canvas *c = layout->canvas;
	layout_need(layout, 44);
	canvas_text(c, STYLE_BLOCK_HEAD, layout->left, layout->y + 9, title);
	if (right)
		canvas_text_right(c, STYLE_SMALL, layout->right, layout->y + 9, right);
	canvas_rule(c, layout->left, layout->right, layout->y + 14, 0.4, STYLE_HEAD_RULE);
	layout->y += 18;
}

/* A finding's claim is its text up to the first colon or full stop: that much is bold. */
static size_t claim_length(const char *text)
{
	for (size_t i = 0; text[i]; i++)
		if ((text[i] == ':' || text[i] == '.') && (text[i + 1] == ' ' || text[i + 1] == '\0'))
			return i + 1;
	return strlen(text);
}

void section_findings(struct layout *layout, const struct analysis_doc *doc)
{
	struct canvas *c = layout->canvas;
	if (doc->n_findings == 0) {
		section_missing(layout, "Findings.", " The analysis reports none.");
		return;
	}
	block_head(layout, "Findings, worst first", NULL);
	for (size_t i = 0; i < doc->n_findings; i++) {
		CLEANUP(text_release) struct text prose = {0};
		format_prose(&prose, doc->findings[i].text ? doc->findings[i].text : FORMAT_DASH);
		const char *text = text_string(&prose);
		size_t n = claim_length(text);
		CLEANUP(mem_free) char *claim = mem_dup_bytes(text, n);
		struct layout_span spans[] = {{STYLE_TEXT(BOLD, 8.8, INK), claim}, {STYLE_BODY, text + n}};
		struct layout_box box = {layout->left + 15, layout->right - layout->left - 15, 12.2, LAYOUT_LEFT};
		layout_need(layout, layout_text(c, LAYOUT_MEASURE, &box, 0, spans, 2));
		char number[24];
		(void)snprintf(number, sizeof number, "%zu", i + 1);
		canvas_text(c, STYLE_TEXT(BOLD, 8.8, INK), layout->left, layout->y + 12.2 * 0.76, number);
		layout->y += layout_text(c, LAYOUT_DRAW, &box, layout->y, spans, 2) + 2.6;
	}
	layout->y += 10;
}

/* Paints the box's ground behind one paragraph; the ink bar joins the parts. */
static void boxed(struct layout *layout, const struct layout_span *spans, size_t n, double above, double below)
{
	struct canvas *c = layout->canvas;
	struct layout_box box = {layout->left + 10, layout->right - layout->left - 18, 11.4, LAYOUT_LEFT};
	double height = layout_text(c, LAYOUT_MEASURE, &box, 0, spans, n) + above + below;
	layout_need(layout, height);
	c->ops->rect(c, layout->left, layout->y, layout->right - layout->left, height + 0.1, STYLE_BOX);
	c->ops->rect(c, layout->left, layout->y, 1.6, height + 0.1, STYLE_INK);
	layout_text(c, LAYOUT_DRAW, &box, layout->y + above, spans, n);
	layout->y += height;
}

static bool same_word(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Blocks void for one reason that say no number of their own are told once. */
static bool same_void(const struct doc_void *a, const struct doc_void *b)
{
	return isnan(a->would_read_percent) && isnan(b->would_read_percent) && same_word(a->harness, b->harness) &&
	       same_word(a->setting, b->setting) && same_word(a->reason, b->reason);
}

static void void_row(struct layout *layout, const struct analysis_doc *doc, size_t index)
{
	const struct doc_void *v = &doc->voids[index];
	CLEANUP(text_release) struct text what = {0};
	CLEANUP(text_release) struct text why = {0};
	CLEANUP(text_release) struct text blocks = {0};
	size_t n = 0;
	for (size_t i = index; i < doc->n_voids; i++)
		if (doc->voids[i].block && (i == index || same_void(v, &doc->voids[i])))
			text_format(&blocks, "%s%s", n++ > 0 ? ", " : "", doc->voids[i].block);
	format_setting(&what, doc, v->setting);
	text_format(&what, " on %s", v->harness ? v->harness : FORMAT_DASH);
	if (n > 0)
		text_format(&what, ", block%s %s", n > 1 ? "s" : "", text_string(&blocks));
	text_add(&what, ": ");
	format_prose(&why, v->reason ? v->reason : "no reason given");
	if (!isnan(v->would_read_percent)) {
		text_add(&why, "; it would read ");
		format_percent(&why, v->would_read_percent, FORMAT_SIGN_ALWAYS);
	}
	text_add_char(&why, '.');
	struct layout_span spans[] = {
		{STYLE_CELL_BOLD, text_string(&what)}, {STYLE_CELL, " "}, {STYLE_CELL, text_string(&why)}};
	boxed(layout, spans, 3, 0, 2);
}

void section_void_box(struct layout *layout, const struct analysis_doc *doc)
{
	layout_need(layout, 60);
	struct layout_span head = {STYLE_BLOCK_HEAD, "Void, and why"};
	boxed(layout, &head, 1, 5, 2);
	if (doc->n_voids == 0) {
		struct layout_span none = {STYLE_CELL, "No pair failed a check."};
		boxed(layout, &none, 1, 0, 6);
	}
	enum { SHOWN = 6 };
	size_t told = 0;
	size_t rest = 0;
	for (size_t i = 0; i < doc->n_voids; i++) {
		bool first = true;
		for (size_t j = 0; j < i && first; j++)
			first = !same_void(&doc->voids[j], &doc->voids[i]);
		if (first && told < SHOWN) {
			void_row(layout, doc, i);
			told++;
		} else if (first) {
			rest++;
		}
	}
	if (rest > 0) {
		CLEANUP(text_release) struct text more = {0};
		text_format(&more, "and %zu more, in the table of void pairs", rest);
		struct layout_span span = {STYLE_TEXT(ITALIC, 8.4, SECONDARY), text_string(&more)};
		boxed(layout, &span, 1, 0, 2);
	}
	if (doc->n_voids > 0) {
		struct layout *l = layout;
		l->canvas->ops->rect(l->canvas, l->left, l->y, l->right - l->left, 4, STYLE_BOX);
		l->canvas->ops->rect(l->canvas, l->left, l->y, 1.6, 4, STYLE_INK);
		l->y += 4;
	}
	layout->y += 14;
}

void section_questions(struct layout *layout, const struct analysis_doc *doc)
{
	struct canvas *c = layout->canvas;
	block_head(layout, "Open questions", doc->n_questions > 0 ? "to settle it" : NULL);
	if (doc->n_questions == 0) {
		struct layout_span none = {STYLE_CELL, "None."};
		layout_paragraph(layout, &none, 1, 11.4, 14);
		return;
	}
	double width = layout->right - layout->left;
	for (size_t i = 0; i < doc->n_questions; i++) {
		const struct doc_question *q = &doc->questions[i];
		CLEANUP(text_release) struct text prose = {0};
		format_prose(&prose, q->text ? q->text : q->subject ? q->subject : FORMAT_DASH);
		const char *text = text_string(&prose);
		struct layout_box left = {layout->left, q->settles ? width * 0.60 : width, 11.2, LAYOUT_LEFT};
		struct layout_box right = {layout->left + width * 0.64, width * 0.36, 11.2, LAYOUT_RIGHT};
		double a = layout_plain(c, LAYOUT_MEASURE, &left, 0, STYLE_CELL, text);
		double b = q->settles ? layout_plain(c, LAYOUT_MEASURE, &right, 0, STYLE_SMALL, q->settles) : 0;
		double height = a > b ? a : b;
		layout_need(layout, height);
		layout_plain(c, LAYOUT_DRAW, &left, layout->y, STYLE_CELL, text);
		if (q->settles)
			layout_plain(c, LAYOUT_DRAW, &right, layout->y, STYLE_SMALL, q->settles);
		layout->y += height + 2;
	}
	layout->y += 12;
}

static void notes_list(struct layout *layout, const struct doc_note *notes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		CLEANUP(text_release) struct text on = {0};
		text_format(&on, "%s: ", notes[i].on ? notes[i].on : "campaign");
		struct layout_span spans[] = {{STYLE_CELL_BOLD, text_string(&on)},
					      {STYLE_CELL, " "},
					      {STYLE_CELL, notes[i].text ? notes[i].text : FORMAT_DASH}};
		layout_paragraph(layout, spans, 3, 11.4, 2.6);
	}
	layout->y += 12;
}

void section_corrections(struct layout *layout, const struct analysis_doc *doc)
{
	if (doc->n_corrections > 0) {
		block_head(layout, "Corrected", NULL);
		notes_list(layout, doc->corrections, doc->n_corrections);
	}
	if (doc->n_decisions > 0) {
		block_head(layout, "Decided", NULL);
		notes_list(layout, doc->decisions, doc->n_decisions);
	}
}

#define EXPIRY                                                                                               \
	"Verdicts were read on these and expire with them: when one changes, what rests on it is to be run " \
	"again."
/* Narrower than this, a column: a line each reads better than a paragraph. */
#define COLUMN_WIDTH 300.0

/* In a column a line each, kept together. */
static void scope_lines(struct layout *layout, const struct analysis_doc *doc)
{
	const struct layout_box box = {layout->left, layout->right - layout->left, 11.4, LAYOUT_LEFT};
	struct layout_span expiry = {STYLE_SMALL, EXPIRY};
	double height = 18 + 20;

	for (size_t i = 0; i < doc->scope.n; i++)
		height += layout_plain(layout->canvas, LAYOUT_MEASURE, &box, 0, STYLE_CELL, doc->scope.items[i]) + 1.4;
	layout_need(layout, height);
	block_head(layout, "Scope", NULL);
	for (size_t i = 0; i < doc->scope.n; i++) {
		struct layout_span line = {STYLE_CELL, doc->scope.items[i]};
		layout_paragraph(layout, &line, 1, 11.4, 1.4);
	}
	layout_paragraph(layout, &expiry, 1, 9.8, 14);
}

void section_scope(struct layout *layout, const struct analysis_doc *doc)
{
	if (doc->scope.n == 0) {
		section_missing(layout, "Scope.", " Nothing recorded says where the verdicts hold.");
		return;
	}
	if (layout->right - layout->left < COLUMN_WIDTH) {
		scope_lines(layout, doc);
		return;
	}
	CLEANUP(text_release) struct text lines = {0};
	for (size_t i = 0; i < doc->scope.n; i++)
		text_format(&lines, "%s%s", i > 0 ? "; " : " ", doc->scope.items[i]);
	text_add(&lines, ". ");
	struct layout_span spans[] = {
		{STYLE_CELL_BOLD, "Scope."}, {STYLE_CELL, text_string(&lines)}, {STYLE_CELL_SECOND, EXPIRY}};
	layout_paragraph(layout, spans, 3, 11.4, 14);
}
