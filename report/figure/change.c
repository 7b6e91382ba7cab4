#include "report/figure/change.h"

#include "report/figure/frame_row.h"
#include "report/format.h"
#include "report/order.h"
#include "report/section.h"
#include "report/style.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW_HEIGHT 23.0
#define VALUE_RIGHT 470.0
#define RUNS_RIGHT 496.0
#define RANGE_END 2.2
#define KEPT_TOGETHER 330.0

/* One slice: its settings by throughput, per GPU when every row has it. */
struct slice {
	const char *harness, *unit;
	const struct doc_throughput **rows;
	size_t n;
	bool per_gpu;
	double ceiling;
	const char *ceiling_harness;
};

static double median_of(const struct slice *slice, const struct doc_throughput *row)
{
	return slice->per_gpu ? row->median_per_gpu : row->median;
}

static struct doc_interval range_of(const struct slice *slice, const struct doc_throughput *row)
{
	return slice->per_gpu ? (struct doc_interval){row->worst_per_gpu, row->best_per_gpu}
			      : (struct doc_interval){row->worst, row->best};
}

static int compare(double a, double b)
{
	if (isfinite(a) != isfinite(b))
		return isfinite(a) ? -1 : 1;
	return isfinite(a) && fabs(a - b) > 0 ? (a > b ? -1 : 1) : 0;
}

static int by_throughput(const void *left, const void *right, void *slice)
{
	const struct doc_throughput *a = *(const struct doc_throughput *const *)left;
	const struct doc_throughput *b = *(const struct doc_throughput *const *)right;
	int order = compare(median_of(slice, a), median_of(slice, b));

	return order != 0 ? order : a < b ? -1 : a > b;
}

/* The array of rows is the caller's. */
static struct slice slice_of(const struct analysis_doc *doc, const char *harness)
{
	struct slice slice = {.harness = harness, .per_gpu = true, .ceiling = (double)NAN};

	slice.rows = mem_new(doc->n_throughputs + 1, sizeof(const struct doc_throughput *));
	for (size_t i = 0; i < doc->n_throughputs; i++) {
		const struct doc_throughput *row = &doc->throughputs[i];
		if (!row->harness || strcmp(row->harness, harness) != 0)
			continue;
		slice.rows[slice.n++] = row;
		slice.unit = slice.unit ? slice.unit : row->unit;
		slice.per_gpu = slice.per_gpu && (isfinite(row->median_per_gpu) || !isfinite(row->median));
		if (!isfinite(slice.ceiling) && isfinite(row->ceiling_per_gpu)) {
			slice.ceiling = row->ceiling_per_gpu;
			slice.ceiling_harness = row->ceiling_harness;
		}
	}
	if (!slice.per_gpu)
		slice.ceiling = (double)NAN;
	qsort_r(slice.rows, slice.n, sizeof *slice.rows, by_throughput, &slice);
	return slice;
}

/* From 0: a bar that does not begin there lies about its length. */
static void choose_axis(struct frame_row *frame, const struct slice *slice)
{
	double most = isfinite(slice->ceiling) ? slice->ceiling : 0;

	for (size_t i = 0; i < slice->n; i++) {
		const double marks[] = {median_of(slice, slice->rows[i]), range_of(slice, slice->rows[i]).hi};
		for (size_t m = 0; m < 2; m++)
			most = isfinite(marks[m]) ? fmax(most, marks[m]) : most;
	}
	frame_row_axis(frame, 0, most > 0 ? most : 1);
	frame->lo = 0;
}

