#include "assay/collect.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct cli_usage usage = {
	.name = "collect",
	.arguments = "DIR [--block NAME] [--dry-run]",
	.summary = "Run what the plan still lacks and record every run as it ends; safe to kill and to repeat.",
	.needs = "one campaign folder is needed",
	.min_words = 1,
	.max_words = 1,
	.details = "A run that crashes or exceeds its deadline is recorded too, and is no failure of the command. "
		   "Ctrl-C (or\n"
		   "SIGTERM) ends the run under way, finishes the record and exits with 130; the same command goes on "
		   "from\n"
		   "there. Several collectors may share a campaign: each takes blocks that no other one holds.",
};

enum { EXIT_INTERRUPTED = 130 };

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number)
{
	(void)signal_number;
	interrupted = 1;
}

/* The second signal ends the program at once: the log stands that, and nobody has to wait. */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static bool in_scope(const struct planned_block *block, const char *only)
{
	return !only || strcmp(block->name, only) == 0;
}

static int check_block(const struct schedule *schedule, const char *only, struct error *err)
{
	for (size_t i = 0; i < schedule->n; i++)
		if (in_scope(&schedule->blocks[i], only))
			return 0;
	return error_set(err, ERROR_USAGE, "collect: the plan has no block '%s'; it has '%s' to '%s'", only,
			 schedule->blocks[0].name, schedule->blocks[schedule->n - 1].name);
}

static void add_dry_row(struct terminal_table *table, const struct planned_block *block, const struct planned_run *run,
			bool recorded)
{
	CLEANUP(text_release) struct text position = {0};

	text_format(&position, "%" PRId64, run->position);
	terminal_add(table, TERMINAL_PLAIN, block->name);
	terminal_add(table, TERMINAL_PLAIN, text_string(&position));
	terminal_add(table, TERMINAL_PLAIN, run_role_name(run->role));
	terminal_add(table, TERMINAL_PLAIN, run->harness->name);
	terminal_add(table, TERMINAL_PLAIN, run->setting->name);
	terminal_add(table, recorded ? TERMINAL_GREY : TERMINAL_PLAIN, recorded ? "recorded" : "lacking");
}

static int dry_run(const char *directory, const struct schedule *schedule, const char *only, struct error *err)
{
	static const char *const heads[] = {"block", "position", "role", "harness", "setting", "state"};
	enum { N_COLUMNS = sizeof(heads) / sizeof(heads[0]) };
	static const bool right[N_COLUMNS] = {[1] = true};
	CLEANUP(mem_free) bool *recorded = NULL;
	CLEANUP(terminal_table_release) struct terminal_table table = {.n_columns = N_COLUMNS, .right = right};
	size_t at = 0, shown = 0, lacking = 0, blocks = 0;

	int r = schedule_recorded(directory, schedule, &recorded, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < N_COLUMNS; i++)
		terminal_add(&table, TERMINAL_PLAIN, heads[i]);
	for (size_t i = 0; i < schedule->n; i++) {
		const struct planned_block *block = &schedule->blocks[i];
		blocks += in_scope(block, only);
		for (size_t j = 0; j < block->n; j++, at++) {
			if (!in_scope(block, only))
				continue;
			add_dry_row(&table, block, &block->runs[j], recorded[at]);
			shown++;
			lacking += !recorded[at];
		}
	}
	terminal_print(&table);
	printf("%zu runs in %zu block%s: %zu recorded, %zu lacking\n", shown, blocks, blocks == 1 ? "" : "s",
	       shown - lacking, lacking);
	return 0;
}

/* Runs in scope that lack, as the log has them: what an outside cause ended lacks again. */
static int count_lacking(const char *directory, const struct schedule *schedule, const char *only, size_t *ret_lacking,
			 struct error *err)
{
	CLEANUP(mem_free) bool *recorded = NULL;
	size_t at = 0;

	int r = schedule_recorded(directory, schedule, &recorded, err);
	if (r < 0)
		return r;
	*ret_lacking = 0;
	for (size_t i = 0; i < schedule->n; i++)
		for (size_t j = 0; j < schedule->blocks[i].n; j++, at++)
			*ret_lacking += in_scope(&schedule->blocks[i], only) && !recorded[at];
	return 0;
}

static void print_summary(const struct progress *progress, const struct collect_result *result, size_t lacking)
{
	CLEANUP(text_release) struct text line = {0};
	CLEANUP(text_release) struct text lost = {0};

	text_format(&line, "%zu run%s recorded", result->recorded, result->recorded == 1 ? "" : "s");
	progress_lost(progress, &lost);
	if (lost.length > 0)
		text_format(&line, ", %s", text_string(&lost));
	if (result->already > 0)
		text_format(&line, ", %zu before", result->already);
	if (lacking == 0)
		text_add(&line, "; nothing is lacking");
	else if (result->cancelled)
		text_format(&line,
			    "; interrupted: the record is complete so far, %zu lacking; the same command goes on",
			    lacking);
	else
		text_format(&line, "; %zu lacking; the same command goes on", lacking);
	if (result->busy > 0)
		text_format(&line, " (%zu block%s held by another collector)", result->busy,
			    result->busy == 1 ? " is" : "s are");
	terminal_print_line(TERMINAL_PLAIN, text_string(&line));
}

static int collect(const char *directory, const struct plan *plan, const struct schedule *schedule, const char *only,
		   struct collect_result *ret_result, struct error *err)
{
	struct progress progress;
	size_t lacking = 0;
	const struct collect_options options = {
		.directory = directory,
		.block = only,
		.cancel = &interrupted,
		.report = progress_report,
		.context = &progress,
	};

	progress_init(&progress);
	catch_signals();
	int r = collect_run(plan, &options, ret_result, err);
	progress_clear(&progress);
	if (r == 0)
		r = count_lacking(directory, schedule, only, &lacking, err);
	if (r == 0)
		print_summary(&progress, ret_result, lacking);
	return r;
}

int cmd_collect(int argc, char **argv)
{
	enum { BLOCK, DRY_RUN };
	struct cli_option options[] = {
		[BLOCK] = {"--block", CLI_VALUE, "NAME", "this block alone, such as b2", NULL},
		[DRY_RUN] = {"--dry-run", CLI_FLAG, NULL, "print the planned runs and whether each is recorded", NULL},
		{NULL, CLI_FLAG, NULL, NULL, NULL},
	};
	struct error err = {0};
	CLEANUP(string_list_release) struct string_list words = {0};
	CLEANUP(plan_free) struct plan *plan = NULL;
	CLEANUP(schedule_release) struct schedule schedule = {0};
	struct collect_result result = {0};
	int r = cli_open(&usage, options, argc, argv, &words, &err);
	if (r == CLI_RUN)
		r = cli_plan(words.items[0], &plan, &err);
	if (r == CLI_RUN)
		r = schedule_plan(plan, &schedule, &err);
	if (r == CLI_RUN)
		r = check_block(&schedule, options[BLOCK].value, &err);
	if (r == CLI_RUN && options[DRY_RUN].value)
		r = dry_run(words.items[0], &schedule, options[BLOCK].value, &err);
	else if (r == CLI_RUN)
		r = collect(words.items[0], plan, &schedule, options[BLOCK].value, &result, &err);
	int code = cli_end(r, &err);
	return code == 0 && result.cancelled ? EXIT_INTERRUPTED : code;
}
