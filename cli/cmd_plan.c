#include "assay/analyze.h"
#include "assay/collect.h"
#include "base/number.h"
#include "cli/cli.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct cli_usage usage = {
	.name = "plan",
	.arguments = "DIR [--floor PERCENT]",
	.summary = "Print what a plan takes to run, and which gains its blocks can find.",
	.needs = "one campaign folder is needed",
	.min_words = 1,
	.max_words = 1,
	.details = "The floor is the smallest difference, in percent, that can be read between two single runs: 2.8 "
		   "times the\n"
		   "repeatability SD. Without --floor the spread is taken from the runs recorded so far. A gain counts "
		   "as found\n"
		   "when a paired t test of size 0.05 over the blocks finds it with probability 0.80.",
};

/* More is no gain that a plan can be chosen by. */
static const double GAIN_PRINTED_PERCENT = 1000;

/* What the schedule and the log say of one harness. */
struct share {
	const struct plan_harness *harness;
	size_t roles[3]; /* runs of the first block, by role */
	size_t planned, recorded, missed;
	double elapsed_s; /* of the recorded runs that have one, sum */
	size_t elapsed_n;
};

/* The plan as a whole: one share a harness, in the plan's order. */
struct overview {
	const struct plan *plan;
	struct share *shares;
	char *cannot_run; /* why the plan cannot be collected here, or NULL */
};

static void overview_release(struct overview *overview)
{
	mem_free_pointer(&overview->shares);
	mem_free_pointer(&overview->cannot_run);
}
CLEANUP_VALUE(struct overview, overview_release)

static const struct plan_design *design_of(const struct plan *plan, const struct plan_harness *harness)
{
	return harness->design.present ? &harness->design : &plan->design;
}

static struct share *share_of(struct overview *overview, const char *harness)
{
	for (size_t i = 0; i < overview->plan->n_harnesses; i++)
		if (strcmp(overview->plan->harnesses[i].name, harness) == 0)
			return &overview->shares[i];
	return NULL;
}

static int add_elapsed(void *context, struct run_record *run, struct error *err)
{
	struct share *share = share_of(context, run->harness);

	(void)err;
	if (share && isfinite(run->elapsed_s)) {
		share->elapsed_s += run->elapsed_s;
		share->elapsed_n++;
	}
	return 0;
}

static void add_planned(struct overview *overview, const struct schedule *schedule, const enum planned_state *states)
{
	size_t at = 0;

	for (size_t i = 0; i < schedule->n; i++)
		for (size_t j = 0; j < schedule->blocks[i].n; j++, at++) {
			const struct planned_run *run = &schedule->blocks[i].runs[j];
			struct share *share = share_of(overview, run->harness->name);
			share->planned++;
			share->recorded += states[at] == PLANNED_RECORDED;
			share->missed += states[at] == PLANNED_MISSED;
			share->roles[run->role] += i == 0;
		}
}

