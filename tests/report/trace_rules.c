#include "tests/report/trace_rules.h"

#include "base/file.h"
#include "report/canvas_pdf.h"
#include "report/canvas_trace.h"
#include "report/page.h"
#include "report/style.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define TEMPLATES_FOLDER ASSAY_SOURCE_DIR "/templates"
#define SLACK 0.6

static bool is_size(double size, double wanted)
{
	return fabs(size - wanted) < 0.01;
}

/* Where a figure ends: the next figure, table or heading. */
static bool opens_block(const struct canvas_trace_text *text)
{
	return strncmp(text->text, "Figure ", 7) == 0 || strncmp(text->text, "Table ", 6) == 0 || text->size > 9;
}

static bool before(int page_a, double y_a, int page_b, double y_b)
{
	return page_a < page_b || (page_a == page_b && y_a < y_b);
}

static size_t count_between(const struct canvas *trace, const char *kind, const struct canvas_trace_text *from,
			    const struct canvas_trace_text *to)
{
	size_t n = 0, found = 0;
	const struct canvas_trace_mark *marks = canvas_trace_marks(trace, &n);

	for (size_t i = 0; i < n; i++)
		found += strcmp(marks[i].kind, kind) == 0 && before(from->page, from->y, marks[i].page, marks[i].y1) &&
			 (!to || before(marks[i].page, marks[i].y1, to->page, to->y));
	return found;
}

/* "n" as a word of its own. */
static bool says_n(const char *text)
{
	for (const char *at = strchr(text, 'n'); at; at = strchr(at + 1, 'n'))
		if ((at == text || strchr(" (\n", at[-1])) && strchr(" =:\n", at[1] ? at[1] : 'x'))
			return true;
	return false;
}

static bool says_unit(const char *text)
{
	static const char *const units[] = {"%", "/s", " s ", " ms", "B/s", "bytes", "GPU-hours", "seconds"};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strstr(text, units[i]))
			return true;
	return false;
}

static size_t figure_faults(const struct canvas *trace, size_t index, struct text *out)
{
	size_t n = 0, faults = 0;
	const struct canvas_trace_text *texts = canvas_trace_texts(trace, &n);
	const struct canvas_trace_text *title = &texts[index];
	CLEANUP(text_release) struct text all = {0};
	CLEANUP(text_release) struct text caption = {0};
	size_t end = index + 1;

	for (; end < n && !opens_block(&texts[end]); end++) {
		text_format(&all, " %s", texts[end].text);
		if (is_size(texts[end].size, STYLE_SMALL.size))
			text_format(&caption, " %s", texts[end].text);
	}
	const struct canvas_trace_text *to = end < n ? &texts[end] : NULL;
	const struct {
		bool broken;
		const char *what;
	} rules[] = {
		{!says_n(text_string(&caption)), "its caption does not say what n is"},
		{!says_unit(text_string(&all)), "it has no unit"},
		{count_between(trace, "ring", title, to) > 0 && !strstr(text_string(&caption), "ollow"),
		 "its caption does not say what hollow means"},
	};
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		if (!rules[i].broken)
			continue;
		faults++;
		text_format(out, "page %d: %s %s\n", title->page + 1, title->text, rules[i].what);
	}
	return faults;
}

size_t trace_rules_faults(const struct canvas *trace, struct text *out)
{
	size_t faults = canvas_trace_faults(trace, STYLE_LEFT, STYLE_MIN_SIZE, out);
	size_t n = 0;
	const struct canvas_trace_mark *marks = canvas_trace_marks(trace, &n);

	for (size_t i = 0; i < n; i++) {
		const struct canvas_trace_mark *m = &marks[i];
		if (fmin(m->y1, m->y2) >= STYLE_TOP - 60 && fmax(m->y1, m->y2) <= trace->height - 40)
			continue;
		faults++;
		text_format(out, "page %d: a %s leaves the page\n", m->page + 1, m->kind);
	}
	const struct canvas_trace_text *texts = canvas_trace_texts(trace, &n);
	for (size_t i = 0; i < n; i++) {
		bool foot = texts[i].y > trace->height - 36;
		if (!foot && texts[i].y > STYLE_BOTTOM(trace) + 12) {
			faults++;
			text_format(out, "page %d: '%s' runs into the foot\n", texts[i].page + 1, texts[i].text);
		}
		if (strncmp(texts[i].text, "Figure ", 7) == 0 && is_size(texts[i].size, STYLE_CELL_BOLD.size))
			faults += figure_faults(trace, i, out);
	}
	return faults;
}

static struct trace_pages blank(double width, double height)
{
	const struct canvas_pdf_info info = {.width = width, .height = height, .title = "t", .digest = ""};
	struct trace_pages pages = {0};
	struct error err = {0};

	assert_int_equal(canvas_pdf_new(&info, &pages.pdf, &err), 0);
	pages.trace = canvas_trace_new(pages.pdf);
	return pages;
}

struct trace_pages trace_pages_of(const struct analysis_doc *doc, const char *template_name, double width,
				  double height)
{
	struct trace_pages pages = blank(width, height);
	struct error err = {0};
	CLEANUP(mem_free) char *path = path_join(TEMPLATES_FOLDER, template_name);
	CLEANUP(mem_free) char *bytes = NULL;
	size_t n = 0;

	assert_int_equal(file_read(path, &bytes, &n, &err), 0);
	if (page_layout(doc, template_name, bytes, n, pages.trace, &err) < 0)
		fail_msg("%s", err.message);
	return pages;
}

struct trace_pages trace_pages_draw(void (*draw)(struct layout *layout, const struct analysis_doc *doc),
				    const struct analysis_doc *doc)
{
	struct trace_pages pages = blank(595.28, 841.89);
	const struct layout_head head = {"t", "", "", "", "", "", false};
	struct layout layout;

	layout_init(&layout, pages.trace, &head);
	draw(&layout, doc);
	layout_finish(&layout);
	return pages;
}

void trace_pages_release(struct trace_pages *pages)
{
	canvas_trace_free(pages->trace);
	canvas_pdf_free(pages->pdf);
}

bool trace_pages_drawn(const struct trace_pages *pages, const char *words)
{
	size_t n = 0;
	const struct canvas_trace_text *texts = canvas_trace_texts(pages->trace, &n);

	for (size_t i = 0; i < n; i++)
		if (strstr(texts[i].text, words))
			return true;
	return false;
}

size_t trace_pages_marks(const struct trace_pages *pages, const char *kind)
{
	size_t n = 0, found = 0;
	const struct canvas_trace_mark *marks = canvas_trace_marks(pages->trace, &n);

	for (size_t i = 0; i < n; i++)
		found += strcmp(marks[i].kind, kind) == 0;
	return found;
}

void trace_rules_check(const struct analysis_doc *doc, const char *template_name)
{
	static const double papers[][2] = {{595.28, 841.89}, {612, 792}};

	for (size_t i = 0; i < sizeof papers / sizeof *papers; i++) {
		CLEANUP(trace_pages_release)
		struct trace_pages pages = trace_pages_of(doc, template_name, papers[i][0], papers[i][1]);
		CLEANUP(text_release) struct text faults = {0};
		if (trace_rules_faults(pages.trace, &faults) > 0)
			fail_msg("%s", text_string(&faults));
	}
}
