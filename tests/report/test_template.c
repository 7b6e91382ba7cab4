#include "report/canvas_pdf.h"
#include "report/canvas_trace.h"
#include "report/page.h"
#include "tests/report/fixture_doc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct canvas_pdf_info info = {.width = 595.28, .height = 841.89, .title = "t", .digest = ""};

/* Lay a template out; `ret` gets every text drawn, a line each. */
static int lay_out(const char *template, struct text *ret, struct error *err)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	CLEANUP(canvas_pdf_free) struct canvas *pdf = NULL;
	assert_int_equal(canvas_pdf_new(&info, &pdf, err), 0);
	CLEANUP(canvas_trace_free) struct canvas *trace = canvas_trace_new(pdf);
	int r = page_layout(doc, "t.md", template, strlen(template), trace, err);
	size_t n = 0;
	const struct canvas_trace_text *texts = canvas_trace_texts(trace, &n);
	for (size_t i = 0; i < n; i++)
		text_format(ret, "%s\n", texts[i].text);
	return r;
}

static void check_error(const char *template, const char *place, const char *about)
{
	struct error err = {0};
	CLEANUP(text_release) struct text drawn = {0};
	assert_int_equal(lay_out(template, &drawn, &err), ERROR_DATA);
	if (!strstr(err.message, place) || !strstr(err.message, about))
		fail_msg("'%s' lacks '%s' or '%s'", err.message, place, about);
}

static void test_errors__name_file_and_line(void **state)
{
	(void)state;
	check_error("# a\n\nb {{name\n", "t.md:3", "not closed");
	check_error("a\nb\nc }} d\n", "t.md:3", "without");
	check_error("a\n\n<div>x</div>\n", "t.md:3", "HTML");
	check_error("a <b>x</b>\n", "t.md:1", "HTML");
	check_error("x\n\n{{nothing.here}}\n", "t.md:3", "nothing.here");
	check_error("{{Name}}\n", "t.md:1", "no path");
	check_error("{{name:roman}}\n", "t.md:1", "roman");
	check_error("```table unknown\n```\n", "t.md:1", "unknown");
	check_error("```columns findings\n```\n", "t.md:1", "|");
	check_error("```figure catalogue optional\n```\n", "t.md:1", "always");
	check_error("```table unknown optional\n```\n", "t.md:1", "unknown");
	check_error("```columns findings | nope\n```\n", "t.md:1", "nope");
}

static void test_placeholders__are_resolved(void **state)
{
	(void)state;
	struct error err = {0};
	CLEANUP(text_release) struct text drawn = {0};
	assert_int_equal(lay_out("# One\n\nIt is {{name}}, {{margin_percent:percent}}, `{{name}}`.\n", &drawn, &err),
			 0);
	assert_non_null(strstr(text_string(&drawn), "It is lm7b-fabric, 2\xC2\xA0%,"));
	assert_non_null(strstr(text_string(&drawn), "{{name}}"));
}

/* The fixture holds neither prices nor fractions: their block, heading and words go; the next heading stays. */
static void test_optional__is_silent(void **state)
{
	(void)state;
	struct error err = {0};
	static const char silent[] = "# One\n\n### Cost\n\nWords.\n\n```table price optional\n```\n\n"
				     "```figure communication optional\n```\n\n### Next\n\nMore.\n";
	static const char spoken[] = "# One\n\n### Cost\n\n```table price optional\n```\n\n```table price\n```\n";
	CLEANUP(text_release) struct text drawn = {0};
	CLEANUP(text_release) struct text other = {0};
	assert_int_equal(lay_out(silent, &drawn, &err), 0);
	assert_null(strstr(text_string(&drawn), "Cost"));
	assert_null(strstr(text_string(&drawn), "Words."));
	assert_null(strstr(text_string(&drawn), "Price."));
	assert_non_null(strstr(text_string(&drawn), "Next"));
	assert_non_null(strstr(text_string(&drawn), "More."));
	assert_int_equal(lay_out(spoken, &other, &err), 0);
	assert_non_null(strstr(text_string(&other), "Cost"));
	assert_non_null(strstr(text_string(&other), "Price."));
}

static void test_data__never_become_markup(void **state)
{
	(void)state;
	struct error err = {0};
	CLEANUP(canvas_pdf_free) struct canvas *pdf = NULL;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_empty();
	mem_free_pointer(&doc->question);
	doc->question = mem_dup_string("**bold** <b>{{name}}</b>");
	assert_int_equal(canvas_pdf_new(&info, &pdf, &err), 0);
	CLEANUP(canvas_trace_free) struct canvas *trace = canvas_trace_new(pdf);
	assert_int_equal(page_layout(doc, "t.md", "{{question}}\n", 13, trace, &err), 0);
	size_t n = 0;
	bool seen = false;
	const struct canvas_trace_text *texts = canvas_trace_texts(trace, &n);
	for (size_t i = 0; i < n; i++)
		seen = seen || strcmp(texts[i].text, "**bold** <b>{{name}}</b>") == 0;
	assert_true(seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors__name_file_and_line),
		cmocka_unit_test(test_placeholders__are_resolved),
		cmocka_unit_test(test_optional__is_silent),
		cmocka_unit_test(test_data__never_become_markup),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
