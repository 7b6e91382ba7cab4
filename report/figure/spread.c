#include "report/figure/spread.h"

#include "report/figure/frame_row.h"
#include "report/figure/stair.h"
#include "report/figure/swarm.h"
#include "report/format.h"
#include "report/order.h"
#include "report/section.h"
#include "report/style.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW_HEIGHT 46.0
#define UNFLOORED_HEIGHT 34.0
/* What a row keeps below its dots for the bracket and its words. */
#define BRACKET_ROOM 21.0
#define BRACKET_END 2.6
#define SWARM_LIMIT 42.0
#define SPREAD_RIGHT 455.0
#define FLOOR_RIGHT 487.0
#define LABELS_AT_MOST 12
#define MERGE_NEARER 3.0

/* One harness: its rows from coarse to fine, and the effects that climb through them. */
struct group {
	const struct doc_spread *rows[4];
	double tops[4];
	size_t n_rows;
	const char *harness;
	const struct doc_effect **effects; /* by gain */
	size_t n_effects;
};

static bool is_kind(const struct doc_spread *row, const char *kind)
{
	return row->kind && strcmp(row->kind, kind) == 0;
}

static bool is_effect_of(const struct doc_effect *e, const char *harness)
{
	bool declared = e->harness && e->setting && !e->relabelled && !strchr(e->setting, '@');

	return declared && strcmp(e->harness, harness) == 0 && isfinite(e->gain_percent) && e->verdict &&
	       strcmp(e->verdict, "void") != 0 && order_family_of(e) != ORDER_NO_NUMBER;
}

static int by_gain(const void *left, const void *right)
{
	const struct doc_effect *a = *(const struct doc_effect *const *)left;
	const struct doc_effect *b = *(const struct doc_effect *const *)right;

	if (fabs(a->gain_percent - b->gain_percent) > 0)
		return a->gain_percent < b->gain_percent ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* The array of effects is the caller's. */
static struct group group_of(const struct analysis_doc *doc, const char *harness)
{
	struct group group = {.harness = harness};
	static const char *const kinds[] = {"cross_job", "within_job"};

	group.effects = mem_new(doc->n_effects + 1, sizeof(const struct doc_effect *));
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < doc->n_spreads && group.n_rows < 4; i++)
			if (doc->spreads[i].harness && strcmp(doc->spreads[i].harness, harness) == 0 &&
			    is_kind(&doc->spreads[i], kinds[k]))
				group.rows[group.n_rows++] = &doc->spreads[i];
	for (size_t i = 0; i < doc->n_effects; i++)
		if (is_effect_of(&doc->effects[i], harness))
			group.effects[group.n_effects++] = &doc->effects[i];
	qsort(group.effects, group.n_effects, sizeof *group.effects, by_gain);
	return group;
}

static bool is_floored(const struct group *group)
{
	for (size_t i = 0; i < group->n_rows; i++)
		if (isfinite(group->rows[i]->floor_percent))
			return true;
	return false;
}

static double row_reach(const struct doc_spread *row)
{
	double reach = isfinite(row->floor_percent) ? row->floor_percent : 0;

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
		if (!doc->effects[i].harness || !is_effect_of(&doc->effects[i], doc->effects[i].harness) ||
		    fabs(gain) > cap)
			continue;
		lo = fmin(lo, gain);
		hi = fmax(hi, gain);
	}
	frame_row_axis(frame, lo, hi);
}

static struct canvas_colour effect_colour(const struct doc_effect *e)
{
	enum order_family family = order_family_of(e);
	bool told = family == ORDER_WIN || family == ORDER_WIN_OPEN || family == ORDER_HARM ||
		    strcmp(e->verdict, "immaterial") == 0;

	if (!told)
		return STYLE_SECONDARY;
	return e->gain_percent < 0 ? STYLE_LOSS : STYLE_GAIN;
}

