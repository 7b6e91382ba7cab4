/*
 * Canvas: the few marks a report is made of, behind a table of functions so that a page can go to a PDF or to a trace.
 * Points, origin at the top left, y downwards; text sits on its baseline. Colours are grey or RGB in [0, 1].
 */
#ifndef REPORT_CANVAS_H
#define REPORT_CANVAS_H

enum canvas_font { CANVAS_REGULAR, CANVAS_BOLD, CANVAS_ITALIC, CANVAS_MONO, CANVAS_N_FONTS };
enum canvas_dash { CANVAS_SOLID, CANVAS_DASHED };
enum canvas_dot { CANVAS_FILLED, CANVAS_HOLLOW };

struct canvas_colour {
	double r, g, b;
};

struct canvas_style {
	enum canvas_font font;
	double size;
	struct canvas_colour colour;
};

struct canvas;

struct canvas_ops {
	void (*page_new)(struct canvas *canvas);
	/* Draw on an earlier page again (0-based): the foot's "1 / 9" is known last. */
	void (*page_select)(struct canvas *canvas, int page);
	void (*text)(struct canvas *canvas, struct canvas_style style, double x, double y, const char *utf8);
	double (*measure)(struct canvas *canvas, struct canvas_style style, const char *utf8);
	void (*line)(struct canvas *canvas, double x1, double y1, double x2, double y2, double width,
		     struct canvas_colour colour, enum canvas_dash dash);
	void (*rect)(struct canvas *canvas, double x, double y, double width, double height,
		     struct canvas_colour colour);
	void (*dot)(struct canvas *canvas, double x, double y, double radius, struct canvas_colour colour,
		    enum canvas_dot kind);
	void (*outline)(struct canvas *canvas, const char *title, double y);
};

struct canvas {
	const struct canvas_ops *ops;
	double width, height;
	int n_pages, page;
};

static inline void canvas_text(struct canvas *canvas, struct canvas_style style, double x, double y, const char *utf8)
{
	canvas->ops->text(canvas, style, x, y, utf8);
}

static inline double canvas_measure(struct canvas *canvas, struct canvas_style style, const char *utf8)
{
	return canvas->ops->measure(canvas, style, utf8);
}

static inline void canvas_text_right(struct canvas *canvas, struct canvas_style style, double x, double y,
				     const char *utf8)
{
	canvas->ops->text(canvas, style, x - canvas->ops->measure(canvas, style, utf8), y, utf8);
}

static inline void canvas_text_centre(struct canvas *canvas, struct canvas_style style, double x, double y,
				      const char *utf8)
{
	canvas->ops->text(canvas, style, x - canvas->ops->measure(canvas, style, utf8) / 2, y, utf8);
}

static inline void canvas_rule(struct canvas *canvas, double x1, double x2, double y, double width,
			       struct canvas_colour colour)
{
	canvas->ops->line(canvas, x1, y, x2, y, width, colour, CANVAS_SOLID);
}

#endif
