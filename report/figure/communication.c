#include "report/figure/communication.h"

#include "report/figure/frame_row.h"
#include "report/format.h"
#include "report/order.h"
#include "report/section.h"
#include "report/style.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define GROUP_HEIGHT 17.0
#define BAR_ROW_HEIGHT 24.0
#define BAR_HEIGHT 15.0
#define ROW_HEIGHT 22.0
/* Further right than a gain: the bracket is two numbers wide. */
#define VALUE_RIGHT 473.0
#define BRACKET_END 2.6
#define WHY_LEADING 8.8
#define WHY_HEIGHT 32.0

enum mark { MARK_POINT, MARK_BRACKET, MARK_AT_LEAST };

/* One line of the bracket; shares in percent. */
struct share {
	const char *name, *how;
	enum mark mark;
	double value, to;
	struct doc_interval ci95;
	const char *interval_word; /* instead of an interval */
};

static struct doc_interval in_percent(struct doc_interval share)
{
	return (struct doc_interval){100 * share.lo, 100 * share.hi};
}

static void draw_mark(const struct frame_row *frame, const struct share *share, bool resolved, double y)
{
	struct canvas *c = frame->layout->canvas;
	struct canvas_colour colour = resolved ? STYLE_GAIN : STYLE_INACTIVE;
	double x = frame_row_x(frame, share->value);

	if (share->mark == MARK_BRACKET) {
		double end = frame_row_x(frame, share->to);
		c->ops->line(c, x, y, end, y, 0.9, STYLE_INK, CANVAS_SOLID);
		c->ops->line(c, x, y - BRACKET_END, x, y + BRACKET_END, 0.9, STYLE_INK, CANVAS_SOLID);
		c->ops->line(c, end, y - BRACKET_END, end, y + BRACKET_END, 0.9, STYLE_INK, CANVAS_SOLID);
		return;
	}
	if (share->mark == MARK_AT_LEAST) {
		double end = frame_row_x(frame, 100);
		c->ops->line(c, x, y, end - 1, y, 0.9, STYLE_INK, CANVAS_SOLID);
		c->ops->line(c, x, y - BRACKET_END, x, y + BRACKET_END, 0.9, STYLE_INK, CANVAS_SOLID);
		c->ops->line(c, end - 5, y - BRACKET_END, end - 1, y, 0.9, STYLE_INK, CANVAS_SOLID);
		c->ops->line(c, end - 5, y + BRACKET_END, end - 1, y, 0.9, STYLE_INK, CANVAS_SOLID);
		return;
	}
	if (isfinite(share->ci95.lo) && isfinite(share->ci95.hi))
		c->ops->line(c, frame_row_x(frame, share->ci95.lo), y, frame_row_x(frame, share->ci95.hi), y, 0.9,
			     colour, CANVAS_SOLID);
	if (frame_row_on_axis(frame, share->value))
		c->ops->dot(c, x, y, 2.5, colour, resolved ? CANVAS_FILLED : CANVAS_HOLLOW);
}

static void draw_numbers(const struct frame_row *frame, const struct share *share, bool resolved, double y)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	CLEANUP(text_release) struct text value = {0};

	if (share->mark == MARK_AT_LEAST)
		text_add(&value, "\xE2\x89\xA5" FORMAT_NBSP);
	if (share->mark == MARK_BRACKET)
		format_range(&value, (struct doc_interval){share->value, share->to});
	else
		format_number(&value, share->value, FORMAT_SIGN_MINUS_ONLY);
	canvas_text_right(c, resolved ? STYLE_CELL_BOLD : STYLE_TEXT(REGULAR, 8.4, SECONDARY), VALUE_RIGHT, y,
			  text_string(&value));
	if (share->interval_word) {
		canvas_text_right(c, STYLE_SMALL, layout->right, y, share->interval_word);
		return;
	}
	CLEANUP(text_release) struct text lo = {0};
	CLEANUP(text_release) struct text hi = {0};
	format_number(&lo, share->ci95.lo, FORMAT_SIGN_MINUS_ONLY);
	format_number(&hi, share->ci95.hi, FORMAT_SIGN_MINUS_ONLY);
	canvas_text_right(c, STYLE_CELL_SECOND, layout->right - 30, y, text_string(&lo));
	canvas_text_right(c, STYLE_CELL_SECOND, layout->right, y, text_string(&hi));
}

/* The two edges of the bracket run down through the rows. */
struct guides {
	double recovered, f;
};

