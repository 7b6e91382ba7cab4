#include "report/template.h"

#include "report/placeholder.h"
#include "report/section.h"
#include "report/style.h"

#include <cmark.h>
#include <string.h>

struct render {
	const char *name;
	const struct analysis_doc *doc;
	struct layout *layout;
	int h1;
	bool draw; /* the first pass checks the whole template before anything is laid out */
};

struct spans {
	struct layout_span *items;
	char **owned;
	size_t n, capacity, owned_capacity;
};

static void spans_release(struct spans *spans)
{
	for (size_t i = 0; i < spans->n; i++)
		mem_free_pointer(&spans->owned[i]);
	mem_free_pointer(&spans->owned);
	mem_free_pointer(&spans->items);
}
CLEANUP_VALUE(struct spans, spans_release)

static void span_add(struct spans *spans, struct canvas_style style, char *text)
{
	spans->items = mem_grow(spans->items, &spans->capacity, spans->n + 1, sizeof *spans->items);
	spans->owned = mem_grow(spans->owned, &spans->owned_capacity, spans->n + 1, sizeof *spans->owned);
	spans->items[spans->n] = (struct layout_span){style, text};
	spans->owned[spans->n++] = text;
}

static int at(const struct render *r, int line, int result, struct error *err)
{
	return error_wrap(result, err, "%s:%d", r->name, line);
}

static int fill(const struct render *r, const char *literal, int line, struct text *out, struct error *err)
{
	const char *rest = literal;
	for (const char *open = strstr(rest, "{{"); open; open = strstr(rest, "{{")) {
		const char *close = strstr(open + 2, "}}");
		if (!close)
			return at(r, line, error_set(err, ERROR_DATA, "'{{' is not closed on its line"), err);
		text_add_bytes(out, rest, (size_t)(open - rest));
		int result = placeholder_resolve(r->doc, open + 2, (size_t)(close - open - 2), out, err);
		if (result < 0)
			return at(r, line, result, err);
		rest = close + 2;
	}
	if (strstr(rest, "}}"))
		return at(r, line, error_set(err, ERROR_DATA, "'}}' without '{{'"), err);
	text_add(out, rest);
	return 0;
}

static struct canvas_style with_font(struct canvas_style style, enum canvas_font font)
{
	style.font = font;
	return style;
}

static int inlines(const struct render *r, cmark_node *parent, struct canvas_style style, int *line,
		   struct spans *spans, struct error *err)
{
	for (cmark_node *node = cmark_node_first_child(parent); node; node = cmark_node_next(node)) {
		int result = 0;
		CLEANUP(text_release) struct text text = {0};
		switch (cmark_node_get_type(node)) {
		case CMARK_NODE_TEXT:
			result = fill(r, cmark_node_get_literal(node), *line, &text, err);
			if (result < 0)
				return result;
			span_add(spans, style, text_take(&text));
			break;
		case CMARK_NODE_SOFTBREAK:
		case CMARK_NODE_LINEBREAK:
			(*line)++;
			span_add(spans, style, mem_dup_string(" "));
			break;
		case CMARK_NODE_CODE:
			span_add(spans, with_font(style, CANVAS_MONO), mem_dup_string(cmark_node_get_literal(node)));
			break;
		case CMARK_NODE_STRONG:
			result = inlines(r, node, with_font(style, CANVAS_BOLD), line, spans, err);
			break;
		case CMARK_NODE_EMPH:
			result = inlines(r, node, with_font(style, CANVAS_ITALIC), line, spans, err);
			break;
		case CMARK_NODE_LINK:
			result = inlines(r, node, style, line, spans, err);
			break;
		case CMARK_NODE_HTML_INLINE:
			return at(r, *line, error_set(err, ERROR_DATA, "HTML is not allowed in a template"), err);
		default:
			return at(r, *line,
				  error_set(err, ERROR_DATA, "'%s' is not supported in a template",
					    cmark_node_get_type_string(node)),
				  err);
		}
		if (result < 0)
			return result;
	}
	return 0;
}

