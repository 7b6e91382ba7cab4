/* The file itself: same input, same bytes; pdftotext finds every word and poppler has nothing to say. */
#include "assay/report.h"
#include "base/file.h"
#include "base/text.h"
#include "tests/report/fixture_doc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define TEMPLATES_FOLDER ASSAY_SOURCE_DIR "/templates"

static char folder[] = "/tmp/assay-test-pdf-XXXXXX";

static void render(const struct analysis_doc *doc, const char *name, char **ret_path)
{
	struct error err = {0};
	*ret_path = path_join(folder, name);
	if (report_render(doc, TEMPLATES_FOLDER "/weekly.md", REPORT_A4, *ret_path, &err) < 0)
		fail_msg("%s", err.message);
}

static void test_bytes__are_the_same_twice(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	char *bytes[2];
	size_t n[2];
	for (int i = 0; i < 2; i++) {
		CLEANUP(mem_free) char *path = NULL;
		render(doc, i == 0 ? "a.pdf" : "b.pdf", &path);
		assert_int_equal(file_read(path, &bytes[i], &n[i], NULL), 0);
		if (i == 0)
			sleep(1); /* a clock in the file would show */
		unlink(path);
	}
	assert_int_equal(n[0], n[1]);
	assert_memory_equal(bytes[0], bytes[1], n[0]);
	mem_free_pointer(&bytes[0]);
	mem_free_pointer(&bytes[1]);
}

static void test_words__come_back_without_warnings(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_rich();
	CLEANUP(mem_free) char *path = NULL;
	CLEANUP(mem_free) char *words = path_join(folder, "words.txt");
	CLEANUP(mem_free) char *got = NULL;
	CLEANUP(text_release) struct text command = {0};
	size_t n = 0;
	render(doc, "c.pdf", &path);
	text_format(&command, "pdftotext -layout %s %s 2>&1", path, words);
	FILE *pipe = popen(text_string(&command), "r");
	assert_non_null(pipe);
	int first = fgetc(pipe);
	assert_int_equal(pclose(pipe), 0);
	assert_int_equal(first, EOF); /* poppler is silent */
	assert_int_equal(file_read(words, &got, &n, NULL), 0);
	static const char *const expected[] = {"bfloat16 gradient sum",
					       "+138.8",
					       "\xE2\x88\x92"
					       "11.2",
					       "\xE2\x86\x92",
					       "win, size open",
					       "Void, and why",
					       "23\xE2\x80\x93"
					       "29 November 2026",
					       "aws-ofi-nccl",
					       "\xC2\xB1"
					       "2"};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		if (!strstr(got, expected[i]))
			fail_msg("'%s' is not in the text of the PDF", expected[i]);
	unlink(path);
	unlink(words);
}

static void test_characters__without_glyph_show(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_empty();
	CLEANUP(mem_free) char *path = NULL;
	mem_free_pointer(&doc->question);
	doc->question = mem_dup_string("emoji \xF0\x9F\x98\x80 bad \xFF byte \xE2\x9C\x93 tick");
	render(doc, "d.pdf", &path);
	unlink(path);
}

static void test_template__missing(void **state)
{
	(void)state;
	struct error err = {0};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = fixture_doc_empty();
	CLEANUP(mem_free) char *path = path_join(folder, "none.pdf");
	assert_int_equal(report_render(doc, "/nowhere/t.md", REPORT_A4, path, &err), ERROR_ENVIRONMENT);
	assert_int_equal(report_render(doc, TEMPLATES_FOLDER "/weekly.md", REPORT_LETTER, "/nowhere/x.pdf", &err),
			 ERROR_ENVIRONMENT);
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes__are_the_same_twice),
		cmocka_unit_test(test_words__come_back_without_warnings),
		cmocka_unit_test(test_characters__without_glyph_show),
		cmocka_unit_test(test_template__missing),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
