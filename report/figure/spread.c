#include "report/figure/spread.h"

#include "report/figure/frame_row.h"
#include "report/figure/spread_effects.h"
#include "report/figure/swarm.h"
#include "report/format.h"
#include "report/order.h"
#include "report/section.h"
#include "report/style.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define ROW_HEIGHT 46.0
#define UNFLOORED_HEIGHT 34.0
/* What a row keeps below its dots for the bracket and its words. */
#define BRACKET_ROOM 21.0
#define BRACKET_END 2.6
#define SWARM_LIMIT 42.0
#define SPREAD_RIGHT 455.0
#define FLOOR_RIGHT 487.0

/* One run repeats nothing: its row would be a dot on 0 without a floor. */
static bool is_drawn(const struct doc_spread *row)
{
	return row->n_deviations >= 2 || isfinite(row->floor_percent);
}

static bool is_kind(const struct doc_spread *row, const char *kind)
{
	return row->kind && strcmp(row->kind, kind) == 0;
}

/* The array of effects is the caller's. */
static struct spread_group group_of(const struct analysis_doc *doc, const char *harness)
{
	struct spread_group group = {.harness = harness};
	static const char *const kinds[] = {"cross_job", "within_job"};
	const size_t room = sizeof group.rows / sizeof *group.rows;

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < doc->n_spreads && group.n_rows < room; i++)
			if (doc->spreads[i].harness && strcmp(doc->spreads[i].harness, harness) == 0 &&
			    is_kind(&doc->spreads[i], kinds[k]) && is_drawn(&doc->spreads[i]))
				group.rows[group.n_rows++] = &doc->spreads[i];
	spread_effects_find(doc, &group);
	return group;
}

static bool is_floored(const struct spread_group *group)
{
	for (size_t i = 0; i < group->n_rows; i++)
		if (isfinite(group->rows[i]->floor_percent))
			return true;
	return false;
}

/* Whether effects of the harness climb through a row. */
static bool has_floor(const struct analysis_doc *doc, const char *harness)
{
	for (size_t i = 0; i < doc->n_spreads; i++)
		if (doc->spreads[i].harness && strcmp(doc->spreads[i].harness, harness) == 0 &&
		    is_drawn(&doc->spreads[i]) && isfinite(doc->spreads[i].floor_percent))
			return true;
	return false;
}

static double row_reach(const struct doc_spread *row)
{
	double reach = isfinite(row->floor_percent) ? row->floor_percent : 0;

	if (!is_drawn(row))
		return 0;
	for (size_t i = 0; i < row->n_deviations; i++)
		if (isfinite(row->deviations_percent[i]))
			reach = fmax(reach, fabs(row->deviations_percent[i]));
	return reach;
}

/* Holds every row with a floor, and the rest near them; what would press these to a line is written beside an arrow. */
static void choose_axis(struct frame_row *frame, const struct analysis_doc *doc)
{
	double finest = INFINITY, reach = 0, floored, lo, hi;

	for (size_t i = 0; i < doc->n_spreads; i++) {
		double row = row_reach(&doc->spreads[i]);
		if (row > 0)
			finest = fmin(finest, row);
		if (isfinite(doc->spreads[i].floor_percent))
			reach = fmax(reach, row);
	}
	floored = reach;
	for (size_t i = 0; i < doc->n_spreads; i++)
		if (floored <= 0 || row_reach(&doc->spreads[i]) <= 4 * floored)
			reach = fmax(reach, row_reach(&doc->spreads[i]));
	reach = reach > 0 ? reach : 1;
	const double cap = fmax(1.25 * reach, 14 * (isfinite(finest) ? finest : 1));
	lo = -reach;
	hi = reach;
	for (size_t i = 0; i < doc->n_effects; i++) {
		double gain = doc->effects[i].gain_percent;
		if (!doc->effects[i].harness || !has_floor(doc, doc->effects[i].harness) ||
		    !spread_effects_are(&doc->effects[i], doc->effects[i].harness) || fabs(gain) > cap)
			continue;
		lo = fmin(lo, gain);
		hi = fmax(hi, gain);
	}
	frame_row_axis(frame, lo, hi);
}

/* The dots that are on the axis, and how many are not. */
static size_t place_dots(const struct frame_row *frame, const struct doc_spread *row, struct swarm *swarm)
{
	CLEANUP(mem_free) double *x = mem_new(row->n_deviations + 1, sizeof *x);
	size_t n = 0, beyond = 0;

	for (size_t i = 0; i < row->n_deviations; i++) {
		if (!isfinite(row->deviations_percent[i]))
			continue;
		if (frame_row_on_axis(frame, row->deviations_percent[i]))
			x[n++] = frame_row_x(frame, row->deviations_percent[i]);
		else
			beyond++;
	}
	swarm_place(swarm, x, n, SWARM_LIMIT);
	return beyond;
}