static int columns(const struct render *r, const char *list, int line, struct error *err)
{
	struct layout *l = r->layout;
	const char *bar = strchr(list, '|');
	if (!bar)
		return at(r, line, error_set(err, ERROR_DATA, "columns need a '|' between left and right"), err);
	double left = l->left;
	double right = l->right;
	double half = (right - left - STYLE_GUTTER) / 2;
	if (r->draw)
		layout_need(l, 90);
	const double y = l->y;
	const int page = l->canvas->page;
	int end_page = page;
	double end_y = y;
	const char *sides[] = {list, bar + 1};
	const size_t lengths[] = {(size_t)(bar - list), strlen(bar + 1)};
	for (int side = 0; side < 2; side++) {
		if (r->draw) {
			l->left = side == 0 ? left : right - half;
			l->right = side == 0 ? left + half : right;
			l->y = y;
			l->canvas->ops->page_select(l->canvas, page);
		}
		for (const char *c = sides[side]; c < sides[side] + lengths[side];) {
			size_t skip = strspn(c, " ");
			size_t n = strcspn(c + skip, " |");
			CLEANUP(mem_free) char *name = mem_dup_bytes(c + skip, n);
			c += skip + n;
			if (n == 0)
				break;
			section_draw *draw = section_note(name);
			if (!draw)
				return at(r, line, error_set(err, ERROR_DATA, "no note is called '%s'", name), err);
			if (r->draw)
				draw(l, r->doc);
		}
		if (r->draw && (l->canvas->page > end_page || (l->canvas->page == end_page && l->y > end_y))) {
			end_page = l->canvas->page;
			end_y = l->y;
		}
	}
	if (r->draw) {
		l->left = left;
		l->right = right;
		l->canvas->ops->page_select(l->canvas, end_page);
		l->y = end_y + 4;
	}
	return 0;
}

/* The info string without a last word "optional". */
static char *block_name(const char *info, bool *ret_optional)
{
	static const char word[] = " optional";
	size_t n = strlen(info), k = sizeof(word) - 1;

	*ret_optional = n > k && strcmp(info + n - k, word) == 0;
	return mem_dup_bytes(info, *ret_optional ? n - k : n);
}

static bool is_silent(const struct render *r, cmark_node *node)
{
	bool optional = false;
	CLEANUP(mem_free) char *name = block_name(cmark_node_get_fence_info(node), &optional);

	return optional && section_rows(name, r->doc) == 0;
}

/* A heading whose blocks are all optional and silent goes with them, and so do the words between. @return
 * whether it does; then the node after them, NULL at the end */
static bool is_silent_part(const struct render *r, cmark_node *heading, cmark_node **ret_next)
{
	bool any = false;
	cmark_node *node = cmark_node_next(heading);

	for (; node; node = cmark_node_next(node)) {
		cmark_node_type type = cmark_node_get_type(node);
		if (type == CMARK_NODE_HEADING)
			break;
		if (type == CMARK_NODE_CODE_BLOCK && strcmp(cmark_node_get_fence_info(node), "page") == 0)
			break;
		if (type == CMARK_NODE_CODE_BLOCK && !is_silent(r, node))
			return false;
		any = any || type == CMARK_NODE_CODE_BLOCK;
	}
	if (any)
		*ret_next = node;
	return any;
}

static int directive(const struct render *r, cmark_node *node, int line, struct error *err)
{
	const char *info = cmark_node_get_fence_info(node);
	if (strncmp(info, "columns ", 8) == 0)
		return columns(r, info + 8, line, err);
	if (strcmp(info, "page") == 0) {
		if (r->draw)
			layout_break(r->layout);
		return 0;
	}
	section_draw *draw = NULL;
	bool optional = false;
	CLEANUP(mem_free) char *name = block_name(info, &optional);
	if (strncmp(name, "table ", 6) == 0)
		draw = section_table(name + 6);
	else if (strncmp(name, "figure ", 7) == 0)
		draw = section_figure(name + 7);
	if (!draw)
		return at(r, line,
			  error_set(err, ERROR_DATA, "unknown block '%s' (templates/README.md lists them)", info), err);
	if (optional && section_rows(name, r->doc) == SECTION_ALWAYS)
		return at(r, line, error_set(err, ERROR_DATA, "'%s' always has something to say: not optional", name),
			  err);
	if (r->draw && !(optional && section_rows(name, r->doc) == 0))
		draw(r->layout, r->doc);
	return 0;
}