static void draw_guides(const struct frame_row *frame, const struct guides *guides, double top, double height)
{
	struct canvas *c = frame->layout->canvas;
	const double at[] = {guides->recovered, guides->f};

	for (size_t i = 0; i < 2; i++) {
		double x = frame_row_x(frame, at[i]);
		c->ops->line(c, x, top, x, top + height, 0.4, STYLE_HEAD_RULE, CANVAS_SOLID);
	}
}

static void draw_share(struct frame_row *frame, const struct share *share, const struct guides *guides, bool resolved)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	double middle = frame_row_next(frame, ROW_HEIGHT, 0);
	double top = middle - ROW_HEIGHT / 2;

	if (guides)
		draw_guides(frame, guides, top, ROW_HEIGHT);
	if (top > frame->top + 1) {
		canvas_rule(c, layout->left, STYLE_LABEL_RIGHT, top, 0.3, STYLE_GRID);
		canvas_rule(c, STYLE_NUMBERS_LEFT, layout->right, top, 0.3, STYLE_GRID);
	}
	layout_fitting(c, STYLE_CELL_BOLD, layout->left, top + 9.4, STYLE_LABEL_RIGHT - layout->left, share->name);
	layout_fitting(c, STYLE_SUB, layout->left, top + 18, STYLE_LABEL_RIGHT - layout->left, share->how);
	draw_mark(frame, share, resolved, middle);
	draw_numbers(frame, share, resolved, top + 13.6);
}

/* What the rows below speak of, under a rule; its words may cross the plot, whose grid is taken off. */
static void draw_group(struct frame_row *frame, const char *title, const char *what, double keep_with)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	double y = frame_row_next(frame, GROUP_HEIGHT, keep_with) + 3.5;
	double top = layout->y - GROUP_HEIGHT;
	struct canvas_style name = STYLE_TEXT(BOLD, 7.6, INK);
	const double room = 300;

	c->ops->rect(c, STYLE_PLOT_LEFT - 1, top + 0.3, STYLE_PLOT_RIGHT - STYLE_PLOT_LEFT + 2, GROUP_HEIGHT - 0.3,
		     STYLE_PAPER);
	if (top > frame->top + 1)
		canvas_rule(c, layout->left, layout->right, top, 0.4, STYLE_HEAD_RULE);
	double width = canvas_measure(c, name, title);
	layout_fitting(c, name, layout->left, y, room, title);
	double x = layout->left + (width < room ? width : room) + 5;
	layout_fitting(c, STYLE_SUB, x, y, layout->right - x, what);
}

static void add_size(struct text *out, const struct analysis_doc *doc, const char *name, int64_t blocks)
{
	const struct doc_harness *harness = analysis_doc_find_harness(doc, name);

	text_format(out, ", %" PRId64 " block%s", blocks, blocks == 1 ? "" : "s");
	if (harness && harness->ranks > 0)
		text_format(out, ", %" PRId64 " ranks", harness->ranks);
	if (harness && harness->micro_steps > 0)
		text_format(out, ", %" PRId64 " micro-step%s", harness->micro_steps,
			    harness->micro_steps == 1 ? "" : "s");
}

/* The step of the control: what the smaller payload took away, what of it is left, and the rest. */
static void draw_step(struct frame_row *frame, const struct guides *guides, bool resolved)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	double middle = frame_row_next(frame, BAR_ROW_HEIGHT, 0);
	double top = middle - BAR_ROW_HEIGHT / 2;
	double y = middle - BAR_HEIGHT / 2;
	double zero = frame_row_x(frame, 0);
	double recovered = frame_row_x(frame, guides->recovered);
	double f = frame_row_x(frame, guides->f);
	double end = frame_row_x(frame, 100);
	const char *rest = "compute, and what hides behind it";

	c->ops->rect(c, zero, y, recovered - zero, BAR_HEIGHT, resolved ? STYLE_GAIN : STYLE_INACTIVE);
	c->ops->rect(c, recovered, y, f - recovered, BAR_HEIGHT, resolved ? STYLE_TINT : STYLE_HEAD_RULE);
	c->ops->rect(c, f, y, end - f, BAR_HEIGHT, STYLE_FLOOR);
	draw_guides(frame, guides, y + BAR_HEIGHT, BAR_ROW_HEIGHT - (y + BAR_HEIGHT - top));
	if (canvas_measure(c, STYLE_TEXT(REGULAR, 6.9, INK), rest) + 8 < end - f)
		canvas_text(c, STYLE_TEXT(REGULAR, 6.9, INK), f + 5, middle + 2.4, rest);
	layout_fitting(c, STYLE_CELL_BOLD, layout->left, top + 10.4, STYLE_LABEL_RIGHT - layout->left,
		       "One step of the control");
	layout_fitting(c, STYLE_SUB, layout->left, top + 19, STYLE_LABEL_RIGHT - layout->left,
		       "dark: recovered; pale: the rest of f");
}