static void row_words(const struct analysis_doc *doc, const struct doc_spread *row, const struct swarm *swarm,
		      size_t beyond, struct text *sub, struct text *more)
{
	const struct doc_harness *harness = analysis_doc_find_harness(doc, row->harness);
	bool cross = is_kind(row, "cross_job");

	text_add(sub, cross ? "across jobs" : "inside one job");
	if (harness && harness->ranks > 0)
		text_format(sub, ", %" PRId64 " ranks", harness->ranks);
	text_format(more, "%" PRId64 " run%s, %" PRId64 " job%s", row->runs, row->runs == 1 ? "" : "s", row->blocks,
		    row->blocks == 1 ? "" : "s");
	if (swarm->per_dot > 1)
		text_format(more, "; a dot: %zu runs", swarm->per_dot);
	if (beyond > 0)
		text_format(more, "; %zu beyond the axis", beyond);
}

/* "±0.7 %", or both ends where they differ in print. */
static void floor_words(const struct doc_spread *row, enum frame_row_place place, struct text *out)
{
	CLEANUP(text_release) struct text down = {0};
	CLEANUP(text_release) struct text up = {0};

	text_add(out, place == FRAME_ROW_FIRST ? "floor " : "");
	format_percent(&down, -row->floor_low_percent, FORMAT_SIGN_MINUS_ONLY);
	format_percent(&up, row->floor_percent, FORMAT_SIGN_MINUS_ONLY);
	if (strcmp(text_string(&down), text_string(&up)) == 0) {
		text_format(out, "\xC2\xB1%s", text_string(&up));
		return;
	}
	format_number(out, row->floor_low_percent, FORMAT_SIGN_MINUS_ONLY);
	text_format(out, " to +%s", text_string(&up));
}

static void draw_floor(const struct frame_row *frame, const struct doc_spread *row, double top,
		       enum frame_row_place place)
{
	struct canvas *c = frame->layout->canvas;
	double low = row->floor_low_percent, left = frame_row_x(frame, low),
	       right = frame_row_x(frame, row->floor_percent);
	double y = frame->layout->y - 10;
	CLEANUP(text_release) struct text words = {0};

	c->ops->rect(c, left, top, right - left, frame->layout->y - top, STYLE_BAND);
	for (double tick = ceil(frame->lo / frame->step) * frame->step; tick <= frame->hi; tick += frame->step)
		if (tick >= low && tick <= row->floor_percent)
			c->ops->line(c, frame_row_x(frame, tick), top, frame_row_x(frame, tick), frame->layout->y, 0.4,
				     STYLE_GRID, CANVAS_SOLID);
	c->ops->line(c, left, y, right, y, 0.6, STYLE_INK, CANVAS_SOLID);
	if (frame_row_on_axis(frame, low))
		c->ops->line(c, left, y - BRACKET_END, left, y + BRACKET_END, 0.6, STYLE_INK, CANVAS_SOLID);
	if (frame_row_on_axis(frame, row->floor_percent))
		c->ops->line(c, right, y - BRACKET_END, right, y + BRACKET_END, 0.6, STYLE_INK, CANVAS_SOLID);
	floor_words(row, place, &words);
	double width = canvas_measure(c, STYLE_SMALL_ITALIC, text_string(&words));
	if (left - width - 5 > STYLE_PLOT_LEFT)
		canvas_text_right(c, STYLE_SMALL_ITALIC, left - 4, y + 2.4, text_string(&words));
	else
		canvas_text(c, STYLE_SMALL_ITALIC, left + 4, y - 3.6, text_string(&words));
}

static const char *reason_of(const struct doc_spread *row)
{
	return row->floor_percent_reason ? row->floor_percent_reason : "not determined";
}

static void remark_words(const struct doc_spread *row, struct text *out)
{
	text_add(out, "no floor: ");
	format_prose(out, reason_of(row));
}

static struct layout_box remark_box(void)
{
	return (struct layout_box){STYLE_PLOT_LEFT + 2, STYLE_PLOT_RIGHT - STYLE_PLOT_LEFT - 4, 8.8, LAYOUT_LEFT};
}

/* Why a row has no band, under its dots. */
static void draw_remark(const struct frame_row *frame, const struct doc_spread *row)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	CLEANUP(text_release) struct text words = {0};

	if (isfinite(row->floor_percent))
		return;
	remark_words(row, &words);
	const struct layout_box box = remark_box();
	double height = layout_plain(c, LAYOUT_MEASURE, &box, 0, STYLE_SMALL_ITALIC, text_string(&words));
	c->ops->rect(c, box.x - 1, layout->y - height - 3, box.width + 2, height, STYLE_PAPER);
	layout_plain(c, LAYOUT_DRAW, &box, layout->y - height - 3, STYLE_SMALL_ITALIC, text_string(&words));
}

