#include "report/figure/stair.h"

#include "base/mem.h"
#include "report/style.h"

#include <math.h>

#define TEXT_OFFSET 8.0
#define VALUE_GAP 4.5
#define MAX_STEPS 100

static struct canvas_style style_of(const struct stair_label *label)
{
	return (struct canvas_style){CANVAS_REGULAR, 7.2, label->colour};
}

static double width_of(struct canvas *canvas, const struct stair_label *label)
{
	double width = canvas_measure(canvas, style_of(label), label->name) + VALUE_GAP +
		       canvas_measure(canvas, style_of(label), label->value);

	return label->place == STAIR_ON_AXIS ? width : width + 10;
}

/* Whether a label on a step meets one that is placed: text on text, a leader through a text. */
static bool meets(const struct stair_label *label, int step, const struct stair_label *placed)
{
	bool leader = placed->place == STAIR_ON_AXIS;
	bool own_leader = label->place == STAIR_ON_AXIS;

	if (step == placed->step && label->from < placed->to + 6 && placed->from < label->to + 6)
		return true;
	if (leader && placed->step >= step && placed->x > label->from - 2 && placed->x < label->to + 2)
		return true;
	return own_leader && step >= placed->step && label->x > placed->from - 2 && label->x < placed->to + 2;
}

static void settle(struct stair_label *labels, size_t n, size_t index, const unsigned char *is_placed)
{
	struct stair_label *label = &labels[index];

	for (int step = 0; step < MAX_STEPS; step++) {
		bool met = false;
		for (size_t i = 0; i < n && !met; i++)
			met = is_placed[i] && meets(label, step, &labels[i]);
		label->step = step;
		if (!met)
			return;
	}
}

static void extend(struct stair_label *label, double width, double left, double right)
{
	double reach = width + TEXT_OFFSET;

	switch (label->place) {
	case STAIR_BEYOND_RIGHT:
		label->from = fmax(right - width, left);
		label->to = right;
		break;
	case STAIR_BEYOND_LEFT:
		label->from = left;
		label->to = fmin(left + width, right);
		break;
	case STAIR_ON_AXIS:
		label->from = label->leftwards ? label->x - reach : label->x;
		label->to = label->leftwards ? label->x : fmin(label->x + reach, right);
	}
}

/* Off-axis labels stand on the first step where no leader comes through; long ones go below all others. */
static bool fits_beyond(const struct stair_label *labels, size_t n, const struct stair_label *label)
{
	for (size_t i = 0; i < n; i++)
		if (labels[i].place == STAIR_ON_AXIS && labels[i].x > label->from - 12 && labels[i].x < label->to + 12)
			return false;
	return true;
}

enum beyond { BEYOND_SHORT, BEYOND_LONG };

static void place_beyond(struct canvas *canvas, struct stair_label *labels, size_t n, const struct layout_box *room,
			 enum beyond which, unsigned char *is_placed)
{
	for (size_t i = 0; i < n; i++) {
		if (labels[i].place == STAIR_ON_AXIS)
			continue;
		extend(&labels[i], width_of(canvas, &labels[i]), room->x, room->x + room->width);
		if (fits_beyond(labels, n, &labels[i]) != (which == BEYOND_SHORT))
			continue;
		settle(labels, n, i, is_placed);
		is_placed[i] = 1;
	}
}

int stair_place_labels(struct canvas *canvas, struct stair_label *labels, size_t n, double left, double right)
{
	CLEANUP(mem_free) unsigned char *is_placed = mem_new(n + 1, 1);
	const struct layout_box room = {.x = left, .width = right - left};
	double middle = (STYLE_PLOT_LEFT + STYLE_PLOT_RIGHT) / 2;
	int steps = 0;
	size_t split = 0;

	for (size_t i = 0; i < n; i++)
		labels[i].leftwards = false;
	place_beyond(canvas, labels, n, &room, BEYOND_SHORT, is_placed);
	/* leftwards as long as all before it went there: then no leader of one side crosses a text of the other */
	for (; split < n; split++) {
		struct stair_label *label = &labels[split];
		if (label->place != STAIR_ON_AXIS)
			continue;
		double width = width_of(canvas, label);
		if (label->x > middle - 10 || label->x - width - TEXT_OFFSET < left)
			break;
		label->leftwards = true;
		extend(label, width, left, right);
		settle(labels, n, split, is_placed);
		is_placed[split] = 1;
	}
	for (size_t i = n; i-- > split;) {
		if (labels[i].place != STAIR_ON_AXIS)
			continue;
		extend(&labels[i], width_of(canvas, &labels[i]), left, right);
		settle(labels, n, i, is_placed);
		is_placed[i] = 1;
	}
	place_beyond(canvas, labels, n, &room, BEYOND_LONG, is_placed);
	for (size_t i = 0; i < n; i++)
		steps = labels[i].step + 1 > steps ? labels[i].step + 1 : steps;
	return steps;
}

static void draw_words(struct canvas *canvas, const struct stair_label *label, double x, double room, double y)
{
	struct canvas_style style = style_of(label);
	double value = canvas_measure(canvas, style, label->value);
	double name = canvas_measure(canvas, style, label->name);
	double left = fmax(room - value - VALUE_GAP + 0.2, 12);

	layout_fitting(canvas, style, x, y, left, label->name);
	canvas_text(canvas, style, x + fmin(name, left) + VALUE_GAP, y, label->value);
}

void stair_draw(struct canvas *canvas, const struct stair_label *labels, size_t n, double y)
{
	for (size_t i = 0; i < n; i++) {
		const struct stair_label *label = &labels[i];
		double base = y + 9.6 + label->step * STAIR_STEP;
		double arm = base - 2.4;
		if (label->place == STAIR_BEYOND_RIGHT) {
			draw_words(canvas, label, label->from, label->to - label->from - 10, base);
			canvas_text_right(canvas, style_of(label), label->to, base, "\xE2\x86\x92");
			continue;
		}
		if (label->place == STAIR_BEYOND_LEFT) {
			canvas_text(canvas, style_of(label), label->from, base, "\xE2\x86\x90");
			draw_words(canvas, label, label->from + 10, label->to - label->from - 10, base);
			continue;
		}
		double end = label->leftwards ? label->x - 5 : label->x + 5;
		canvas->ops->line(canvas, label->x, y, label->x, arm, 0.6, label->colour, CANVAS_SOLID);
		canvas->ops->line(canvas, fmin(label->x, end), arm, fmax(label->x, end), arm, 0.6, label->colour,
				  CANVAS_SOLID);
		draw_words(canvas, label, label->leftwards ? label->from : label->x + TEXT_OFFSET,
			   label->to - label->from - TEXT_OFFSET, base);
	}
}