static void flatten(const struct spans *spans, struct text *out)
{
	for (size_t i = 0; i < spans->n; i++)
		text_add(out, spans->items[i].text);
}

static int heading(struct render *r, cmark_node *node, int line, struct error *err)
{
	CLEANUP(spans_release) struct spans spans = {0};
	int result = inlines(r, node, STYLE_HEADLINE, &line, &spans, err);
	if (result < 0 || !r->draw)
		return result;
	CLEANUP(text_release) struct text words = {0};
	flatten(&spans, &words);
	int level = cmark_node_get_heading_level(node);
	if (level == 1 && r->h1++ == 0)
		layout_headline(r->layout, STYLE_ANSWER, 23, text_string(&words));
	else if (level <= 2)
		layout_headline(r->layout, STYLE_HEADLINE, 20.5, text_string(&words));
	else
		layout_heading(r->layout, STYLE_BLOCK_HEAD, 13, 2, text_string(&words));
	r->layout->y += level <= 2 ? 3 : 0;
	return 0;
}

static int paragraph(const struct render *r, cmark_node *node, struct canvas_style style, double leading, double after,
		     int line, struct error *err)
{
	CLEANUP(spans_release) struct spans spans = {0};
	int result = inlines(r, node, style, &line, &spans, err);
	if (result == 0 && r->draw)
		layout_paragraph(r->layout, spans.items, spans.n, leading, after);
	return result;
}

static int blocks(struct render *r, cmark_node *parent, struct error *err);

static int block(struct render *r, cmark_node *node, struct error *err)
{
	int line = cmark_node_get_start_line(node);
	cmark_node *parent = cmark_node_parent(node);
	bool quoted = parent && cmark_node_get_type(parent) == CMARK_NODE_BLOCK_QUOTE;
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_HEADING:
		return heading(r, node, line, err);
	case CMARK_NODE_PARAGRAPH:
		if (quoted)
			return paragraph(r, node, STYLE_STANDFIRST, 13.4, 18, line, err);
		/* before the answer stands the question, larger and grey */
		if (r->h1 == 0)
			return paragraph(r, node, STYLE_STANDFIRST, 13.4, 4, line, err);
		return paragraph(r, node, STYLE_BODY, 12.2, 10, line, err);
	case CMARK_NODE_BLOCK_QUOTE:
	case CMARK_NODE_LIST:
	case CMARK_NODE_ITEM:
		return blocks(r, node, err);
	case CMARK_NODE_THEMATIC_BREAK:
		if (r->draw)
			r->layout->y += 10;
		return 0;
	case CMARK_NODE_CODE_BLOCK:
		return directive(r, node, line, err);
	case CMARK_NODE_HTML_BLOCK:
		return at(r, line, error_set(err, ERROR_DATA, "HTML is not allowed in a template"), err);
	default:
		return at(r, line,
			  error_set(err, ERROR_DATA, "'%s' is not supported in a template",
				    cmark_node_get_type_string(node)),
			  err);
	}
}

static int blocks(struct render *r, cmark_node *parent, struct error *err)
{
	for (cmark_node *node = cmark_node_first_child(parent); node;) {
		cmark_node *next = cmark_node_next(node);
		bool silent =
			r->draw && cmark_node_get_type(node) == CMARK_NODE_HEADING && is_silent_part(r, node, &next);
		int result = silent ? 0 : block(r, node, err);
		if (result < 0)
			return result;
		node = next;
	}
	return 0;
}

static void node_free_cleanup(cmark_node **node)
{
	if (*node)
		cmark_node_free(*node);
}

int template_render(const char *name, const char *bytes, size_t n, const struct analysis_doc *doc,
		    struct layout *layout, struct error *err)
{
	CLEANUP(node_free) cmark_node *root = cmark_parse_document(bytes, n, CMARK_OPT_DEFAULT);
	cmark_consolidate_text_nodes(root);
	struct render check = {.name = name, .doc = doc, .layout = layout};
	int result = blocks(&check, root, err);
	if (result < 0)
		return result;
	struct render draw = {.name = name, .doc = doc, .layout = layout, .draw = true};
	return blocks(&draw, root, err);
}
