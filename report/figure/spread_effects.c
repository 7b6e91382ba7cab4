#include "report/figure/spread_effects.h"

#include "report/figure/stair.h"
#include "report/format.h"
#include "report/order.h"
#include "report/style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABELS_AT_MOST 12
#define MERGE_NEARER 3.0

bool spread_effects_are(const struct doc_effect *e, const char *harness)
{
	return doc_effect_is_declared(e) && text_equal(e->harness, harness) && isfinite(e->gain_percent) &&
	       e->verdict && strcmp(e->verdict, "void") != 0 && order_family_of(e) != ORDER_NO_NUMBER;
}

static int by_gain(const void *left, const void *right)
{
	const struct doc_effect *a = *(const struct doc_effect *const *)left;
	const struct doc_effect *b = *(const struct doc_effect *const *)right;

	if (fabs(a->gain_percent - b->gain_percent) > 0)
		return a->gain_percent < b->gain_percent ? -1 : 1;
	return a < b ? -1 : a > b;
}

void spread_effects_find(const struct analysis_doc *doc, struct spread_group *group)
{
	group->effects = mem_new(doc->n_effects + 1, sizeof(const struct doc_effect *));
	group->n_effects = 0;
	for (size_t i = 0; i < doc->n_effects; i++)
		if (spread_effects_are(&doc->effects[i], group->harness))
			group->effects[group->n_effects++] = &doc->effects[i];
	qsort(group->effects, group->n_effects, sizeof *group->effects, by_gain);
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

static bool exceeds(const struct doc_effect *e, const struct doc_spread *row)
{
	return e->gain_percent > row->floor_percent || e->gain_percent < row->floor_low_percent;
}

/* From the axis up to the first floor that the effect does not exceed. */
static void climb(const struct frame_row *frame, const struct spread_group *group, const struct doc_effect *e,
		  double axis)
{
	struct canvas *c = frame->layout->canvas;
	double x = frame_row_x(frame, e->gain_percent), stop = axis;

	for (size_t i = group->n_rows; i-- > 0;) {
		bool floored = isfinite(group->rows[i]->floor_percent);
		if (floored && !exceeds(e, group->rows[i]))
			break;
		stop = floored ? group->tops[i] : stop; /* no floor hides nothing and shows nothing */
	}
	if (stop > axis - 1) {
		c->ops->line(c, x, axis - 3, x, axis, 0.9, effect_colour(e), CANVAS_SOLID);
		return;
	}
	c->ops->line(c, x, stop, x, axis, 0.9, effect_colour(e), CANVAS_SOLID);
	c->ops->line(c, x - 2.2, stop + 0.6, x + 2.2, stop + 0.6, 1.1, effect_colour(e), CANVAS_SOLID);
}

void spread_effects_climb(const struct frame_row *frame, const struct spread_group *group, double axis)
{
	for (size_t i = 0; i < group->n_effects; i++)
		if (frame_row_on_axis(frame, group->effects[i]->gain_percent))
			climb(frame, group, group->effects[i], axis);
}

/* Effects that stand closer than their labels could be told apart share one. */
struct cluster {
	struct stair_label label;
	struct text name, value;
	size_t first, n;
};

static void cluster_words(const struct analysis_doc *doc, const struct spread_group *group, struct cluster *cluster)
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
static size_t cluster_effects(const struct frame_row *frame, const struct spread_group *group, double nearer,
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

double spread_effects_name(const struct frame_row *frame, const struct analysis_doc *doc,
			   const struct spread_group *group, enum layout_mode mode)
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
