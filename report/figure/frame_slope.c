#include "report/figure/frame_slope.h"

#include "report/format.h"
#include "report/style.h"

#include <inttypes.h>

#define NAME_WIDTH 68.0
#define WORD_WIDTH 42.0
#define AXIS_LEFT 200.0
#define AXIS_RIGHT 262.0
#define RIGHT_NAMES 294.0
#define PLACE_GAP 7.0
#define BRACKET_GAP 8.0
#define BRACKET_END 2.4
#define HEAD_HEIGHT 10.0

static double name_x(const struct frame_slope *frame, enum frame_slope_side side)
{
	return side == FRAME_SLOPE_LEFT ? frame->layout->left : RIGHT_NAMES;
}

double frame_slope_x(enum frame_slope_side side)
{
	return side == FRAME_SLOPE_LEFT ? AXIS_LEFT : AXIS_RIGHT;
}

double frame_slope_right(const struct frame_slope *frame)
{
	return name_x(frame, FRAME_SLOPE_RIGHT) + NAME_WIDTH + 4 + WORD_WIDTH;
}

double frame_slope_y(const struct frame_slope *frame, int64_t place)
{
	return frame->top + FRAME_SLOPE_PITCH * ((double)place - 0.5);
}

void frame_slope_open(struct frame_slope *frame)
{
	struct canvas *c = frame->layout->canvas;
	double y = frame->layout->y + HEAD_HEIGHT - 2;

	for (int side = 0; side < 2; side++) {
		double x = name_x(frame, (enum frame_slope_side)side);
		canvas_text(c, STYLE_SMALL, x, y, "Setting");
		canvas_text(c, STYLE_SMALL, x + NAME_WIDTH + 4, y, "Verdict");
	}
	canvas_text_right(c, STYLE_SMALL, AXIS_LEFT + 14, y, frame->heads[0]);
	canvas_text(c, STYLE_SMALL, AXIS_RIGHT - 24, y, frame->heads[1]);
	canvas_rule(c, frame->layout->left, frame_slope_right(frame), y + 5, 0.6, STYLE_INK);
	frame->top = y + 9;
}

void frame_slope_name(const struct frame_slope *frame, enum frame_slope_side side, int64_t place,
		      const struct frame_slope_label *label)
{
	struct canvas *c = frame->layout->canvas;
	double x = name_x(frame, side);
	double y = frame_slope_y(frame, place) + 2.6;

	layout_fitting(c, label->style, x, y, NAME_WIDTH, label->name);
	layout_fitting(c, STYLE_SMALL, x + NAME_WIDTH + 4, y, WORD_WIDTH, label->word);
}

void frame_slope_places(const struct frame_slope *frame, enum frame_slope_side side, int64_t from, int64_t to,
			struct canvas_style style)
{
	struct canvas *c = frame->layout->canvas;
	double out = side == FRAME_SLOPE_LEFT ? -1 : 1;
	double x = frame_slope_x(side) + out * BRACKET_GAP;
	double y = (frame_slope_y(frame, from) + frame_slope_y(frame, to)) / 2 + 2.6;
	CLEANUP(text_release) struct text digits = {0};

	text_format(&digits, "%" PRId64, from);
	if (to > from) {
		double y1 = frame_slope_y(frame, from) - 4;
		double y2 = frame_slope_y(frame, to) + 4;
		text_format(&digits, FORMAT_DASH "%" PRId64, to);
		c->ops->line(c, x, y1, x, y2, 0.8, STYLE_INACTIVE, CANVAS_SOLID);
		c->ops->line(c, x, y1, x - out * BRACKET_END, y1, 0.8, STYLE_INACTIVE, CANVAS_SOLID);
		c->ops->line(c, x, y2, x - out * BRACKET_END, y2, 0.8, STYLE_INACTIVE, CANVAS_SOLID);
		x += out * 3;
	} else {
		x = frame_slope_x(side) + out * PLACE_GAP;
	}
	if (side == FRAME_SLOPE_LEFT)
		canvas_text_right(c, style, x, y, text_string(&digits));
	else
		canvas_text(c, style, x, y, text_string(&digits));
}
