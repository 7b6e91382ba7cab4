#include "report/layout.h"

#include "base/text.h"
#include "report/style.h"

#include <stdio.h>
#include <string.h>

/* Of a page, filled: with less, what follows goes on there. */
#define BEGUN_SHARE 0.5

/* A piece of one span without a break inside; `space` says that a space stands before it. */
struct piece {
	size_t span;
	char *text;
	double width;
	bool space;
};

struct pieces {
	struct piece *items;
	size_t n, capacity;
};

static void pieces_release(struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->n; i++)
		mem_free_pointer(&pieces->items[i].text);
	mem_free_pointer(&pieces->items);
}
CLEANUP_VALUE(struct pieces, pieces_release)

static void piece_add(struct pieces *pieces, struct piece piece)
{
	pieces->items = mem_grow(pieces->items, &pieces->capacity, pieces->n + 1, sizeof *pieces->items);
	pieces->items[pieces->n++] = piece;
}

static size_t character_length(const char *text)
{
	size_t n = 1;
	while (((unsigned char)text[n] & 0xC0) == 0x80)
		n++;
	return n;
}

/* A word wider than the line is cut where it fills it: text is never dropped. */
static void add_word(struct pieces *pieces, struct canvas *canvas, struct canvas_style style, struct piece piece,
		     double width)
{
	piece.width = canvas_measure(canvas, style, piece.text);
	if (piece.width <= width) {
		piece_add(pieces, piece);
		return;
	}
	char *rest = piece.text;
	while (*rest) {
		CLEANUP(text_release) struct text part = {0};
		while (*rest) {
			size_t n = character_length(rest);
			CLEANUP(text_release) struct text longer = {0};
			text_add(&longer, text_string(&part));
			text_add_bytes(&longer, rest, n);
			if (part.length > 0 && canvas_measure(canvas, style, text_string(&longer)) > width)
				break;
			text_add_bytes(&part, rest, n);
			rest += n;
		}
		size_t back = part.length;
		while (*rest && back > part.length / 3 && !strchr("-_/.=", part.bytes[back - 1]))
			back--;
		if (*rest && back > part.length / 3) { /* a name breaks after its punctuation */
			rest -= part.length - back;
			part.bytes[back] = '\0';
			part.length = back;
		}
		struct piece cut = {.span = piece.span, .space = piece.space};
		cut.width = canvas_measure(canvas, style, text_string(&part));
		cut.text = text_take(&part);
		piece_add(pieces, cut);
		piece.space = false;
	}
	mem_free_pointer(&piece.text);
}

static void split(struct pieces *pieces, struct canvas *canvas, const struct layout_span *spans, size_t n, double width)
{
	bool space = false;
	for (size_t s = 0; s < n; s++) {
		const char *text = spans[s].text ? spans[s].text : "";
		while (*text) {
			if (*text == ' ' || *text == '\n') {
				space = true;
				text++;
				continue;
			}
			size_t length = strcspn(text, " \n");
			while (text[length] == ' ' && text[length + 1] == '%') /* "14.5 %" stays on one line */
				length += 1 + strcspn(text + length + 1, " \n");
			struct piece piece = {.span = s, .text = mem_dup_bytes(text, length), .space = space};
			add_word(pieces, canvas, spans[s].style, piece, width);
			space = false;
			text += length;
		}
	}
}

static double space_width(struct canvas *canvas, struct canvas_style style)
{
	return canvas_measure(canvas, style, "n n") - canvas_measure(canvas, style, "nn");
}

static double line_width(struct canvas *canvas, const struct layout_span *spans, const struct pieces *pieces,
			 size_t first, size_t end)
{
	double width = 0;
	for (size_t i = first; i < end; i++) {
		if (i > first && pieces->items[i].space)
			width += space_width(canvas, spans[pieces->items[i - 1].span].style);
		width += pieces->items[i].width;
	}
	return width;
}

static void draw_line(struct canvas *canvas, const struct layout_span *spans, const struct pieces *pieces, size_t first,
		      size_t end, double x, double y)
{
	for (size_t i = first; i < end;) {
		CLEANUP(text_release) struct text run = {0};
		size_t span = pieces->items[i].span;
		if (i > first && pieces->items[i].space)
			x += space_width(canvas, spans[pieces->items[i - 1].span].style);
		size_t j = i;
		for (; j < end && pieces->items[j].span == span; j++) {
			if (j > i && pieces->items[j].space)
				text_add_char(&run, ' ');
			text_add(&run, pieces->items[j].text);
		}
		canvas_text(canvas, spans[span].style, x, y, text_string(&run));
		x += canvas_measure(canvas, spans[span].style, text_string(&run));
		i = j;
	}
}

