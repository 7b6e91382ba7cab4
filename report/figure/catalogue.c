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
	const struct doc_harness *harness = analysis_doc_find_harness(doc, e->harness);
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
		double width = canvas_measure(c, style, text_string(&words));
		c->ops->rect(c, STYLE_PLOT_RIGHT - width - 5, y - 5, width + 4, 10, STYLE_PAPER);
		canvas_text_right(c, style, STYLE_PLOT_RIGHT - 3, y + 2.5, text_string(&words));
	} else {
		text_add(&words, "\xE2\x86\x90 ");
		format_percent(&words, e->gain_percent, FORMAT_SIGN_ALWAYS);
		double width = canvas_measure(c, style, text_string(&words));
		c->ops->rect(c, STYLE_PLOT_LEFT + 1, y - 5, width + 4, 10, STYLE_PAPER);
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

/* The qualifiers of a row in words; the target's stands in the caption, once. */
static void qualifier_words(const struct doc_effect *e, struct text *out)
{
	for (size_t i = 0; i < e->qualifiers.n; i++) {
		text_add(out, out->length > 0 ? ", " : "");
		format_qualifier(out, e->qualifiers.items[i]);
	}
}

static void verdict_words(const struct doc_effect *e, struct text *verdict, struct text *qualifiers)
{
	format_verdict(verdict, e->verdict);
	qualifier_words(e, qualifiers);
}

static struct canvas_style verdict_style(const struct doc_effect *e)
{
	return (struct canvas_style){CANVAS_BOLD, 6.9, order_is_readable(e) ? mark_colour(e) : STYLE_SECONDARY};
}

/* Whether the qualifiers stand beside the verdict; else they are a line of the label. */
static bool fits_beside(struct layout *layout, const struct doc_effect *e, const char *verdict, const char *qualifiers)
{
	double width = canvas_measure(layout->canvas, verdict_style(e), verdict) +
		       canvas_measure(layout->canvas, STYLE_SUB, ", ") +
		       canvas_measure(layout->canvas, STYLE_SUB, qualifiers);

	return width <= layout->right - STYLE_NUMBERS_LEFT;
}

static void draw_numbers(struct layout *layout, const struct doc_effect *e, double y)
{
	struct canvas *c = layout->canvas;
	bool weight = order_is_readable(e);
	struct canvas_style gain = weight ? STYLE_CELL_BOLD : STYLE_TEXT(REGULAR, 8.4, SECONDARY);
	CLEANUP(text_release) struct text value = {0};
	CLEANUP(text_release) struct text lo = {0};
	CLEANUP(text_release) struct text hi = {0};
	CLEANUP(text_release) struct text words = {0};
	CLEANUP(text_release) struct text qualifiers = {0};
	format_number(&value, e->gain_percent, FORMAT_SIGN_ALWAYS);
	canvas_text_right(c, gain, GAIN_RIGHT, y, text_string(&value));
	format_number(&lo, e->ci95_percent.lo, FORMAT_SIGN_MINUS_ONLY);
	format_number(&hi, e->ci95_percent.hi, FORMAT_SIGN_MINUS_ONLY);
	canvas_text_right(c, STYLE_CELL_SECOND, layout->right - 30, y, text_string(&lo));
	canvas_text_right(c, STYLE_CELL_SECOND, layout->right, y, text_string(&hi));
	verdict_words(e, &words, &qualifiers);
	double right = layout->right;
	if (qualifiers.length > 0 && fits_beside(layout, e, text_string(&words), text_string(&qualifiers))) {
		canvas_text_right(c, STYLE_SUB, right, y + 8.6, text_string(&qualifiers));
		right -= canvas_measure(c, STYLE_SUB, text_string(&qualifiers));
		right -= canvas_measure(c, STYLE_SUB, ", ");
		canvas_text(c, STYLE_SUB, right, y + 8.6, ",");
	}
	canvas_text_right(c, verdict_style(e), right, y + 8.6, text_string(&words));
}

/* The harnesses of one regime; a harness that names none is a group of its own. */
struct regime {
	const struct doc_harness *first;
	const struct doc_harness **harnesses;
	size_t n;
};

static void row_words(const struct analysis_doc *doc, const struct regime *regime, const struct doc_effect *e,
		      struct text *sub)
{
	if (regime->n > 1)
		text_format(sub, "%s, ", e->harness);
	if (e->relabelled) {
		text_add(sub, "against ");
		format_setting(sub, doc, e->control);
		text_add(sub, ", ");
	}
	format_done(sub, e->blocks, e->blocks_planned);
	text_add(sub, e->blocks == 1 && (e->blocks_planned < 0 || e->blocks_planned == 1) ? " block" : " blocks");
	if (e->attempted >= 0)
		text_format(sub, ", %" PRId64 " of %" PRId64 " finished", e->completed, e->attempted);
}

static void draw_row(struct frame_row *frame, const struct analysis_doc *doc, const struct regime *regime,
		     const struct doc_effect *e, enum frame_row_place place)
{
	struct layout *layout = frame->layout;
	CLEANUP(text_release) struct text title = {0};
	CLEANUP(text_release) struct text sub = {0};
	CLEANUP(text_release) struct text verdict = {0};
	CLEANUP(text_release) struct text qualifiers = {0};
	format_setting(&title, doc, e->setting);
	row_words(doc, regime, e, &sub);
	verdict_words(e, &verdict, &qualifiers);
	bool beside = fits_beside(layout, e, text_string(&verdict), text_string(&qualifiers));
	const struct frame_row_label label = {text_string(&title), text_string(&sub),
					      beside ? NULL : text_string(&qualifiers), 0};
	double height = frame_row_label_height(frame, &label, ROW_HEIGHT);
	double middle = frame_row_next(frame, height, 0);
	frame_row_label(frame, &label, middle - height / 2, place);
	draw_mark(frame, e, middle);
	draw_numbers(layout, e, middle - 1.6);
}

static bool is_bench(const struct doc_harness *harness)
{
	return harness->kind && strcmp(harness->kind, "bench") == 0;
}

static bool same_regime(const struct doc_harness *a, const struct doc_harness *b)
{
	bool named = a->regime && b->regime ? strcmp(a->regime, b->regime) == 0 : a->regime == b->regime;
	bool told = a->regime || a->micro_steps > 0;

	return a == b || (told && named && a->micro_steps == b->micro_steps && is_bench(a) == is_bench(b));
}

static void draw_group(struct frame_row *frame, const struct regime *regime)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	const struct doc_harness *first = regime->first;
	double y = frame_row_next(frame, GROUP_HEIGHT, ROW_HEIGHT) + 3.5;
	CLEANUP(text_release) struct text title = {0};
	CLEANUP(text_release) struct text what = {0};
	if (layout->y - GROUP_HEIGHT > frame->top + 1)
		canvas_rule(c, layout->left, layout->right, layout->y - GROUP_HEIGHT, 0.4, STYLE_HEAD_RULE);
	if (first->regime)
		text_format(&title, "Regime %s", first->regime);
	else if (first->micro_steps > 0)
		text_format(&title, "%" PRId64 " micro-step%s", first->micro_steps, first->micro_steps == 1 ? "" : "s");
	else
		text_add(&title, first->name);
	if (first->regime && first->micro_steps > 0)
		text_format(&what, "%" PRId64 " micro-step%s, ", first->micro_steps,
			    first->micro_steps == 1 ? "" : "s");
	if (is_bench(first))
		text_add(&what, "benchmark, ranks only");
	else if (regime->n > 1)
		text_format(&what, "%zu jobs", regime->n);
	else
		text_add(&what, first->regime || first->micro_steps > 0 ? first->name : "job");
	/* words that cross the plot take its grid off */
	struct canvas_style name = STYLE_TEXT(BOLD, 7.6, INK);
	double room = STYLE_PLOT_RIGHT - layout->left - 120, width = canvas_measure(c, name, text_string(&title));
	double x = layout->left + (width < room ? width : room) + 5;
	double end = x + canvas_measure(c, STYLE_SUB, text_string(&what));
	end = end < layout->right ? end : layout->right;
	if (end > STYLE_PLOT_LEFT - 2)
		c->ops->rect(c, STYLE_PLOT_LEFT - 2, layout->y - GROUP_HEIGHT + 0.3, end - STYLE_PLOT_LEFT + 5,
			     GROUP_HEIGHT - 0.3, STYLE_PAPER);
	layout_fitting(c, name, layout->left, y, room, text_string(&title));
	layout_fitting(c, STYLE_SUB, x, y, layout->right - x, text_string(&what));
}