static double remark_height(const struct frame_row *frame, const struct doc_spread *row)
{
	CLEANUP(text_release) struct text words = {0};
	const struct layout_box box = remark_box();

	if (isfinite(row->floor_percent))
		return BRACKET_ROOM;
	remark_words(row, &words);
	return 8 +
	       layout_plain(frame->layout->canvas, LAYOUT_MEASURE, &box, 0, STYLE_SMALL_ITALIC, text_string(&words));
}

static double row_height(const struct frame_row *frame, const struct analysis_doc *doc, const struct doc_spread *row)
{
	CLEANUP(swarm_release) struct swarm swarm = {0};
	CLEANUP(text_release) struct text sub = {0};
	CLEANUP(text_release) struct text more = {0};

	size_t beyond = place_dots(frame, row, &swarm);
	row_words(doc, row, &swarm, beyond, &sub, &more);
	const struct frame_row_label label = {row->harness, text_string(&sub), text_string(&more), 0};
	double height = fmax(isfinite(row->floor_percent) ? ROW_HEIGHT : UNFLOORED_HEIGHT,
			     2 * swarm.half_height + 6 + remark_height(frame, row));
	return frame_row_label_height(frame, &label, height);
}

static void draw_numbers(struct layout *layout, const struct doc_spread *row, double y)
{
	struct canvas *c = layout->canvas;
	bool floored = isfinite(row->floor_percent);
	CLEANUP(text_release) struct text spread = {0};
	CLEANUP(text_release) struct text floor_text = {0};
	CLEANUP(text_release) struct text above = {0};

	format_number(&spread, row->spread_percent, FORMAT_SIGN_MINUS_ONLY);
	format_number(&floor_text, row->floor_percent, FORMAT_SIGN_MINUS_ONLY);
	canvas_text_right(c, floored ? STYLE_CELL_BOLD : STYLE_TEXT(REGULAR, 8.4, SECONDARY), SPREAD_RIGHT, y,
			  text_string(&spread));
	canvas_text_right(c, floored ? STYLE_CELL_BOLD : STYLE_TEXT(REGULAR, 8.4, SECONDARY), FLOOR_RIGHT, y,
			  text_string(&floor_text));
	if (floored && row->effects > 0)
		text_format(&above, "%" PRId64 " of %" PRId64, row->above_floor, row->effects);
	else
		text_add(&above, FORMAT_DASH);
	canvas_text_right(c, STYLE_CELL_SECOND, layout->right, y, text_string(&above));
}

static void draw_row(struct frame_row *frame, const struct analysis_doc *doc, struct spread_group *group, size_t index,
		     double keep_with)
{
	const struct doc_spread *row = group->rows[index];
	struct layout *layout = frame->layout;
	double height = group->heights[index];
	double top = frame_row_next(frame, height, keep_with) - height / 2;
	CLEANUP(swarm_release) struct swarm swarm = {0};
	CLEANUP(text_release) struct text sub = {0};
	CLEANUP(text_release) struct text more = {0};
	size_t beyond = place_dots(frame, row, &swarm);

	group->tops[index] = top;
	row_words(doc, row, &swarm, beyond, &sub, &more);
	struct frame_row_label label = {row->harness, text_string(&sub), text_string(&more), 0};
	label.pad = (height - frame_row_label_height(frame, &label, 0)) / 2;
	const enum frame_row_place place = index == 0 ? FRAME_ROW_FIRST : FRAME_ROW_NEXT;
	frame_row_label(frame, &label, top, place);
	if (isfinite(row->floor_percent))
		draw_floor(frame, row, top, place);
	draw_remark(frame, row);
	double y = top + fmax(swarm.half_height + 4, (height - BRACKET_ROOM) / 2 + 2);
	for (size_t i = 0; i < swarm.n; i++)
		layout->canvas->ops->dot(layout->canvas, swarm.dots[i].x, y + swarm.dots[i].offset, swarm.radius,
					 STYLE_SECONDARY, CANVAS_FILLED);
	draw_numbers(layout, row, top + height / 2 + 2.6);
}

/* @return whether the effects stand below: then no rule closes the figure */
static bool draw_group(struct frame_row *frame, const struct analysis_doc *doc, struct spread_group *group,
		       enum frame_row_place place)
{
	struct layout *layout = frame->layout;
	bool lane = is_floored(group) && group->n_effects > 0;
	double height = 0;

