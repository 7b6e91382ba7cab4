#include "report/figure/catalogue.h"

#include "report/figure/frame_row.h"
#include "report/format.h"
#include "report/order.h"
#include "report/section.h"
#include "report/style.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW_HEIGHT 22.0
#define GROUP_HEIGHT 17.0
#define FLOOR_HEIGHT 10.4
#define GAIN_RIGHT 463.0

/* Drawn: it has a number, and is no benchmark reading without a floor. */
static bool is_drawn(const struct analysis_doc *doc, const struct doc_effect *e)
{
	const struct doc_harness *harness = order_harness(doc, e->harness);
	bool bench = !order_is_slice(doc, e);
	return order_family_of(e) != ORDER_NO_NUMBER && isfinite(e->gain_percent) &&
	       !(bench && harness && harness->unfloored);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The axis holds the middle of the catalogue; a row far beyond the rest is written as text with an arrow. */
static void choose_axis(struct frame_row *frame, const struct doc_effect *const *rows, size_t n)
{
	double reach = frame->margin > 0 ? 1.6 * frame->margin : 1;
	CLEANUP(mem_free) double *sizes = mem_new(n + 1, sizeof *sizes);
	for (size_t i = 0; i < n; i++)
		sizes[i] = fabs(rows[i]->gain_percent);
	qsort(sizes, n, sizeof *sizes, compare);
	double usual = n > 0 ? sizes[n / 2] : 0;
	double cap = 6 * usual > 12 * reach ? 6 * usual : 12 * reach;
	double lo = -reach;
	double hi = reach;
	for (size_t i = 0; i < n; i++) {
		const struct doc_effect *e = rows[i];
		if (fabs(e->gain_percent) > cap)
			continue;
		const double marks[] = {e->gain_percent, e->ci95_percent.lo, e->ci95_percent.hi,
					e->floor.kind ? e->floor.percent : (double)NAN,
					e->floor.kind ? -e->floor.percent : (double)NAN};
		for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
			if (!isfinite(marks[m]) || fabs(marks[m]) > cap)
				continue;
			lo = marks[m] < lo ? marks[m] : lo;
			hi = marks[m] > hi ? marks[m] : hi;
		}
	}
	frame_row_axis(frame, lo, hi);
}

static struct canvas_colour mark_colour(const struct doc_effect *e)
{
	if (!order_is_readable(e))
		return STYLE_INACTIVE;
	return e->gain_percent < 0 ? STYLE_LOSS : STYLE_GAIN;
}

static void draw_off_axis(struct frame_row *frame, const struct doc_effect *e, double y)
{
	struct canvas *c = frame->layout->canvas;
	struct canvas_style style = {CANVAS_BOLD, 7.2, mark_colour(e)};
	CLEANUP(text_release) struct text words = {0};
	if (e->gain_percent > 0) {
		format_percent(&words, e->gain_percent, FORMAT_SIGN_ALWAYS);
		text_add(&words, " \xE2\x86\x92");
		canvas_text_right(c, style, STYLE_PLOT_RIGHT - 3, y + 2.5, text_string(&words));
	} else {
		text_add(&words, "\xE2\x86\x90 ");
		format_percent(&words, e->gain_percent, FORMAT_SIGN_ALWAYS);
		canvas_text(c, style, STYLE_PLOT_LEFT + 3, y + 2.5, text_string(&words));
	}
}

static void draw_mark(struct frame_row *frame, const struct doc_effect *e, double y)
{
	struct canvas *c = frame->layout->canvas;
	bool weight = order_is_readable(e);
	if (e->floor.kind && isfinite(e->floor.percent)) {
		double left = frame_row_x(frame, -e->floor.percent);
		c->ops->rect(c, left, y - FLOOR_HEIGHT / 2, frame_row_x(frame, e->floor.percent) - left, FLOOR_HEIGHT,
			     STYLE_FLOOR);
		double zero = frame_row_x(frame, 0);
		c->ops->line(c, zero, y - FLOOR_HEIGHT / 2, zero, y + FLOOR_HEIGHT / 2, 0.6, STYLE_INACTIVE,
			     CANVAS_SOLID);
	}
	if (!frame_row_on_axis(frame, e->gain_percent)) {
		draw_off_axis(frame, e, y);
		return;
	}
	if (isfinite(e->ci95_percent.lo) && isfinite(e->ci95_percent.hi))
		c->ops->line(c, frame_row_x(frame, e->ci95_percent.lo), y, frame_row_x(frame, e->ci95_percent.hi), y,
			     0.9, mark_colour(e), CANVAS_SOLID);
	c->ops->dot(c, frame_row_x(frame, e->gain_percent), y, 2.5, mark_colour(e),
		    weight ? CANVAS_FILLED : CANVAS_HOLLOW);
}