double layout_text(struct canvas *canvas, enum layout_mode mode, const struct layout_box *box, double y,
		   const struct layout_span *spans, size_t n)
{
	CLEANUP(pieces_release) struct pieces pieces = {0};
	split(&pieces, canvas, spans, n, box->width);
	double height = 0;
	for (size_t first = 0; first < pieces.n;) {
		size_t end = first + 1;
		size_t fits = first;
		while (end <= pieces.n) {
			bool boundary = end == pieces.n || pieces.items[end].space;
			if (line_width(canvas, spans, &pieces, first, end) > box->width + 0.01)
				break;
			if (boundary)
				fits = end;
			end++;
		}
		if (fits == first) /* one unit wider than the line: break inside it */
			fits = end - 1 > first ? end - 1 : first + 1;
		if (mode == LAYOUT_DRAW) {
			double x = box->x;
			if (box->align == LAYOUT_RIGHT)
				x += box->width - line_width(canvas, spans, &pieces, first, fits);
			/* the baseline sits at 0.76 of the line: text of one leading lines up over its columns */
			draw_line(canvas, spans, &pieces, first, fits, x, y + height + box->leading * 0.76);
		}
		height += box->leading;
		first = fits;
	}
	return height;
}

double layout_plain(struct canvas *canvas, enum layout_mode mode, const struct layout_box *box, double y,
		    struct canvas_style style, const char *text)
{
	struct layout_span span = {style, text};
	return layout_text(canvas, mode, box, y, &span, 1);
}

/* The longest start of a text that fits, with an ellipsis. */
static void cut_to(struct canvas *canvas, struct canvas_style style, double width, const char *text, struct text *out)
{
	text_add(out, text);
	for (size_t n = strlen(text); n > 0 && canvas_measure(canvas, style, text_string(out)) > width; n--) {
		if (((unsigned char)text[n - 1] & 0xC0) == 0x80)
			continue;
		text_clear(out);
		text_add_bytes(out, text, n - 1);
		text_add(out, "\xE2\x80\xA6");
	}
}

void layout_fitting(struct canvas *canvas, struct canvas_style style, double x, double y, double width,
		    const char *text)
{
	CLEANUP(text_release) struct text out = {0};
	cut_to(canvas, style, width, text, &out);
	canvas_text(canvas, style, x, y, text_string(&out));
}

static void head_draw(struct layout *layout)
{
	struct canvas *c = layout->canvas;
	const struct layout_head *h = &layout->head;
	double right = STYLE_RIGHT(c);
	bool first = c->n_pages == 1;
	struct canvas_style name = first ? STYLE_TEXT(BOLD, 11, INK) : STYLE_TEXT(BOLD, 7.2, INK);
	struct canvas_style cluster = first ? STYLE_TEXT(REGULAR, 8.4, SECONDARY) : STYLE_SMALL;
	struct canvas_style dates = first ? STYLE_TEXT(BOLD, 8.4, INK) : STYLE_SMALL;
	double y = first ? 56.5 : 54;

	c->ops->rect(c, STYLE_LEFT, 37, 26, 5, STYLE_FLAG);
	canvas_rule(c, STYLE_LEFT, right, 42, 0.5, STYLE_INK);
	if (h->simulated)
		canvas_text_right(c, STYLE_TEXT(BOLD, 7.2, LOSS), right, 37.5,
				  "Simulated data: nothing on this page was measured");
	layout_fitting(c, name, STYLE_LEFT, y, 270, h->name);
	double used = canvas_measure(c, name, h->name) + 8;
	double room = right - STYLE_LEFT - used - canvas_measure(c, dates, h->dates) - 10;
	if (canvas_measure(c, cluster, h->cluster) <= room)
		canvas_text(c, cluster, STYLE_LEFT + used, y, h->cluster);
	canvas_text_right(c, dates, right, y, h->dates);
	if (first) {
		canvas_text(c, STYLE_DIGEST, STYLE_LEFT, 69, h->seal);
		canvas_text_right(c, STYLE_DIGEST, right, 69, h->counts);
	}
	layout->y = (first ? STYLE_TOP_FIRST : STYLE_TOP) - 9;
}

static void next_page(struct layout *layout)
{
	struct canvas *c = layout->canvas;
	if (c->page + 1 < c->n_pages) { /* a second column follows the first onto a page that is there */
		c->ops->page_select(c, c->page + 1);
		layout->y = STYLE_TOP - 9;
		return;
	}
	c->ops->page_new(c);
	head_draw(layout);
}