/* As the analysis counts: on the scale of the logs. */
static bool exceeds(const struct doc_effect *e, double floor_percent)
{
	if (!isfinite(floor_percent))
		return false;
	if (isfinite(e->log_gain) && fabs(e->log_gain) > 0)
		return fabs(e->log_gain) > log1p(floor_percent / 100);
	return fabs(e->gain_percent) > floor_percent;
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
	const struct doc_harness *harness = order_harness(doc, row->harness);
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

/* Where the floor ends on the side of the losses: it is even on the scale of the logs. */
static double floor_low(const struct doc_spread *row)
{
	return 100 * expm1(-log1p(row->floor_percent / 100));
}

/* "±0.7 %", or both ends where they differ in print. */
static void floor_words(const struct doc_spread *row, enum frame_row_place place, struct text *out)
{
	CLEANUP(text_release) struct text down = {0};
	CLEANUP(text_release) struct text up = {0};

	text_add(out, place == FRAME_ROW_FIRST ? "floor " : "");
	format_percent(&down, -floor_low(row), FORMAT_SIGN_MINUS_ONLY);
	format_percent(&up, row->floor_percent, FORMAT_SIGN_MINUS_ONLY);
	if (strcmp(text_string(&down), text_string(&up)) == 0) {
		text_format(out, "\xC2\xB1%s", text_string(&up));
		return;
	}
	format_number(out, floor_low(row), FORMAT_SIGN_MINUS_ONLY);
	text_format(out, " to +%s", text_string(&up));
}

static void draw_floor(const struct frame_row *frame, const struct doc_spread *row, double top,
		       enum frame_row_place place)
{
	struct canvas *c = frame->layout->canvas;
	double low = floor_low(row), left = frame_row_x(frame, low), right = frame_row_x(frame, row->floor_percent);
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

static void remark_words(const struct doc_spread *row, struct text *out)
{
	text_add(out, "no floor: ");
	format_prose(out, row->floor_percent_reason ? row->floor_percent_reason : "not determined");
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

static void draw_row(struct frame_row *frame, const struct analysis_doc *doc, struct group *group, size_t index,
		     double keep_with)
{
	const struct doc_spread *row = group->rows[index];
	struct layout *layout = frame->layout;
	double height = row_height(frame, doc, row);
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

/* From the axis up to the first floor that the effect does not exceed. */
static void draw_climb(const struct frame_row *frame, const struct group *group, const struct doc_effect *e,
		       double axis)
{
	struct canvas *c = frame->layout->canvas;
	double x = frame_row_x(frame, e->gain_percent), stop = axis;

	for (size_t i = group->n_rows; i-- > 0 && exceeds(e, group->rows[i]->floor_percent);)
		stop = group->tops[i];
	if (stop > axis - 1) {
		c->ops->line(c, x, axis - 3, x, axis, 0.9, effect_colour(e), CANVAS_SOLID);
		return;
	}
	c->ops->line(c, x, stop, x, axis, 0.9, effect_colour(e), CANVAS_SOLID);
	c->ops->line(c, x - 2.2, stop + 0.6, x + 2.2, stop + 0.6, 1.1, effect_colour(e), CANVAS_SOLID);
}

/* Effects that stand closer than their labels could be told apart share one. */
struct cluster {
	struct stair_label label;
	struct text name, value;
	size_t first, n;
};

static void cluster_words(const struct analysis_doc *doc, const struct group *group, struct cluster *cluster)
{
	const struct doc_effect *first = group->effects[cluster->first];
	const struct doc_effect *last = group->effects[cluster->first + cluster->n - 1];
	bool nulls = true, unread = true, alike = true;

	cluster->label.colour = effect_colour(first);
	if (cluster->n == 1) {
		format_setting(&cluster->name, doc, first->setting);
		format_number(&cluster->value, first->gain_percent, FORMAT_SIGN_ALWAYS);
		if (order_family_of(first) == ORDER_UNREADABLE && first->floor.kind && isfinite(first->floor.percent))
			text_add(&cluster->value, ", below its own floor");
		return;
	}
	for (size_t i = cluster->first; i < cluster->first + cluster->n; i++) {
		const struct doc_effect *e = group->effects[i];
		struct canvas_colour colour = effect_colour(e);
		nulls = nulls && strcmp(e->verdict, "null") == 0;
		unread = unread && order_family_of(e) == ORDER_UNREADABLE;
		alike = alike && fabs(colour.r - cluster->label.colour.r) < 1e-6;
	}
	if (!alike)
		cluster->label.colour = STYLE_SECONDARY;
	format_count(&cluster->name, cluster->n);
	text_add(&cluster->name, nulls ? " nulls," : unread ? " unreadable," : " settings,");
	format_number(&cluster->value, first->gain_percent, FORMAT_SIGN_ALWAYS);
	text_add(&cluster->value, " to ");
	format_number(&cluster->value, last->gain_percent, FORMAT_SIGN_ALWAYS);
}

static enum stair_place place_of(const struct frame_row *frame, const struct doc_effect *e)
{
	if (frame_row_on_axis(frame, e->gain_percent))
		return STAIR_ON_AXIS;
	return e->gain_percent < 0 ? STAIR_BEYOND_LEFT : STAIR_BEYOND_RIGHT;
}

/* Neighbours nearer than `nearer` points join; off the axis all of one side beyond the first three do. */
static size_t cluster_effects(const struct frame_row *frame, const struct group *group, double nearer,
			      struct cluster *clusters)
{
	size_t n = 0, beyond = 0;

	for (size_t i = 0; i < group->n_effects; i++)
		beyond += place_of(frame, group->effects[i]) != STAIR_ON_AXIS;
	for (size_t i = 0; i < group->n_effects; i++) {
		const struct doc_effect *e = group->effects[i];
		enum stair_place place = place_of(frame, e);
		double x = frame_row_x(frame, e->gain_percent);
		struct cluster *last = n > 0 ? &clusters[n - 1] : NULL;
		bool joins = last && last->label.place == place &&
			     (place == STAIR_ON_AXIS ? x - last->label.x < nearer : beyond > 6);
		if (joins) {
			last->n++;
			last->label.x = x;
			continue;
		}
		clusters[n++] = (struct cluster){.label = {.x = x, .place = place}, .first = i, .n = 1};
	}
	return n;
}

/* The labels below the axis; drawn where the layout stands. */
static double effects_lane(const struct frame_row *frame, const struct analysis_doc *doc, const struct group *group,
			   enum layout_mode mode)
{
	struct layout *layout = frame->layout;
	CLEANUP(mem_free) struct cluster *clusters = mem_new(group->n_effects + 1, sizeof *clusters);
	CLEANUP(mem_free) struct stair_label *labels = mem_new(group->n_effects + 1, sizeof *labels);
	size_t n = cluster_effects(frame, group, MERGE_NEARER, clusters);

	for (double nearer = MERGE_NEARER; n > LABELS_AT_MOST && nearer < 300; nearer *= 1.4)
		n = cluster_effects(frame, group, nearer, clusters);
	for (size_t i = 0; i < n; i++) {
		cluster_words(doc, group, &clusters[i]);
		/* the leader of several stands under the middle one */
		const struct doc_effect *middle = group->effects[clusters[i].first + clusters[i].n / 2];
		labels[i] = clusters[i].label;
		labels[i].x = frame_row_x(frame, middle->gain_percent);
		labels[i].name = text_string(&clusters[i].name);
		labels[i].value = text_string(&clusters[i].value);
	}
	CLEANUP(text_release) struct text name = {0};
	text_format(&name, "Effects on %s", group->harness);
	const struct frame_row_label label = {text_string(&name), "each against its own control", NULL, 0};
	double room = fmax(canvas_measure(layout->canvas, STYLE_CELL_BOLD, label.name),
			   canvas_measure(layout->canvas, STYLE_SUB, label.sub));
	double left = fmin(layout->left + room + 8, STYLE_PLOT_LEFT);
	int steps = stair_place_labels(layout->canvas, labels, n, left, layout->right);
	if (mode == LAYOUT_DRAW)
		stair_draw(layout->canvas, labels, n, layout->y);
	for (size_t i = 0; i < n; i++) {
		text_release(&clusters[i].name);
		text_release(&clusters[i].value);
	}
	if (mode == LAYOUT_DRAW)
		frame_row_label(frame, &label, layout->y, FRAME_ROW_FIRST);
	return frame_row_label_height(frame, &label, steps * STAIR_STEP + 5);
}

/* @return whether the effects stand below: then no rule closes the figure */
static bool draw_group(struct frame_row *frame, const struct analysis_doc *doc, struct group *group,
		       enum frame_row_place place)
{
	struct layout *layout = frame->layout;
	bool lane = is_floored(group) && group->n_effects > 0;
	double height = 0;

	for (size_t i = 0; i < group->n_rows; i++)
		height += row_height(frame, doc, group->rows[i]);
	height += lane ? effects_lane(frame, doc, group, LAYOUT_MEASURE) : 0;
	for (size_t i = 0; i < group->n_rows; i++) {
		double own = row_height(frame, doc, group->rows[i]);
		draw_row(frame, doc, group, i, i == 0 ? height - own : 0);
		if (i == 0 && place == FRAME_ROW_NEXT && group->tops[0] > frame->top + 1)
			canvas_rule(layout->canvas, layout->left, layout->right, group->tops[0], 0.4, STYLE_HEAD_RULE);
	}
	if (!lane)
		return false;
	canvas_rule(layout->canvas, layout->left, layout->right, layout->y, 0.6, STYLE_INK);
	for (size_t i = 0; i < group->n_effects; i++)
		if (frame_row_on_axis(frame, group->effects[i]->gain_percent))
			draw_climb(frame, group, group->effects[i], layout->y);
	layout->y += effects_lane(frame, doc, group, LAYOUT_DRAW);
	return true;
}

void figure_spread(struct layout *layout, const struct analysis_doc *doc)
{
	if (doc->n_spreads == 0) {
		section_missing(layout, "Spread of identical runs.", " No harness repeated a setting.");
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
		struct group group = group_of(doc, doc->harnesses[h].name);
		if (group.n_rows > 0) {
			lane = draw_group(&frame, doc, &group, place);
			place = FRAME_ROW_NEXT;
		}
		mem_free_pointer(&group.effects);
	}
	if (!lane)
		frame_row_close(&frame);
	layout->y += lane ? 6 : 0;
	section_caption(
		layout,
		"n = runs, every one a dot: percent from the median of its row (inside one job: of its job and "
		"setting). Spread: (max " FORMAT_MINUS " min) / median. Band and bracket: the floor for one run "
		"a side; no band, no floor, and no difference is a result there. A line climbs from each effect "
		"and stops at the first floor that it does not exceed; grey: not told apart from nothing. "
		"Dots repeat one setting: they say what a harness can read, and nothing about settings.");
}