static void draw_numbers(struct layout *layout, const struct doc_effect *e, double y)
{
	struct canvas *c = layout->canvas;
	bool weight = order_is_readable(e);
	struct canvas_style gain = weight ? STYLE_CELL_BOLD : STYLE_TEXT(REGULAR, 8.4, SECONDARY);
	struct canvas_style verdict = {CANVAS_BOLD, 6.9, weight ? mark_colour(e) : STYLE_SECONDARY};
	CLEANUP(text_release) struct text value = {0};
	CLEANUP(text_release) struct text lo = {0};
	CLEANUP(text_release) struct text hi = {0};
	CLEANUP(text_release) struct text words = {0};
	format_number(&value, e->gain_percent, FORMAT_SIGN_ALWAYS);
	canvas_text_right(c, gain, GAIN_RIGHT, y, text_string(&value));
	format_number(&lo, e->ci95_percent.lo, FORMAT_SIGN_MINUS_ONLY);
	format_number(&hi, e->ci95_percent.hi, FORMAT_SIGN_MINUS_ONLY);
	canvas_text_right(c, STYLE_CELL_SECOND, layout->right - 30, y, text_string(&lo));
	canvas_text_right(c, STYLE_CELL_SECOND, layout->right, y, text_string(&hi));
	format_verdict(&words, e->verdict);
	CLEANUP(text_release) struct text qualifier = {0};
	if (e->qualifiers.n > 0) {
		text_add(&qualifier, ", ");
		format_words(&qualifier, e->qualifiers.items[0]);
	}
	double width = canvas_measure(c, verdict, text_string(&words));
	double more = canvas_measure(c, STYLE_SUB, text_string(&qualifier));
	if (width + more > layout->right - STYLE_NUMBERS_LEFT)
		more = 0;
	canvas_text(c, verdict, layout->right - width - more, y + 8.6, text_string(&words));
	if (more > 0)
		canvas_text_right(c, STYLE_SUB, layout->right, y + 8.6, text_string(&qualifier));
}

static void draw_row(struct frame_row *frame, const struct analysis_doc *doc, const struct doc_effect *e, bool first)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	double middle = frame_row_next(frame, ROW_HEIGHT, 0);
	double top = middle - ROW_HEIGHT / 2;
	if (!first && top > frame->top + 1) {
		canvas_rule(c, layout->left, STYLE_LABEL_RIGHT, top, 0.3, STYLE_GRID);
		canvas_rule(c, STYLE_NUMBERS_LEFT, layout->right, top, 0.3, STYLE_GRID);
	}
	CLEANUP(text_release) struct text title = {0};
	CLEANUP(text_release) struct text sub = {0};
	format_setting(&title, doc, e->setting);
	layout_fitting(c, STYLE_CELL_BOLD, layout->left, top + 9.4, STYLE_LABEL_RIGHT - layout->left,
		       text_string(&title));
	if (e->relabelled) {
		text_add(&sub, "against ");
		format_setting(&sub, doc, e->control);
		text_add(&sub, ", ");
	}
	format_done(&sub, e->blocks, e->blocks_planned);
	text_add(&sub, e->blocks == 1 && (e->blocks_planned < 0 || e->blocks_planned == 1) ? " block" : " blocks");
	if (e->attempted >= 0)
		text_format(&sub, ", %" PRId64 " of %" PRId64 " finished", e->completed, e->attempted);
	layout_fitting(c, STYLE_SUB, layout->left, top + 18, STYLE_LABEL_RIGHT - layout->left, text_string(&sub));
	draw_mark(frame, e, middle);
	draw_numbers(layout, e, top + 9.4);
}

