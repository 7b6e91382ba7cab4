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
		   "SIGTERM, SIGHUP) ends the run under way, finishes the record and exits with 130; the same command "
		   "goes on "
		   "from\n"
		   "there. Several collectors may share a campaign: each takes blocks that no other one holds.",
};

enum { EXIT_INTERRUPTED = 130, N_STATES = PLANNED_MISSED + 1 };

/* One call: what it tells, and which blocks it had to leave to other collectors. */
struct collecting {
	struct progress progress;
	struct string_list held;
};

/* What the log has after the call. */
struct remains {
	size_t lacking, missed;
	size_t held, held_blocks; /* of those lacking, in blocks left to other collectors */
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number)
{
	(void)signal_number;
	interrupted = 1;
}

/* The second signal ends the program at once: the log stands that, and nobody has to wait. A reader of the progress
 * that has gone away ends nothing. */
static void catch_signals(void)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		sigaction(ending[i], &action, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
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
			enum planned_state state)
{
	static const char *const words[] = {
		[PLANNED_LACKING] = "lacking", [PLANNED_RECORDED] = "recorded", [PLANNED_MISSED] = "missed"};
	CLEANUP(text_release) struct text position = {0};

	text_format(&position, "%" PRId64, run->position);
	terminal_add(table, TERMINAL_PLAIN, block->name);
	terminal_add(table, TERMINAL_PLAIN, text_string(&position));
	terminal_add(table, TERMINAL_PLAIN, run_role_name(run->role));
	terminal_add(table, TERMINAL_PLAIN, run->harness->name);
	terminal_add(table, TERMINAL_PLAIN, run->setting->name);
	terminal_add(table, state == PLANNED_LACKING ? TERMINAL_PLAIN : TERMINAL_GREY, words[state]);
}

static int dry_run(const char *directory, const struct plan *plan, const struct schedule *schedule, const char *only,
		   struct error *err)
{
	static const char *const heads[] = {"block", "position", "role", "harness", "setting", "state"};
	enum { N_COLUMNS = sizeof(heads) / sizeof(heads[0]) };
	static const bool right[N_COLUMNS] = {[1] = true};
	CLEANUP(mem_free) enum planned_state *states = NULL;
	CLEANUP(terminal_table_release) struct terminal_table table = {.n_columns = N_COLUMNS, .right = right};
	size_t at = 0, shown = 0, blocks = 0, counts[N_STATES] = {0};

	int r = schedule_recorded(directory, plan, schedule, &states, err);
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
			add_dry_row(&table, block, &block->runs[j], states[at]);
			shown++;
			counts[states[at]]++;
		}
	}
	terminal_print(&table);
	printf("%zu run%s in %zu block%s: %zu recorded, %zu lacking", shown, plural(shown), blocks, plural(blocks),
	       counts[PLANNED_RECORDED], counts[PLANNED_LACKING]);
	if (counts[PLANNED_MISSED] > 0)
		printf(", %zu missed", counts[PLANNED_MISSED]);
	putchar('\n');
	return 0;
}

/* As the log has it: what an outside cause ended lacks again. */
static int count_remains(const char *directory, const struct plan *plan, const struct schedule *schedule,
			 const char *only, const struct string_list *held, struct remains *ret, struct error *err)
{
	CLEANUP(mem_free) enum planned_state *states = NULL;
	size_t at = 0;

	*ret = (struct remains){0};
	int r = schedule_recorded(directory, plan, schedule, &states, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < schedule->n; i++) {
		const struct planned_block *block = &schedule->blocks[i];
		size_t counts[N_STATES] = {0};

		for (size_t j = 0; j < block->n; j++, at++)
			counts[states[at]] += in_scope(block, only);
		ret->lacking += counts[PLANNED_LACKING];
		ret->missed += counts[PLANNED_MISSED];
		if (counts[PLANNED_LACKING] > 0 && string_list_has(held, block->name)) {
			ret->held += counts[PLANNED_LACKING];
			ret->held_blocks++;
		}
	}
	return 0;
}

static void describe_lacking(struct text *line, const struct collect_result *result, const struct remains *remains)
{
	if (remains->lacking == 0) {
		text_add(line, "; nothing is lacking");
		if (result->busy > 0)
			text_format(line, " (another collector ran %zu block%s)", result->busy, plural(result->busy));
		return;
	}
	text_add(line, result->cancelled ? "; interrupted: the record is complete so far, " : "; ");
	text_format(line, "%zu lacking", remains->lacking);
	if (remains->held > 0 && remains->held == remains->lacking)
		text_add(line, ", all");
	else if (remains->held > 0)
		text_format(line, ", %zu of them", remains->held);
	if (remains->held > 0)
		text_format(line, " in %zu block%s held by another collector", remains->held_blocks,
			    plural(remains->held_blocks));
	if (result->cancelled || remains->held < remains->lacking)
		text_add(line, "; the same command goes on");
}

static void describe_missed(struct text *line, size_t missed)
{
	if (missed == 1)
		text_add(line, "; 1 run was added to the plan after its block had ended: raise design.blocks to "
			       "measure it in a new block");
	else if (missed > 1)
		text_format(line,
			    "; %zu runs were added to the plan after their blocks had ended: raise design.blocks to "
			    "measure them in new blocks",
			    missed);
}

static void print_summary(const struct progress *progress, const struct collect_result *result,
			  const struct remains *remains)
{
	CLEANUP(text_release) struct text line = {0};
	CLEANUP(text_release) struct text lost = {0};

	text_format(&line, "%zu run%s recorded", result->recorded, plural(result->recorded));
	progress_lost(progress, &lost);
	if (lost.length > 0)
		text_format(&line, ", %s", text_string(&lost));
	if (result->already > 0)
		text_format(&line, ", %zu before", result->already);
	describe_lacking(&line, result, remains);
	describe_missed(&line, remains->missed);
	terminal_print_line(TERMINAL_PLAIN, text_string(&line));
}

static void see_event(void *context, const struct collect_event *event)
{
	struct collecting *collecting = context;

	if (event->kind == COLLECT_BLOCK_BUSY)
		string_list_add(&collecting->held, event->block);
	progress_report(&collecting->progress, event);
}

static int collect(const char *directory, const struct plan *plan, const struct schedule *schedule, const char *only,
		   struct collect_result *ret_result, struct error *err)
{
	struct collecting collecting = {0};
	struct remains remains;
	const struct collect_options options = {
		.directory = directory,
		.block = only,
		.cancel = &interrupted,
		.report = see_event,
		.context = &collecting,
	};

	progress_init(&collecting.progress);
	catch_signals();
	int r = collect_run(plan, &options, ret_result, err);
	progress_clear(&collecting.progress);
	if (r == 0)
		r = count_remains(directory, plan, schedule, only, &collecting.held, &remains, err);
	if (r == 0)
		print_summary(&collecting.progress, ret_result, &remains);
	string_list_release(&collecting.held);
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
		r = dry_run(words.items[0], plan, &schedule, options[BLOCK].value, &err);
	else if (r == CLI_RUN)
		r = collect(words.items[0], plan, &schedule, options[BLOCK].value, &result, &err);
	int code = cli_end(r, &err);
	return code == 0 && result.cancelled ? EXIT_INTERRUPTED : code;
}