static void caption(struct layout *layout, const struct doc_effect *const *rows, size_t n, size_t n_benches)
{
	CLEANUP(text_release) struct text out = {0};
	bool off_target = false;
	for (size_t i = 0; i < n; i++)
		off_target = off_target || string_list_has(&rows[i]->qualifiers, ORDER_NOT_THE_TARGET);
	text_add(&out,
		 "n = blocks, a pair of arms each. Line: 95" FORMAT_NBSP
		 "% t interval over blocks. Grey box: the row's "
		 "own floor; light band: the margin. Hollow and grey: not told apart from nothing, void, or a single "
		 "run");
	text_add(&out, off_target ? "; or not the target: measured at another node, rank or micro-step count than the "
				    "plan's, where a row ranks and does not size. "
				  : ". ");
	text_add(&out, "Win and harm: p < 0.05 after Holm. Arrow: off this axis.");
	if (n_benches > 0) {
		text_format(&out, " Not drawn: %zu benchmark reading%s without a floor, and rows without a number.",
			    n_benches, n_benches == 1 ? "" : "s");
	}
	section_caption(layout, text_string(&out));
}

static bool has_rows(const struct analysis_doc *doc, const struct doc_harness *harness,
		     const struct doc_effect *const *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (analysis_doc_find_harness(doc, rows[i]->harness) == harness)
			return true;
	return false;
}