static void draw_group(struct frame_row *frame, const struct doc_harness *harness)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	double y = frame_row_next(frame, GROUP_HEIGHT, ROW_HEIGHT) + 3.5;
	if (layout->y - GROUP_HEIGHT > frame->top + 1)
		canvas_rule(c, layout->left, layout->right, layout->y - GROUP_HEIGHT, 0.4, STYLE_HEAD_RULE);
	struct canvas_style name = STYLE_TEXT(BOLD, 7.6, INK);
	layout_fitting(c, name, layout->left, y, 84, harness->name);
	double x = layout->left + canvas_measure(c, name, harness->name) + 5;
	CLEANUP(text_release) struct text what = {0};
	bool bench = harness->kind && strcmp(harness->kind, "bench") == 0;
	text_add(&what, bench ? "benchmark, ranks only" : harness->regime ? "" : "job");
	if (harness->regime)
		text_format(&what, "%sregime %s", bench ? ", " : "", harness->regime);
	if (x < STYLE_LABEL_RIGHT - 20)
		layout_fitting(c, STYLE_SUB, x, y, STYLE_LABEL_RIGHT - x, text_string(&what));
}

static void caption(struct layout *layout, size_t n_benches)
{
	CLEANUP(text_release) struct text out = {0};
	text_add(&out,
		 "Line: 95" FORMAT_NBSP "% t interval over blocks. Grey box: the row's own floor; light band: the "
		 "margin. Hollow and grey: not told apart from nothing, void, or a single run. Win and harm: p < "
		 "0.05 after Holm. Arrow: off this axis.");
	if (n_benches > 0) {
		text_format(&out, " Not drawn: %zu benchmark reading%s without a floor, and rows without a number.",
			    n_benches, n_benches == 1 ? "" : "s");
	}
	section_caption(layout, text_string(&out));
}

/* Slices first, by regime as they come in the document; benchmarks after. */
static void draw_groups(struct frame_row *frame, const struct analysis_doc *doc, const struct doc_effect *const *rows,
			size_t n, const char *kind)
{
	for (size_t h = 0; h < doc->n_harnesses; h++) {
		const struct doc_harness *harness = &doc->harnesses[h];
		bool slice = harness->kind && strcmp(harness->kind, "slice") == 0;
		if (slice != (strcmp(kind, "slice") == 0))
			continue;
		bool first = true;
		for (size_t i = 0; i < n; i++) {
			if (order_harness(doc, rows[i]->harness) != harness)
				continue;
			if (first)
				draw_group(frame, harness);
			draw_row(frame, doc, rows[i], first);
			first = false;
		}
	}
}

void figure_catalogue(struct layout *layout, const struct analysis_doc *doc)
{
	CLEANUP(mem_free) const struct doc_effect **sorted = order_effects(doc);
	CLEANUP(mem_free) const struct doc_effect **rows = mem_new(doc->n_effects + 1, sizeof *rows);
	size_t n = 0;
	size_t n_benches = 0;
	for (size_t i = 0; i < doc->n_effects; i++) {
		if (is_drawn(doc, sorted[i]))
			rows[n++] = sorted[i];
		else if (!order_is_slice(doc, sorted[i]) && isfinite(sorted[i]->gain_percent))
			n_benches++;
	}
	if (n == 0) {
		section_missing(layout, "Catalogue.", " No comparison gave a number that can be drawn.");
		return;
	}
	struct frame_row frame = {.layout = layout,
				  .sign = FORMAT_SIGN_ALWAYS,
				  .value_right = GAIN_RIGHT,
				  .margin = doc->margin_percent,
				  .label_head = "Setting",
				  .value_head = "Gain, %",
				  .interval_head = "95" FORMAT_NBSP "% CI, verdict"};
	choose_axis(&frame, rows, n);
	layout_need(layout, 110);
	layout_title(layout, "Figure", ++layout->figures,
		     "Catalogue of settings, each against its own control in the same job");
	frame_row_open(&frame);
	draw_groups(&frame, doc, rows, n, "slice");
	draw_groups(&frame, doc, rows, n, "bench");
	frame_row_close(&frame);
	caption(layout, n_benches);
}
