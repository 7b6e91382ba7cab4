#include "assay/report.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/document.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct cli_usage usage = {
	.name = "report",
	.arguments = "DIR --template weekly|FILE.md [--paper a4|letter] --out FILE.pdf",
	.summary = "Print a campaign's analysis as a PDF.",
	.needs = "one campaign folder is needed",
	.min_words = 1,
	.max_words = 1,
};

/* The templates that belong to this program: of the source tree while it runs from the build tree. */
static const char *template_folder(void)
{
	char program[4096];
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
	if (n > 0) {
		program[n] = '\0';
		if (strncmp(program, ASSAY_BINARY_DIR "/", strlen(ASSAY_BINARY_DIR "/")) == 0)
			return ASSAY_SOURCE_TEMPLATE_DIR;
	}
	return ASSAY_TEMPLATE_DIR;
}

/* A plain word names a shipped template, anything else a file. */
static int template_find(const char *name, char **ret_path, struct error *err)
{
	size_t length = strlen(name);
	bool is_file = strchr(name, '/') || (length > 3 && strcmp(name + length - 3, ".md") == 0);
	struct text path = {0};
	if (is_file)
		text_add(&path, name);
	else
		text_format(&path, "%s/%s.md", template_folder(), name);
	CLEANUP(mem_free) char *found = text_take(&path);
	if (!is_file && access(found, R_OK) != 0)
		return error_set(err, ERROR_USAGE, "report: no template '%s' (looked for '%s')", name, found);
	*ret_path = TAKE(found);
	return 0;
}

static int paper_parse(const char *name, enum report_paper *ret_paper, struct error *err)
{
	static const struct {
		const char *name;
		enum report_paper paper;
	} papers[] = {{"a4", REPORT_A4}, {"letter", REPORT_LETTER}};
	for (size_t i = 0; i < sizeof(papers) / sizeof(papers[0]); i++)
		if (strcmp(name, papers[i].name) == 0) {
			*ret_paper = papers[i].paper;
			return 0;
		}
	return error_set(err, ERROR_USAGE, "report: unknown paper '%s' (a4, letter)", name);
}

int cmd_report(int argc, char **argv)
{
	enum { TEMPLATE, PAPER, OUT };
	struct cli_option options[] = {
		[TEMPLATE] = {"--template", CLI_VALUE, "NAME|FILE.md", "a shipped template or a file of yours", NULL},
		[PAPER] = {"--paper", CLI_VALUE, "a4|letter", "a4 when absent", NULL},
		[OUT] = {"--out", CLI_VALUE, "FILE.pdf", "where to write", NULL},
		{NULL, CLI_FLAG, NULL, NULL, NULL},
	};
	struct error err = {0};
	CLEANUP(string_list_release) struct string_list words = {0};
	int r = cli_open(&usage, options, argc, argv, &words, &err);
	if (r == CLI_RUN && (!options[TEMPLATE].value || !options[OUT].value))
		r = cli_usage_error(&usage, &err, "--template and --out are needed");
	enum report_paper paper = REPORT_A4;
	if (r == CLI_RUN && options[PAPER].value)
		r = paper_parse(options[PAPER].value, &paper, &err);
	CLEANUP(mem_free) char *template_path = NULL;
	if (r == CLI_RUN)
		r = template_find(options[TEMPLATE].value, &template_path, &err);
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = NULL;
	if (r == CLI_RUN)
		r = document_current(words.items[0], &doc, &err);
	if (r == CLI_RUN)
		r = report_render(doc, template_path, paper, options[OUT].value, &err);
	if (r != CLI_RUN)
		return cli_end(r, &err);
	printf("wrote %s\n", options[OUT].value);
	return cli_finish();
}
