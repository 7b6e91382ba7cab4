/*
 * Flow: paragraphs broken by measured widths, page breaks with head and foot, half columns. Owns no canvas.
 */
#ifndef REPORT_LAYOUT_H
#define REPORT_LAYOUT_H

#include "base/text.h"
#include "report/canvas.h"

#include <stdbool.h>
#include <stddef.h>

struct layout_head {
	const char *name, *cluster, *dates, *seal, *counts;
	const char *plan; /* the foot at left */
	bool simulated;
};

struct layout {
	struct canvas *canvas;
	struct layout_head head;
	double y; /* the next block's top edge */
	double left, right;
	int figures, tables; /* numbered so far */
	/* A heading that waits for the block it belongs to: drawn with it, on its page. */
	struct {
		struct text words;
		struct canvas_style style;
		double leading, after;
	} heading;
};

struct layout_span {
	struct canvas_style style;
	const char *text;
};

enum layout_mode { LAYOUT_DRAW, LAYOUT_MEASURE };
enum layout_align { LAYOUT_LEFT, LAYOUT_RIGHT };

struct layout_box {
	double x, width, leading;
	enum layout_align align;
};

/** Start the first page with its masthead. */
void layout_init(struct layout *layout, struct canvas *canvas, const struct layout_head *head);
/** Break to a new page unless `height` points are left. @return whether it broke */
bool layout_need(struct layout *layout, double height);
void layout_page(struct layout *layout);
/** Write every page's foot. */
void layout_finish(struct layout *layout);

/** Text from top edge y; returns its height. Draws across no page break: the caller calls layout_need first. */
double layout_text(struct canvas *canvas, enum layout_mode mode, const struct layout_box *box, double y,
		   const struct layout_span *spans, size_t n);
/** One-span convenience. */
double layout_plain(struct canvas *canvas, enum layout_mode mode, const struct layout_box *box, double y,
		    struct canvas_style style, const char *text);
/** One line, cut to `width` between characters with an ellipsis when it is longer. */
void layout_fitting(struct canvas *canvas, struct canvas_style style, double x, double y, double width,
		    const char *text);
/** A paragraph in the flow, in the layout's column, kept on one page; `after` is the gap below. */
void layout_paragraph(struct layout *layout, const struct layout_span *spans, size_t n, double leading, double after);
/** A heading balanced to the narrowest width that keeps its number of lines. */
void layout_headline(struct layout *layout, struct canvas_style style, double leading, const char *text);
/** The same, kept until the next block asks for its room and drawn above it; `after` is the gap below. */
void layout_heading(struct layout *layout, struct canvas_style style, double leading, double after, const char *text);
/** Break to a new page unless half of this one is free: no page stays nearly empty. */
void layout_break(struct layout *layout);
/** "Table 1.   title" or "Figure 1.   title", with an outline entry. */
void layout_title(struct layout *layout, const char *kind, int number, const char *title);

#endif
