#include "report/canvas_trace.h"

#include <math.h>
#include <stdbool.h>

struct canvas_trace {
	struct canvas canvas;
	struct canvas *inner;
	struct canvas_trace_text *texts;
	size_t n_texts, texts_capacity;
	struct canvas_trace_mark *marks;
	size_t n_marks, marks_capacity;
};

static struct canvas_trace *self(struct canvas *canvas)
{
	return (struct canvas_trace *)canvas;
}

static const struct canvas_trace *self_const(const struct canvas *canvas)
{
	return (const struct canvas_trace *)canvas;
}

static void follow(struct canvas_trace *t)
{
	t->canvas.n_pages = t->inner->n_pages;
	t->canvas.page = t->inner->page;
}

static void trace_page_new(struct canvas *canvas)
{
	self(canvas)->inner->ops->page_new(self(canvas)->inner);
	follow(self(canvas));
}

static void trace_page_select(struct canvas *canvas, int page)
{
	self(canvas)->inner->ops->page_select(self(canvas)->inner, page);
	follow(self(canvas));
}

static double trace_measure(struct canvas *canvas, struct canvas_style style, const char *utf8)
{
	return canvas_measure(self(canvas)->inner, style, utf8);
}

static void trace_text(struct canvas *canvas, struct canvas_style style, double x, double y, const char *utf8)
{
	struct canvas_trace *t = self(canvas);
	canvas_text(t->inner, style, x, y, utf8);
	if (*utf8 == '\0')
		return;
	t->texts = mem_grow(t->texts, &t->texts_capacity, t->n_texts + 1, sizeof *t->texts);
	t->texts[t->n_texts++] = (struct canvas_trace_text){
		canvas->page, x, y, trace_measure(canvas, style, utf8), style.size, mem_dup_string(utf8)};
}

static void mark(struct canvas_trace *t, const char *kind, double x1, double y1, double x2, double y2)
{
	t->marks = mem_grow(t->marks, &t->marks_capacity, t->n_marks + 1, sizeof *t->marks);
	t->marks[t->n_marks++] = (struct canvas_trace_mark){t->canvas.page, kind, x1, y1, x2, y2};
}

static void trace_line(struct canvas *canvas, double x1, double y1, double x2, double y2, double width,
		       struct canvas_colour colour, enum canvas_dash dash)
{
	struct canvas_trace *t = self(canvas);
	t->inner->ops->line(t->inner, x1, y1, x2, y2, width, colour, dash);
	mark(t, "line", x1, y1, x2, y2);
}

static void trace_rect(struct canvas *canvas, double x, double y, double width, double height,
		       struct canvas_colour colour)
{
	struct canvas_trace *t = self(canvas);
	t->inner->ops->rect(t->inner, x, y, width, height, colour);
	mark(t, "rect", x, y, x + width, y + height);
}

static void trace_dot(struct canvas *canvas, double x, double y, double radius, struct canvas_colour colour,
		      enum canvas_dot kind)
{
	struct canvas_trace *t = self(canvas);
	t->inner->ops->dot(t->inner, x, y, radius, colour, kind);
	mark(t, kind == CANVAS_HOLLOW ? "ring" : "dot", x - radius, y - radius, x + radius, y + radius);
}

static void trace_outline(struct canvas *canvas, const char *title, double y)
{
	self(canvas)->inner->ops->outline(self(canvas)->inner, title, y);
}

static const struct canvas_ops trace_ops = {
	.page_new = trace_page_new,
	.page_select = trace_page_select,
	.text = trace_text,
	.measure = trace_measure,
	.line = trace_line,
	.rect = trace_rect,
	.dot = trace_dot,
	.outline = trace_outline,
};

struct canvas *canvas_trace_new(struct canvas *inner)
{
	struct canvas_trace *t = mem_new(1, sizeof *t);
	t->canvas = (struct canvas){&trace_ops, inner->width, inner->height, inner->n_pages, inner->page};
	t->inner = inner;
	return &t->canvas;
}

void canvas_trace_free(struct canvas *canvas)
{
	struct canvas_trace *t = self(canvas);
	if (!t)
		return;
	for (size_t i = 0; i < t->n_texts; i++)
		mem_free_pointer(&t->texts[i].text);
	mem_free_pointer(&t->texts);
	mem_free_pointer(&t->marks);
	mem_free_pointer(&t);
}

const struct canvas_trace_text *canvas_trace_texts(const struct canvas *canvas, size_t *ret_n)
{
	*ret_n = self_const(canvas)->n_texts;
	return self_const(canvas)->texts;
}

const struct canvas_trace_mark *canvas_trace_marks(const struct canvas *canvas, size_t *ret_n)
{
	*ret_n = self_const(canvas)->n_marks;
	return self_const(canvas)->marks;
}

/* The middle half of the box from ascender to descender: leading may touch, letters may not. */
static int overlap(const struct canvas_trace_text *a, const struct canvas_trace_text *b)
{
	double a_top = a->y - 0.5 * a->size;
	double a_bottom = a->y - 0.05 * a->size;
	double b_top = b->y - 0.5 * b->size;
	double b_bottom = b->y - 0.05 * b->size;
	return a->page == b->page && a->x + a->width > b->x + 0.2 && b->x + b->width > a->x + 0.2 && a_top < b_bottom &&
	       b_top < a_bottom;
}

size_t canvas_trace_faults(const struct canvas *canvas, double margin, double min_size, struct text *out)
{
	const struct canvas_trace *t = self_const(canvas);
	const double slack = 0.6;
	size_t faults = 0;
	for (size_t i = 0; i < t->n_texts; i++) {
		const struct canvas_trace_text *a = &t->texts[i];
		const char *fault = NULL;
		if (!isfinite(a->x) || !isfinite(a->y) || !isfinite(a->width))
			fault = "is nowhere";
		else if (a->x < margin - slack || a->x + a->width > canvas->width - margin + slack)
			fault = "leaves the margins";
		else if (a->y < 30 || a->y > canvas->height - 30)
			fault = "leaves the page";
		else if (a->size < min_size)
			fault = "is too small";
		if (fault) {
			faults++;
			text_format(out, "page %d: '%s' %s\n", a->page + 1, a->text, fault);
		}
		for (size_t j = i + 1; j < t->n_texts; j++) {
			if (!overlap(a, &t->texts[j]))
				continue;
			faults++;
			text_format(out, "page %d: '%s' lies over '%s'\n", a->page + 1, a->text, t->texts[j].text);
		}
	}
	for (size_t i = 0; i < t->n_marks; i++) {
		const struct canvas_trace_mark *m = &t->marks[i];
		bool finite = isfinite(m->x1) && isfinite(m->y1) && isfinite(m->x2) && isfinite(m->y2);
		if (finite && m->x1 >= margin - slack && m->x2 <= canvas->width - margin + slack)
			continue;
		faults++;
		text_format(out, "page %d: a %s leaves the margins\n", m->page + 1, m->kind);
	}
	return faults;
}
