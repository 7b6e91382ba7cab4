#include "assay/collect.h"
#include "cli/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANIFEST, HARNESS, SETTING, BLOCK, POSITION, ROLE, STATUS };

static const struct cli_usage usage = {
	.name = "import",
	.arguments = "DIR --manifest FILE.csv\n"
		     "DIR --harness H --setting S --block B [--position N] [--role R] [--status S] FILE...",
	.summary = "Take logs of runs into a campaign: every file is read before anything is written.",
	.needs = "the campaign's folder is missing",
	.min_words = 1,
	.max_words = SIZE_MAX,
};

static int parse_position(const char *string, int64_t *ret_position, struct error *err)
{
	char *end;
	errno = 0;
	long long value = strtoll(string, &end, 10);
	if (errno != 0 || end == string || *end != '\0' || value < 1)
		return error_set(err, ERROR_USAGE, "import: --position '%s' is not a whole number above 0", string);
	*ret_position = value;
	return 0;
}

/* A manifest of the files named on the command line: what a CSV would have said. */
static int manifest_of_files(const struct cli_option *options, const struct string_list *words,
			     struct import_manifest **ret_manifest, struct error *err)
{
	if (!options[HARNESS].value || !options[SETTING].value || !options[BLOCK].value)
		return cli_usage_error(&usage, err,
				       "--manifest, or all of --harness, --setting and --block are needed");
	if (words->n < 2)
		return cli_usage_error(&usage, err, "no file is named");
	int64_t position = RECORD_UNSET;
	if (options[POSITION].value) {
		int r = parse_position(options[POSITION].value, &position, err);
		if (r < 0)
			return r;
		if (words->n > 2)
			return cli_usage_error(&usage, err, "--position goes with one file");
	}
	enum run_role role;
	if (options[ROLE].value && run_role_parse(options[ROLE].value, &role) < 0)
		return error_set(err, ERROR_USAGE, "import: unknown role '%s' (arm, settle, sentinel)",
				 options[ROLE].value);
	enum run_status status;
	if (options[STATUS].value && run_status_parse(options[STATUS].value, &status) < 0)
		return error_set(err, ERROR_USAGE, "import: unknown status '%s'", options[STATUS].value);

	CLEANUP(import_manifest_free) struct import_manifest *manifest = mem_new(1, sizeof(*manifest));
	manifest->path = mem_dup_string("command line");
	manifest->rows = mem_new(words->n, sizeof(*manifest->rows));
	for (size_t i = 1; i < words->n; i++)
		manifest->rows[manifest->n++] = (struct import_row){
			.file = mem_dup_string(words->items[i]),
			.path = mem_dup_string(words->items[i]),
			.harness = mem_dup_string(options[HARNESS].value),
			.setting = mem_dup_string(options[SETTING].value),
			.block = mem_dup_string(options[BLOCK].value),
			.position = position,
			.role = mem_dup_string(options[ROLE].value),
			.status = mem_dup_string(options[STATUS].value),
			.external = -1,
		};
	*ret_manifest = TAKE(manifest);
	return 0;
}

static int manifest_find(const struct cli_option *options, const struct string_list *words,
			 struct import_manifest **ret_manifest, struct error *err)
{
	if (!options[MANIFEST].value)
		return manifest_of_files(options, words, ret_manifest, err);
	for (size_t i = HARNESS; i <= STATUS; i++)
		if (options[i].value)
			return error_set(err, ERROR_USAGE, "import: '%s' does not go with --manifest", options[i].name);
	if (words->n > 1)
		return cli_usage_error(&usage, err, "with --manifest the files are named by the manifest");
	return import_manifest_read(options[MANIFEST].value, ret_manifest, err);
}

int cmd_import(int argc, char **argv)
{
	struct cli_option options[] = {
		[MANIFEST] = {"--manifest", CLI_VALUE, "FILE.csv",
			      "columns file,harness,setting,block and optional others", NULL},
		[HARNESS] = {"--harness", CLI_VALUE, "H", "harness of the files named", NULL},
		[SETTING] = {"--setting", CLI_VALUE, "S", "setting of the files named", NULL},
		[BLOCK] = {"--block", CLI_VALUE, "B", "block (allocation) that they ran in", NULL},
		[POSITION] = {"--position", CLI_VALUE, "N", "place in the block; the next free one when absent", NULL},
		[ROLE] = {"--role", CLI_VALUE, "R", "arm, settle or sentinel", NULL},
		[STATUS] = {"--status", CLI_VALUE, "STATUS", "ok, crash, oom, ... when the log does not say", NULL},
		{NULL, CLI_FLAG, NULL, NULL, NULL},
	};
	struct error err = {0};
	CLEANUP(string_list_release) struct string_list words = {0};
	int r = cli_open(&usage, options, argc, argv, &words, &err);
	CLEANUP(import_manifest_free) struct import_manifest *manifest = NULL;
	CLEANUP(plan_free) struct plan *plan = NULL;
	CLEANUP(import_result_release) struct import_result result = {0};
	if (r == CLI_RUN)
		r = manifest_find(options, &words, &manifest, &err);
	if (r == CLI_RUN)
		r = cli_plan(words.items[0], &plan, &err);
	if (r == CLI_RUN)
		r = import_run(words.items[0], plan, manifest, &result, &err);
	if (r != CLI_RUN)
		return cli_end(r, &err);

	fputs(text_string(&result.readings), stdout);
	if (result.segment)
		printf("imported %zu runs as '%s'", result.imported, result.segment);
	else
		printf("nothing new");
	if (result.already > 0)
		printf("%s%zu already imported", result.segment ? ", " : ": ", result.already);
	printf("\n");
	return cli_finish();
}