static int overview_read(const char *directory, const struct plan *plan, struct overview *ret, struct error *err)
{
	CLEANUP(schedule_release) struct schedule schedule = {0};
	CLEANUP(mem_free) enum planned_state *states = NULL;
	const struct campaign_visitor visitor = {.run = add_elapsed, .context = ret};

	*ret = (struct overview){.plan = plan, .shares = mem_new(plan->n_harnesses, sizeof(*ret->shares))};
	for (size_t i = 0; i < plan->n_harnesses; i++)
		ret->shares[i].harness = &plan->harnesses[i];
	int r = campaign_log_each(directory, &visitor, NULL, NULL, err);
	if (r < 0)
		return r;
	/* A plan for imported logs has nothing to run, yet its blocks resolve what they resolve. */
	struct error reason = {0};
	if (schedule_plan(plan, &schedule, &reason) < 0) {
		ret->cannot_run = mem_dup_string(reason.message);
		return 0;
	}
	r = schedule_recorded(directory, plan, &schedule, &states, err);
	if (r == 0)
		add_planned(ret, &schedule, states);
	return r;
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void print_runs(const struct overview *overview, const struct share *share)
{
	int64_t blocks = plan_blocks(overview->plan, share->harness);
	CLEANUP(text_release) struct text line = {0};

	terminal_escape(&line, share->harness->name);
	text_format(&line, ": %" PRId64 " block%s", blocks, blocks == 1 ? "" : "s");
	if (!overview->cannot_run) {
		const size_t *roles = share->roles;
		size_t runs = roles[RUN_SETTLE] + roles[RUN_SENTINEL] + roles[RUN_ARM];
		text_format(&line, " of %zu run%s (%zu settle, %zu sentinel%s, %zu arm%s), %zu in all, %zu recorded",
			    runs, plural(runs), roles[RUN_SETTLE], roles[RUN_SENTINEL], plural(roles[RUN_SENTINEL]),
			    roles[RUN_ARM], plural(roles[RUN_ARM]), share->planned, share->recorded);
		if (share->missed > 0)
			text_format(&line, ", %zu missed (added after their blocks had ended)", share->missed);
	}
	puts(text_string(&line));
}

static void print_time(const struct share *share)
{
	size_t lacking = share->planned - share->recorded - share->missed;
	double mean_s = share->elapsed_n > 0 ? share->elapsed_s / (double)share->elapsed_n : NAN;
	double run_s = share->elapsed_n > 0 ? mean_s : share->harness->deadline_s;
	CLEANUP(text_release) struct text line = {0};

	if (lacking == 0)
		return;
	text_format(&line, "time: %s ", share->elapsed_n > 0 ? "about" : "at most");
	terminal_duration(&line, run_s * (double)lacking);
	text_format(&line, " for the %zu run%s, ", lacking, lacking == 1 ? " that lacks" : "s that lack");
	terminal_duration(&line, run_s);
	if (share->elapsed_n > 0)
		text_format(&line, " a run (mean of %zu recorded)", share->elapsed_n);
	else
		text_add(&line, " a run (deadline_s; none is recorded yet)");
	puts(text_string(&line));
}

/* What the blocks can find of one setting; of any when a floor was given. */
struct outlook {
	const char *name;
	struct resolve resolve;
};

static void print_spread(const struct resolve_spec *spec, const struct outlook *outlook)
{
	const struct resolve *resolve = &outlook->resolve;
	CLEANUP(text_release) struct text line = {0};

	terminal_escape(&line, outlook->name);
	text_format(&line, ": SD of the paired differences %.3g %%, from ", 100 * resolve->s_d);
	if (resolve->source == RESOLVE_PAIRED)
		text_format(&line, "its paired floor (%.0f df)", resolve->df);
	else if (resolve->source == RESOLVE_WITHIN)
		text_format(&line, "the repeatability SD within a block, %.3g %% (%.0f df)", 100 * resolve->s_r,
			    resolve->df);
	else if (resolve->source == RESOLVE_GIVEN)
		text_format(&line, "--floor %g", spec->floor_percent);
	if (isfinite(resolve->blocks_for_margin))
		text_format(&line, "; the margin of %g %% needs %.0f blocks", spec->margin_percent,
			    resolve->blocks_for_margin);
	else
		text_format(&line, "; no number of blocks finds the margin of %g %%", spec->margin_percent);
	puts(text_string(&line));
}

static void add_gain(struct terminal_table *table, double percent)
{
	CLEANUP(text_release) struct text gain = {0};

	if (isfinite(percent) && percent > GAIN_PRINTED_PERCENT)
		text_format(&gain, "> %.0f %%", GAIN_PRINTED_PERCENT);
	else if (isfinite(percent))
		text_format(&gain, "%.2f %%", percent);
	terminal_add(table, TERMINAL_PLAIN, gain.length > 0 ? text_string(&gain) : "none");
}

/* A column a setting whose spread is known; the numbers of blocks are the same for all. */
static void print_gains(const struct resolve_spec *spec, const struct outlook *known, size_t n)
{
	CLEANUP(mem_free) bool *right = mem_new(n + 1, sizeof(*right));
	CLEANUP(terminal_table_release) struct terminal_table table = {.n_columns = n + 1, .right = right};

	for (size_t i = 0; i <= n; i++) {
		right[i] = true;
		terminal_add(&table, TERMINAL_PLAIN, i == 0 ? "blocks" : known[i - 1].name);
	}
	for (size_t row = 0; row < known[0].resolve.n_rows; row++) {
		int64_t blocks = known[0].resolve.rows[row].blocks;
		CLEANUP(text_release) struct text head = {0};
		text_format(&head, "%s%" PRId64, blocks == spec->blocks_planned ? "planned: " : "", blocks);
		terminal_add(&table, TERMINAL_PLAIN, text_string(&head));
		for (size_t i = 0; i < n; i++)
			add_gain(&table, known[i].resolve.rows[row].gain_percent);
	}
	puts("smallest gain found with power 0.80 at alpha 0.05:");
	terminal_print(&table);
}

static int print_outlook(const struct plan *plan, struct resolve_spec *spec, struct error *err)
{
	const struct plan_harness *harness = plan_harness_find(plan, spec->harness);
	CLEANUP(mem_free) struct outlook *known = mem_new(plan->n_settings, sizeof(*known));
	bool given = isfinite(spec->floor_percent);
	size_t n = 0;

	for (size_t i = 0; i < (given ? 1 : plan->n_settings); i++) {
		const struct plan_setting *setting = &plan->settings[i];
		bool control = strcmp(setting->name, plan_control_of(plan, setting)) == 0;
		if (!given && (control || !plan_harness_runs(plan, harness, setting->name)))
			continue;
		struct outlook outlook = {.name = given ? "any setting" : setting->name};
		spec->setting = given ? NULL : setting->name;
		int r = analyze_resolve(spec, &outlook.resolve, err);
		if (r < 0)
			return r;
		if (outlook.resolve.source == RESOLVE_UNKNOWN)
			continue;
		print_spread(spec, &outlook);
		known[n++] = outlook;
	}
	if (n > 0)
		print_gains(spec, known, n);
	else
		puts("no floor is known yet: give --floor, or collect three blocks");
	return 0;
}

static int print_harness(const struct overview *overview, const struct share *share, const struct analysis_doc *doc,
			 double floor_percent, struct error *err)
{
	const struct plan *plan = overview->plan;
	struct resolve_spec spec = {
		.doc = doc,
		.harness = share->harness->name,
		.floor_percent = floor_percent,
		.runs_per_arm = design_of(plan, share->harness)->runs_per_arm,
		.blocks_planned = plan_blocks(plan, share->harness),
		.margin_percent = plan->margin_percent,
	};

	print_runs(overview, share);
	if (!overview->cannot_run)
		print_time(share);
	return print_outlook(plan, &spec, err);
}

static int print_plan(const struct overview *overview, const struct analysis_doc *doc, double floor_percent,
		      struct error *err)
{
	CLEANUP(text_release) struct text head = {0};

	terminal_escape(&head, overview->plan->name);
	text_format(&head, ": control '");
	terminal_escape(&head, overview->plan->control);
	text_format(&head, "', margin %g %%", overview->plan->margin_percent);
	if (overview->cannot_run) {
		text_add(&head, "\ncannot be collected here: ");
		terminal_escape(&head, overview->cannot_run);
	}
	puts(text_string(&head));
	for (size_t i = 0; i < overview->plan->n_harnesses; i++) {
		putchar('\n');
		int r = print_harness(overview, &overview->shares[i], doc, floor_percent, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int parse_floor(const char *string, double *ret_percent, struct error *err)
{
	if (!number_parse_double(string, strlen(string), ret_percent) || !(*ret_percent > 0))
		return error_set(err, ERROR_USAGE, "plan: --floor '%s' is not a percentage above 0", string);
	return 0;
}

int cmd_plan(int argc, char **argv)
{
	enum { FLOOR };
	struct cli_option options[] = {
		[FLOOR] = {"--floor", CLI_VALUE, "PERCENT", "smallest difference readable between two single runs",
			   NULL},
		{NULL, CLI_FLAG, NULL, NULL, NULL},
	};
	struct error err = {0};
	CLEANUP(string_list_release) struct string_list words = {0};
	CLEANUP(plan_free) struct plan *plan = NULL;
	CLEANUP(overview_release) struct overview overview = {0};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = NULL;
	double floor_percent = NAN;
	int r = cli_open(&usage, options, argc, argv, &words, &err);
	if (r == CLI_RUN && options[FLOOR].value)
		r = parse_floor(options[FLOOR].value, &floor_percent, &err);
	if (r == CLI_RUN)
		r = cli_plan(words.items[0], &plan, &err);
	if (r == CLI_RUN)
		r = overview_read(words.items[0], plan, &overview, &err);
	if (r == CLI_RUN && !options[FLOOR].value)
		r = analyze_campaign(words.items[0], plan, &doc, &err);
	if (r == CLI_RUN)
		r = print_plan(&overview, doc, floor_percent, &err);
	return cli_end(r, &err);
}
