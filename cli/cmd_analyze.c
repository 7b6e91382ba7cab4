#include "cli/cli.h"
#include "cli/document.h"

#include <stdio.h>

static const struct cli_usage usage = {
	.name = "analyze",
	.arguments = "DIR [--out FILE.json]",
	.summary = "Compute every number of a campaign from its log: the same log gives the same bytes.",
	.needs = "one campaign folder is needed",
	.min_words = 1,
	.max_words = 1,
};

int cmd_analyze(int argc, char **argv)
{
	enum { OUT };
	struct cli_option options[] = {
		[OUT] = {"--out", CLI_VALUE, "FILE.json", "where to write; DIR/analysis.json when absent", NULL},
		{NULL, CLI_FLAG, NULL, NULL, NULL},
	};
	struct error err = {0};
	CLEANUP(string_list_release) struct string_list words = {0};
	int r = cli_open(&usage, options, argc, argv, &words, &err);
	if (r != CLI_RUN)
		return cli_end(r, &err);
	CLEANUP(mem_free)
	char *path =
		options[OUT].value ? mem_dup_string(options[OUT].value) : cli_path(words.items[0], "analysis.json");
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = NULL;
	r = document_compute(words.items[0], path, &doc, &err);
	if (r != CLI_RUN)
		return cli_end(r, &err);
	printf("%zu runs, %zu effects, %zu findings\n", doc->n_runs, doc->n_effects, doc->n_findings);
	return cli_finish();
}
