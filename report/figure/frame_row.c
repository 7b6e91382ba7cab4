#include "report/figure/frame_row.h"

#include "base/text.h"
#include "report/format.h"
#include "report/style.h"

#include <math.h>

#define NAME_LEADING 9.6
#define SUB_LEADING 8.6

void frame_row_axis(struct frame_row *frame, double lo, double hi)
{
	double span = hi - lo;
	double rough = span / 6;
	double power = pow(10, floor(log10(rough)));
	double unit = rough / power;
	frame->step = power * (unit <= 1 ? 1 : unit <= 2 ? 2 : unit <= 5 ? 5 : 10);
	frame->lo = lo - span * 0.06;
	frame->hi = hi + span * 0.06;
}

double frame_row_x(const struct frame_row *frame, double value)
{
	double share = (value - frame->lo) / (frame->hi - frame->lo);
	share = share < 0 ? 0 : share > 1 ? 1 : share;
	return STYLE_PLOT_LEFT + share * (STYLE_PLOT_RIGHT - STYLE_PLOT_LEFT);
}

bool frame_row_on_axis(const struct frame_row *frame, double value)
{
	return value >= frame->lo && value <= frame->hi;
}

static double first_tick(const struct frame_row *frame)
{
	return ceil(frame->lo / frame->step) * frame->step;
}

void frame_row_open(struct frame_row *frame)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	double y = layout->y + 12;
	layout_fitting(c, STYLE_SMALL, layout->left, y, STYLE_LABEL_RIGHT - layout->left, frame->label_head);
	const int decimals = frame->step < 1 ? (int)ceil(-log10(frame->step) - 1e-9) : 0;
	/* a label that would run into the next head is left out */
	const double right = frame->value_right - canvas_measure(c, STYLE_SMALL, frame->value_head) - 3;
	for (double tick = first_tick(frame); tick <= frame->hi; tick += frame->step) {
		CLEANUP(text_release) struct text label = {0};
		double value = fabs(tick) < frame->step * 1e-6 ? 0 : tick;
		format_fixed(&label, value, decimals, frame->sign);
		double half = canvas_measure(c, STYLE_SMALL, text_string(&label)) / 2;
		double x = frame_row_x(frame, value);
		if (x + half < right && x - half > STYLE_LABEL_RIGHT)
			canvas_text_centre(c, STYLE_SMALL, x, y, text_string(&label));
	}
	canvas_text_right(c, STYLE_SMALL, frame->value_right, y, frame->value_head);
	if (frame->middle_head)
		canvas_text_right(c, STYLE_SMALL, frame->middle_right, y, frame->middle_head);
	canvas_text_right(c, STYLE_SMALL, layout->right, y, frame->interval_head);
	canvas_rule(c, layout->left, layout->right, y + 5, 0.6, STYLE_INK);
	layout->y = y + 5.3;
	frame->top = layout->y;
}

double frame_row_next(struct frame_row *frame, double height, double keep_with)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	if (layout->y + height + keep_with + 26 > STYLE_BOTTOM(c)) {
		frame_row_close(frame);
		layout_page(layout);
		frame_row_open(frame);
	}
	double y = layout->y;
	if (frame->margin > 0) {
		double left = frame_row_x(frame, -frame->margin);
		c->ops->rect(c, left, y, frame_row_x(frame, frame->margin) - left, height, STYLE_BAND);
	}
	for (double tick = first_tick(frame); tick <= frame->hi; tick += frame->step) {
		double x = frame_row_x(frame, tick);
		bool zero = frame->zero == FRAME_ROW_ZERO_DARK && fabs(tick) < frame->step * 1e-6;
		c->ops->line(c, x, y, x, y + height, zero ? 0.6 : 0.4, zero ? STYLE_INACTIVE : STYLE_GRID,
			     CANVAS_SOLID);
	}
	layout->y += height;
	return y + height / 2;
}

static struct layout_box label_box(const struct frame_row *frame, double leading)
{
	double left = frame->layout->left;
	return (struct layout_box){left, STYLE_LABEL_RIGHT - left, leading, LAYOUT_LEFT};
}

double frame_row_label_height(const struct frame_row *frame, const struct frame_row_label *label, double least)
{
	struct canvas *c = frame->layout->canvas;
	const struct layout_box name = label_box(frame, NAME_LEADING);
	const struct layout_box sub = label_box(frame, SUB_LEADING);
	const char *const subs[] = {label->sub, label->more};
	double height = layout_plain(c, LAYOUT_MEASURE, &name, 0, STYLE_CELL_BOLD, label->name);
	for (size_t i = 0; i < 2; i++)
		if (subs[i])
			height += layout_plain(c, LAYOUT_MEASURE, &sub, 0, STYLE_SUB, subs[i]);
	height += 3.8;
	return height > least ? height : least;
}

void frame_row_label(const struct frame_row *frame, const struct frame_row_label *label, double top,
		     enum frame_row_place place)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	const struct layout_box name = label_box(frame, NAME_LEADING);
	const struct layout_box sub = label_box(frame, SUB_LEADING);
	const char *const subs[] = {label->sub, label->more};
	if (place == FRAME_ROW_NEXT && top > frame->top + 1) {
		canvas_rule(c, layout->left, STYLE_LABEL_RIGHT, top, 0.3, STYLE_GRID);
		canvas_rule(c, STYLE_NUMBERS_LEFT, layout->right, top, 0.3, STYLE_GRID);
	}
	double y = top + 2.1 + label->pad;
	y += layout_plain(c, LAYOUT_DRAW, &name, y, STYLE_CELL_BOLD, label->name) - 0.1;
	for (size_t i = 0; i < 2; i++)
		if (subs[i])
			y += layout_plain(c, LAYOUT_DRAW, &sub, y, STYLE_SUB, subs[i]);
}

void frame_row_close(struct frame_row *frame)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	canvas_rule(c, layout->left, layout->right, layout->y, 0.6, STYLE_INK);
	if (frame->words) {
		canvas_text(c, STYLE_SMALL, STYLE_PLOT_LEFT, layout->y + 11, frame->words);
	} else if (frame->margin > 0) {
		CLEANUP(text_release) struct text words = {0};
		text_add(&words, "Throughput gain, %; band: margin \xC2\xB1");
		format_margin(&words, frame->margin);
		canvas_text(c, STYLE_SMALL, STYLE_PLOT_LEFT, layout->y + 11, text_string(&words));
	}
	layout->y += frame->words || frame->margin > 0 ? 19 : 14;
}