	for (size_t i = 0; i < group->n_rows; i++) {
		group->heights[i] = row_height(frame, doc, group->rows[i]);
		height += group->heights[i];
	}
	height += lane ? spread_effects_name(frame, doc, group, LAYOUT_MEASURE) : 0;
	for (size_t i = 0; i < group->n_rows; i++) {
		draw_row(frame, doc, group, i, i == 0 ? height - group->heights[0] : 0);
		if (i == 0 && place == FRAME_ROW_NEXT && group->tops[0] > frame->top + 1)
			canvas_rule(layout->canvas, layout->left, layout->right, group->tops[0], 0.4, STYLE_HEAD_RULE);
	}
	if (!lane)
		return false;
	canvas_rule(layout->canvas, layout->left, layout->right, layout->y, 0.6, STYLE_INK);
	spread_effects_climb(frame, group, layout->y);
	layout->y += spread_effects_name(frame, doc, group, LAYOUT_DRAW);
	return true;
}

/* The rows that are not drawn, harnesses of one reason together. */
static void add_undrawn(const struct analysis_doc *doc, struct text *out)
{
	for (size_t i = 0; i < doc->n_spreads; i++) {
		const struct doc_spread *row = &doc->spreads[i];
		CLEANUP(text_release) struct text names = {0};
		bool told = is_drawn(row) || !row->harness || !row->kind;
		size_t n = 0;
		for (size_t j = 0; j < doc->n_spreads && !told; j++) {
			const struct doc_spread *other = &doc->spreads[j];
			if (is_drawn(other) || !other->harness || !is_kind(other, row->kind) ||
			    strcmp(reason_of(other), reason_of(row)) != 0)
				continue;
			told = j < i;
			text_format(&names, "%s%s", n++ > 0 ? ", " : "", other->harness);
		}
		if (told)
			continue;
		text_format(out, " No row %s for %s: ", is_kind(row, "cross_job") ? "across jobs" : "inside one job",
			    text_string(&names));
		format_prose(out, reason_of(row));
		text_add_char(out, '.');
	}
}

/* What is said when no row can be drawn. */
static void none_drawn(struct layout *layout, const struct analysis_doc *doc)
{
	CLEANUP(text_release) struct text out = {0};

	add_undrawn(doc, &out);
	section_missing(layout, "Spread of identical runs.",
			out.length > 0 ? text_string(&out) : " No harness repeated a setting.");
}

#define CAPTION                                                                                                     \
	"n = runs, every one a dot: percent from the median of its row (inside one job: of its job and setting). "  \
	"Spread: (max " FORMAT_MINUS " min) / median. Band and bracket: the floor for one run a side; no band, no " \
	"floor, and no difference is a result there. A line climbs from each effect and stops at the first floor "  \
	"that it does not exceed; grey: not told apart from nothing. Dots repeat one setting: they say what a "     \
	"harness can read, and nothing about settings."

void figure_spread(struct layout *layout, const struct analysis_doc *doc)
{
	size_t n_drawn = 0;
	for (size_t i = 0; i < doc->n_spreads; i++)
		n_drawn += is_drawn(&doc->spreads[i]);
	if (n_drawn == 0) {
		none_drawn(layout, doc);
		return;
	}
	struct frame_row frame = {.layout = layout,
				  .sign = FORMAT_SIGN_ALWAYS,
				  .zero = FRAME_ROW_ZERO_AS_GRID,
				  .label_head = "Harness",
				  .value_head = "Spread",
				  .value_right = SPREAD_RIGHT,
				  .middle_head = "Floor",
				  .middle_right = FLOOR_RIGHT,
				  .interval_head = "Above floor"};
	choose_axis(&frame, doc);
	layout_need(layout, 190);
	layout_title(layout, "Figure", ++layout->figures,
		     "Spread of identical runs, %, and the effects that rise above it");
	frame_row_open(&frame);
	enum frame_row_place place = FRAME_ROW_FIRST;
	bool lane = false;
	for (size_t h = 0; h < doc->n_harnesses; h++) {
		if (!doc->harnesses[h].name)
			continue;
		struct spread_group group = group_of(doc, doc->harnesses[h].name);
		if (group.n_rows > 0) {
			lane = draw_group(&frame, doc, &group, place);
			place = FRAME_ROW_NEXT;
		}
		mem_free_pointer(&group.effects);
	}
	if (!lane)
		frame_row_close(&frame);
	layout->y += lane ? 6 : 0;
	CLEANUP(text_release) struct text out = {0};
	text_add(&out, CAPTION);
	add_undrawn(doc, &out);
	section_caption(layout, text_string(&out));
}