/* The harnesses with rows that share the regime of one; none when an earlier one told it. */
static void find_regime(const struct analysis_doc *doc, size_t index, const struct doc_effect *const *rows, size_t n,
			struct regime *ret)
{
	ret->n = 0;
	for (size_t h = 0; h < doc->n_harnesses; h++) {
		const struct doc_harness *harness = &doc->harnesses[h];
		if (!has_rows(doc, harness, rows, n) || !same_regime(&doc->harnesses[index], harness))
			continue;
		if (h < index) {
			ret->n = 0;
			return;
		}
		ret->harnesses[ret->n++] = harness;
	}
	ret->first = ret->n > 0 ? ret->harnesses[0] : NULL;
}

/* Slices first, by regime as they come in the document; benchmarks after. */
static void draw_groups(struct frame_row *frame, const struct analysis_doc *doc, const struct doc_effect *const *rows,
			size_t n, const char *kind)
{
	struct regime regime = {.harnesses = mem_new(doc->n_harnesses + 1, sizeof(const struct doc_harness *))};
	for (size_t h = 0; h < doc->n_harnesses; h++) {
		if (is_bench(&doc->harnesses[h]) != (strcmp(kind, "bench") == 0))
			continue;
		find_regime(doc, h, rows, n, &regime);
		if (regime.n == 0)
			continue;
		draw_group(frame, &regime);
		enum frame_row_place place = FRAME_ROW_FIRST;
		for (size_t i = 0; i < n; i++) {
			const struct doc_harness *harness = analysis_doc_find_harness(doc, rows[i]->harness);
			if (!harness || !same_regime(regime.first, harness))
				continue;
			draw_row(frame, doc, &regime, rows[i], place);
			place = FRAME_ROW_NEXT;
		}
	}
	mem_free_pointer(&regime.harnesses);
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
	caption(layout, rows, n, n_benches);
}