static void draw_mark(const struct frame_row *frame, const struct slice *slice, const struct doc_throughput *row,
		      double y)
{
	struct canvas *c = frame->layout->canvas;
	double value = median_of(slice, row);
	struct doc_interval range = range_of(slice, row);
	bool single = row->runs == 1;
	struct canvas_colour colour = single ? STYLE_INACTIVE : STYLE_SECONDARY;

	if (!isfinite(value)) {
		canvas_text(c, STYLE_SMALL_ITALIC, STYLE_PLOT_LEFT + 5, y + 2.4, "no steady throughput");
		return;
	}
	double zero = frame_row_x(frame, 0), x = frame_row_x(frame, value);
	c->ops->line(c, zero, y - 2.5, x, y - 2.5, single ? 0.6 : 1.6, colour, CANVAS_SOLID);
	c->ops->dot(c, x, y - 2.5, 2.5, colour, single ? CANVAS_HOLLOW : CANVAS_FILLED);
	if (single) {
		const char *words = "single run";
		double width = canvas_measure(c, STYLE_SMALL_ITALIC, words);
		if (x + 6 + width < STYLE_PLOT_RIGHT &&
		    !(isfinite(slice->ceiling) && frame_row_x(frame, slice->ceiling) > x &&
		      frame_row_x(frame, slice->ceiling) < x + 9 + width))
			canvas_text(c, STYLE_SMALL_ITALIC, x + 6, y, words);
		return;
	}
	if (!isfinite(range.lo) || !isfinite(range.hi))
		return;
	double worst = frame_row_x(frame, range.lo), best = frame_row_x(frame, range.hi), under = y + 4;
	c->ops->line(c, worst, under, best, under, 0.7, STYLE_INK, CANVAS_SOLID);
	c->ops->line(c, worst, under - RANGE_END, worst, under + RANGE_END, 0.7, STYLE_INK, CANVAS_SOLID);
	c->ops->line(c, best, under - RANGE_END, best, under + RANGE_END, 0.7, STYLE_INK, CANVAS_SOLID);
}

static void draw_numbers(const struct frame_row *frame, const struct analysis_doc *doc, const struct slice *slice,
			 const struct doc_throughput *row, double y)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	CLEANUP(text_release) struct text value = {0};
	CLEANUP(text_release) struct text runs = {0};
	CLEANUP(text_release) struct text change = {0};
	bool control = doc->control && row->setting && strcmp(doc->control, row->setting) == 0;

	format_amount(&value, median_of(slice, row));
	canvas_text_right(c, row->runs == 1 ? STYLE_TEXT(REGULAR, 8.4, SECONDARY) : STYLE_CELL_BOLD, VALUE_RIGHT, y,
			  text_string(&value));
	format_done(&runs, row->runs, RECORD_UNSET);
	canvas_text_right(c, STYLE_CELL_SECOND, RUNS_RIGHT, y, text_string(&runs));
	if (control)
		text_add(&change, "control");
	else
		format_number(&change, row->change_percent, FORMAT_SIGN_ALWAYS);
	canvas_text_right(c, control ? STYLE_SMALL : STYLE_CELL_SECOND, layout->right, y, text_string(&change));
}

static void draw_row(struct frame_row *frame, const struct analysis_doc *doc, const struct slice *slice, size_t index)
{
	const struct doc_throughput *row = slice->rows[index];
	struct layout *layout = frame->layout;
	CLEANUP(text_release) struct text title = {0};
	CLEANUP(text_release) struct text sub = {0};

	format_setting(&title, doc, row->setting);
	text_format(&sub, "%" PRId64 " job%s", row->blocks, row->blocks == 1 ? "" : "s");
	if (row->ranks > 0)
		text_format(&sub, ", %" PRId64 " ranks", row->ranks);
	const struct frame_row_label label = {text_string(&title), text_string(&sub), NULL, 0};
	double height = frame_row_label_height(frame, &label, ROW_HEIGHT);
	double middle = frame_row_next(frame, height, index + 1 == slice->n ? 14 : 0);
	double top = middle - height / 2;
	if (isfinite(slice->ceiling)) {
		double x = frame_row_x(frame, slice->ceiling);
		layout->canvas->ops->line(layout->canvas, x, top, x, top + height, 0.7, STYLE_INK, CANVAS_DASHED);
	}
	frame_row_label(frame, &label, top, index == 0 ? FRAME_ROW_FIRST : FRAME_ROW_NEXT);
	draw_mark(frame, slice, row, middle);
	draw_numbers(frame, doc, slice, row, middle + 2.6);
}