static void draw_bracket(struct frame_row *frame, const struct doc_fraction *row)
{
	const struct guides guides = {100 * row->recovered, 100 * row->f};
	CLEANUP(text_release) struct text measured = {0};
	CLEANUP(text_release) struct text solved = {0};

	text_format(&measured, "measured, %" PRId64 " block%s", row->blocks, row->blocks == 1 ? "" : "s");
	text_format(&solved, "recovered / (1 " FORMAT_MINUS " %g)", row->payload_ratio);
	const struct share shares[] = {
		{.name = "recovered",
		 .how = text_string(&measured),
		 .value = guides.recovered,
		 .ci95 = in_percent(row->recovered_ci95)},
		{.name = "exposed",
		 .how = "between its two neighbours",
		 .mark = MARK_BRACKET,
		 .value = 100 * row->exposed.lo,
		 .to = 100 * row->exposed.hi,
		 .interval_word = "bracket"},
		{.name = "f, solved", .how = text_string(&solved), .value = guides.f, .ci95 = in_percent(row->f_ci95)},
		{.name = "total",
		 .how = "no upper bound from throughput",
		 .mark = MARK_AT_LEAST,
		 .value = 100 * row->total_at_least,
		 .interval_word = "bracket"},
	};
	draw_step(frame, &guides, row->resolved);
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
		draw_share(frame, &shares[i], &guides, row->resolved);
}

/* Why the share of the row just drawn is no answer: right of its mark, or below it over the width. */
static void draw_why(struct frame_row *frame, const struct share *share, const char *why)
{
	struct layout *layout = frame->layout;
	CLEANUP(text_release) struct text prose = {0};
	const double left = isfinite(share->value) && frame_row_on_axis(frame, share->value)
				    ? frame_row_x(frame, fmax(share->value, share->ci95.hi)) + 6
				    : STYLE_PLOT_LEFT + 6;
	double room = STYLE_PLOT_RIGHT - left - 4;

	format_prose(&prose, why);
	why = text_string(&prose);
	double width = canvas_measure(layout->canvas, STYLE_SMALL_ITALIC, why);
	if (width <= room) {
		layout->canvas->ops->rect(layout->canvas, left - 2, layout->y - 17, width + 4, 11, STYLE_PAPER);
		canvas_text(layout->canvas, STYLE_SMALL_ITALIC, left, layout->y - 8.6, why);
		return;
	}
	const struct layout_box box = {STYLE_PLOT_LEFT, layout->right - STYLE_PLOT_LEFT, WHY_LEADING, LAYOUT_LEFT};
	double height = layout_plain(layout->canvas, LAYOUT_MEASURE, &box, 0, STYLE_SMALL_ITALIC, why);
	double top = frame_row_next(frame, height + 4, 0) - height / 2 - 2;
	layout->canvas->ops->rect(layout->canvas, STYLE_PLOT_LEFT - 1, top, box.width + 1, height + 4, STYLE_PAPER);
	layout_plain(layout->canvas, LAYOUT_DRAW, &box, top, STYLE_SMALL_ITALIC, why);
}

/* A fraction that is no bracket: its number, hollow where it is on the axis, and why in the plot. */
static void draw_reason(struct frame_row *frame, const struct doc_fraction *row)
{
	const struct share share = {.name = "f, solved",
				    .how = row->model_violated ? "model violated" : "not resolved",
				    .value = 100 * row->f,
				    .ci95 = in_percent(row->f_ci95),
				    .interval_word = isfinite(row->f) ? NULL : "no number"};

	draw_share(frame, &share, NULL, false);
	draw_why(frame, &share, row->reason ? row->reason : "not resolved");
}

static void draw_fit(struct frame_row *frame, const struct analysis_doc *doc, const struct doc_fraction_fit *fit)
{
	CLEANUP(text_release) struct text title = {0};
	CLEANUP(text_release) struct text what = {0};
	CLEANUP(text_release) struct text how = {0};

	text_format(&title, "all ratios on %s", fit->harness);
	for (size_t i = 0; i < fit->n_ratios; i++)
		text_format(&what, "%s%g", i > 0 ? ", " : "", fit->ratios[i].log_gain);
	text_add(&what, " of the bytes");
	add_size(&what, doc, fit->harness, fit->blocks);
	for (size_t i = 0; i < fit->left_out.n; i++)
		text_format(&what, "%s%s", i > 0 ? ", " : "; left out: ", fit->left_out.items[i]);
	if (fit->f_reason)
		text_add(&how, fit->f_reason);
	else if (fit->model_violated)
		text_add(&how, "model violated");
	else if (isfinite(fit->hinge_p))
		text_format(&how, "%s, p = %.2g", fit->hinge_found ? "with a hinge" : "no hinge seen", fit->hinge_p);
	else
		text_add(&how, "the blocks do not differ");
	const struct share share = {.name = "f, weighted line",
				    .how = text_string(&how),
				    .value = 100 * fit->f,
				    .ci95 = in_percent(fit->f_ci95)};
	draw_group(frame, text_string(&title), text_string(&what), ROW_HEIGHT + (fit->model_violated ? WHY_HEIGHT : 0));
	draw_share(frame, &share, NULL, fit->f_ci95.lo > 0 && !fit->model_violated);
	if (fit->model_violated)
		draw_why(frame, &share, fit->reason ? fit->reason : "the ratios contradict one model");
}