static void heading_draw(struct layout *layout)
{
	CLEANUP(text_release) struct text words = layout->heading.words;

	if (words.length == 0)
		return;
	layout->heading.words = (struct text){0};
	layout_headline(layout, layout->heading.style, layout->heading.leading, text_string(&words));
	layout->y += layout->heading.after;
}

void layout_page(struct layout *layout)
{
	heading_draw(layout);
	next_page(layout);
}

void layout_break(struct layout *layout)
{
	heading_draw(layout);
	if (layout->y > STYLE_TOP + (STYLE_BOTTOM(layout->canvas) - STYLE_TOP) * BEGUN_SHARE)
		next_page(layout);
}

void layout_heading(struct layout *layout, struct canvas_style style, double leading, double after, const char *text)
{
	heading_draw(layout);
	text_add(&layout->heading.words, text);
	layout->heading.style = style;
	layout->heading.leading = leading;
	layout->heading.after = after;
}

void layout_init(struct layout *layout, struct canvas *canvas, const struct layout_head *head)
{
	*layout = (struct layout){.canvas = canvas, .head = *head, .left = STYLE_LEFT, .right = STYLE_RIGHT(canvas)};
	layout_page(layout);
}

bool layout_need(struct layout *layout, double height)
{
	double heading = layout->heading.words.length > 0 ? layout->heading.leading + layout->heading.after : 0;
	bool breaks = layout->y + heading + height > STYLE_BOTTOM(layout->canvas);
	if (breaks)
		next_page(layout);
	heading_draw(layout);
	return breaks;
}

void layout_finish(struct layout *layout)
{
	heading_draw(layout);
	struct canvas *c = layout->canvas;
	for (int page = 0; page < c->n_pages; page++) {
		c->ops->page_select(c, page);
		char number[32];
		(void)snprintf(number, sizeof number, "%d / %d", page + 1, c->n_pages);
		double y = c->height - 35.5;
		canvas_rule(c, STYLE_LEFT, STYLE_RIGHT(c), c->height - 46, 0.4, STYLE_HEAD_RULE);
		canvas_text(c, STYLE_DIGEST, STYLE_LEFT, y, layout->head.plan);
		if (layout->head.simulated)
			canvas_text(c, STYLE_SMALL_ITALIC, STYLE_LEFT + 210, y, "simulated data");
		canvas_text_right(c, STYLE_SMALL, STYLE_RIGHT(c), y, number);
	}
}

void layout_paragraph(struct layout *layout, const struct layout_span *spans, size_t n, double leading, double after)
{
	struct layout_box box = {layout->left, layout->right - layout->left, leading, LAYOUT_LEFT};
	layout_need(layout, layout_text(layout->canvas, LAYOUT_MEASURE, &box, 0, spans, n));
	layout->y += layout_text(layout->canvas, LAYOUT_DRAW, &box, layout->y, spans, n) + after;
}

void layout_headline(struct layout *layout, struct canvas_style style, double leading, const char *text)
{
	struct layout_box box = {layout->left, layout->right - layout->left, leading, LAYOUT_LEFT};
	double height = layout_plain(layout->canvas, LAYOUT_MEASURE, &box, 0, style, text);
	layout_need(layout, height + (style.size > 12 ? 150 : 40)); /* never the last thing on a page */
	for (double width = box.width; width > 150; width -= 4) {
		struct layout_box narrower = box;
		narrower.width = width;
		if (layout_plain(layout->canvas, LAYOUT_MEASURE, &narrower, 0, style, text) > height)
			break;
		box.width = width;
	}
	layout->canvas->ops->outline(layout->canvas, text, layout->y);
	layout->y += layout_plain(layout->canvas, LAYOUT_DRAW, &box, layout->y, style, text);
}

void layout_title(struct layout *layout, const char *kind, int number, const char *title)
{
	char label[64];
	(void)snprintf(label, sizeof label, "%s %d.", kind, number);
	struct canvas *c = layout->canvas;
	double x = layout->left + canvas_measure(c, STYLE_CELL_BOLD, label) + 7;
	c->ops->outline(c, title, layout->y);
	canvas_text(c, STYLE_CELL_BOLD, layout->left, layout->y + 9, label);
	struct layout_box box = {x, layout->right - x, 11.4, LAYOUT_LEFT};
	layout->y += layout_plain(c, LAYOUT_DRAW, &box, layout->y + 0.3, STYLE_CELL, title) + 3;
}