/* The line is named where it ends; under the unit's words when these are in its way. */
static void draw_ceiling_name(const struct frame_row *frame, const struct slice *slice, double unit_end)
{
	struct layout *layout = frame->layout;
	struct canvas *c = layout->canvas;
	CLEANUP(text_release) struct text words = {0};

	text_add(&words, "one node, ");
	format_amount(&words, slice->ceiling);
	if (slice->ceiling_harness)
		text_format(&words, " (%s)", slice->ceiling_harness);
	double width = canvas_measure(c, STYLE_SMALL_ITALIC, text_string(&words));
	double right = fmin(frame_row_x(frame, slice->ceiling) + width / 2, layout->right);
	double left = fmax(right - width, STYLE_PLOT_LEFT);
	bool beside = left > unit_end + 8;
	layout_fitting(c, STYLE_SMALL_ITALIC, left, layout->y - (beside ? 8 : -2), layout->right - left,
		       text_string(&words));
	layout->y += beside ? 0 : 10;
}

static void draw_slice(struct layout *layout, const struct analysis_doc *doc, const struct slice *slice)
{
	CLEANUP(text_release) struct text words = {0};

	text_add(&words, slice->unit ? slice->unit : "work per second");
	if (words.bytes[0] >= 'a' && words.bytes[0] <= 'z')
		words.bytes[0] = (char)(words.bytes[0] - 'a' + 'A');
	text_add(&words, slice->per_gpu ? " per GPU" : ", whole job");
	struct frame_row frame = {.layout = layout,
				  .label_head = slice->harness,
				  .value_right = VALUE_RIGHT,
				  .value_head = "Median",
				  .middle_head = "Runs",
				  .middle_right = RUNS_RIGHT,
				  .interval_head = "Change, %",
				  .words = text_string(&words)};
	choose_axis(&frame, slice);
	double height = 17 + (double)slice->n * ROW_HEIGHT + 80; /* with the caption: kept together when it is short */
	layout_need(layout, height < KEPT_TOGETHER ? height : 17 + 3 * ROW_HEIGHT);
	frame_row_open(&frame);
	for (size_t i = 0; i < slice->n; i++)
		draw_row(&frame, doc, slice, i);
	frame_row_close(&frame);
	if (isfinite(slice->ceiling))
		draw_ceiling_name(&frame, slice,
				  STYLE_PLOT_LEFT + canvas_measure(layout->canvas, STYLE_SMALL, text_string(&words)));
}

void figure_change(struct layout *layout, const struct analysis_doc *doc)
{
	bool any = false, ceiling = false;

	for (size_t h = 0; h < doc->n_harnesses; h++) {
		if (!doc->harnesses[h].name)
			continue;
		struct slice slice = slice_of(doc, doc->harnesses[h].name);
		if (slice.n > 0 && !any) {
			double height = 40 + (double)slice.n * ROW_HEIGHT + 80;
			layout_need(layout, height < KEPT_TOGETHER ? height : 140);
			layout_title(layout, "Figure", ++layout->figures,
				     "Throughput by setting: what each ran at, no controlled comparison");
			any = true;
		}
		ceiling = ceiling || isfinite(slice.ceiling);
		if (slice.n > 0)
			draw_slice(layout, doc, &slice);
		mem_free_pointer(&slice.rows);
	}
	if (!any) {
		section_missing(layout, "Throughput by setting.", " No slice gave a steady throughput.");
		return;
	}
	CLEANUP(text_release) struct text caption = {0};
	text_add(&caption, "n = runs of a setting, of all jobs. Bar and dot: their median; line below: worst to best. "
			   "Hollow: a single run, which no floor covers. ");
	if (ceiling)
		text_add(&caption, "Dashed: the single-node reference, a ceiling and no control. ");
	text_add(&caption,
		 "Change: of the median against the control's median on this slice, over jobs that differ in more "
		 "than the setting: no controlled comparison, see the catalogue.");
	section_caption(layout, text_string(&caption));
}