static void draw_fraction(struct frame_row *frame, const struct analysis_doc *doc, const struct doc_fraction *row)
{
	bool bracketed = isfinite(row->exposed.lo) && row->f > 0;
	CLEANUP(text_release) struct text title = {0};
	CLEANUP(text_release) struct text what = {0};

	format_setting(&title, doc, row->setting);
	text_format(&title, " on %s", row->harness);
	text_format(&what, "%g of the bytes", row->payload_ratio);
	add_size(&what, doc, row->harness, row->blocks);
	if (bracketed && !row->resolved && row->reason)
		text_format(&what, "; %s", row->reason);
	draw_group(frame, text_string(&title), text_string(&what),
		   bracketed ? BAR_ROW_HEIGHT + 4 * ROW_HEIGHT : ROW_HEIGHT + WHY_HEIGHT);
	if (bracketed)
		draw_bracket(frame, row);
	else
		draw_reason(frame, row);
}

static void caption(struct layout *layout, const struct analysis_doc *doc)
{
	CLEANUP(text_release) struct text out = {0};
	const struct doc_fraction *widest = NULL;

	text_add(&out, "n = blocks, in the head of each row. Intervals: the 95" FORMAT_NBSP
		       "% t interval of the log ratio, transformed. Assumed: ");
	for (size_t i = 0; i < doc->fractions[0].assumptions.n; i++)
		text_format(&out, "%s%s", i > 0 ? "; " : "", doc->fractions[0].assumptions.items[i]);
	text_add(&out, ". A split, not a profile: nothing was timed inside the step. Hollow and grey: not resolved.");
	for (size_t i = 0; i < doc->n_fractions; i++)
		if (doc->fractions[i].resolved &&
		    (!widest || doc->fractions[i].ceiling_percent > widest->ceiling_percent))
			widest = &doc->fractions[i];
	if (widest) {
		text_add(&out, " A perfect network would gain at most ");
		format_percent(&out, widest->ceiling_percent, FORMAT_SIGN_MINUS_ONLY);
		if (isfinite(widest->ceiling_ci95_percent.hi)) {
			text_add(&out, " (");
			format_range(&out, widest->ceiling_ci95_percent);
			text_add_char(&out, ')');
		}
		text_format(&out, " on %s", widest->harness);
		/* Then the interval of f reaches the whole step. */
		text_add(&out, isfinite(widest->ceiling_ci95_percent.hi) ? "." : "; its interval has no upper end.");
	}
	section_caption(layout, text_string(&out));
}

void figure_communication(struct layout *layout, const struct analysis_doc *doc)
{
	if (doc->n_fractions == 0) {
		section_missing(layout, "Communication fraction.",
				" No setting of a job declares payload_ratio, so nothing was solved.");
		return;
	}
	struct frame_row frame = {.layout = layout,
				  .lo = 0,
				  .hi = 100,
				  .step = 20,
				  .label_head = "Share of the step",
				  .value_right = VALUE_RIGHT,
				  .value_head = "Share, %",
				  .interval_head = "95" FORMAT_NBSP "% CI"};
	layout_need(layout, 190);
	layout_title(layout, "Figure", ++layout->figures, "The step split by what a smaller payload took away");
	frame_row_open(&frame);
	for (size_t i = 0; i < doc->n_fractions; i++) {
		const struct doc_fraction *row = &doc->fractions[i];
		draw_fraction(&frame, doc, row);
		bool last = i + 1 == doc->n_fractions || strcmp(doc->fractions[i + 1].harness, row->harness) != 0;
		for (size_t j = 0; last && j < doc->n_fraction_fits; j++)
			if (strcmp(doc->fraction_fits[j].harness, row->harness) == 0)
				draw_fit(&frame, doc, &doc->fraction_fits[j]);
	}
	frame_row_close(&frame);
	caption(layout, doc);
}
