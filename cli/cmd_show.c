#include "base/text.h"
#include "cli/cli.h"
#include "cli/document.h"
#include "cli/terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct cli_usage usage = {
	.name = "show",
	.arguments = "DIR [--json | --markdown]",
	.summary = "Print the findings and the table of effects.",
	.needs = "one campaign folder is needed",
	.min_words = 1,
	.max_words = 1,
};

static const char *const heads[] = {"harness", "setting", "verdict",  "gain %",    "95 % interval",
				    "floor %", "blocks",  "finished", "qualifiers"};
enum { N_COLUMNS = sizeof(heads) / sizeof(heads[0]) };
static const bool right[N_COLUMNS] = {false, false, false, true, true, true, true, true, false};

static enum terminal_colour verdict_colour(const struct doc_effect *effect)
{
	static const struct {
		const char *verdict;
		enum terminal_colour colour;
	} colours[] = {
		{"win", TERMINAL_GREEN},          {"win_size_open", TERMINAL_YELLOW}, {"harm", TERMINAL_RED},
		{"harm_size_open", TERMINAL_RED}, {"no_number", TERMINAL_RED},        {"unreadable", TERMINAL_GREY},
		{"void", TERMINAL_GREY},
	};
	for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++)
		if (effect->verdict && strcmp(effect->verdict, colours[i].verdict) == 0)
			return colours[i].colour;
	return TERMINAL_PLAIN;
}

enum shape { SHAPE_PLAIN, SHAPE_SIGNED, SHAPE_FINE, SHAPE_RANGE, SHAPE_INTERVAL, SHAPE_FINE_INTERVAL };

static void add_number(struct terminal_table *table, bool known, enum shape shape, double a, double b)
{
	/* Losses differ by less than gains do: theirs are the fine ones. */
	static const struct {
		bool sign;
		int decimals;
		bool pair;
	} shapes[] = {
		[SHAPE_PLAIN] = {false, 2, false},  [SHAPE_SIGNED] = {true, 2, false},
		[SHAPE_FINE] = {true, 4, false},    [SHAPE_RANGE] = {false, 2, true},
		[SHAPE_INTERVAL] = {true, 2, true}, [SHAPE_FINE_INTERVAL] = {true, 4, true},
	};
	CLEANUP(text_release) struct text cell = {0};
	bool sign = shapes[shape].sign;

	if (!known)
		text_add(&cell, "-");
	else
		text_format(&cell, sign ? "%+.*f" : "%.*f", shapes[shape].decimals, a);
	if (known && shapes[shape].pair)
		text_format(&cell, sign ? " to %+.*f" : " to %.*f", shapes[shape].decimals, b);
	terminal_add(table, TERMINAL_PLAIN, text_string(&cell));
}

static void add_fraction(struct terminal_table *table, int64_t part, int64_t whole)
{
	CLEANUP(text_release) struct text cell = {0};
	if (part >= 0)
		text_format(&cell, "%" PRId64, part);
	if (part >= 0 && whole >= 0)
		text_format(&cell, "/%" PRId64, whole);
	terminal_add(table, TERMINAL_PLAIN, part >= 0 ? text_string(&cell) : "-");
}

/* A benchmark ranks and cannot price: its win is never announced as adoptable here. */
static bool is_slice(const struct analysis_doc *doc, const char *harness)
{
	const struct doc_harness *row = analysis_doc_find_harness(doc, harness);

	return row && text_equal(row->kind, "slice");
}

static void add_effect(struct terminal_table *table, const struct analysis_doc *doc, const struct doc_effect *effect)
{
	terminal_add(table, TERMINAL_PLAIN, effect->harness);
	terminal_add(table, TERMINAL_PLAIN, effect->setting);
	terminal_add(table, verdict_colour(effect), effect->verdict ? effect->verdict : "-");
	add_number(table, isfinite(effect->gain_percent), SHAPE_SIGNED, effect->gain_percent, 0);
	add_number(table, isfinite(effect->ci95_percent.lo) && isfinite(effect->ci95_percent.hi), SHAPE_INTERVAL,
		   effect->ci95_percent.lo, effect->ci95_percent.hi);
	add_number(table, effect->floor.kind && isfinite(effect->floor.percent), SHAPE_PLAIN, effect->floor.percent, 0);
	add_fraction(table, effect->blocks, effect->blocks_planned);
	add_fraction(table, effect->completed, effect->attempted);
	CLEANUP(text_release) struct text qualifiers = {0};
	for (size_t i = 0; i < effect->qualifiers.n; i++)
		text_format(&qualifiers, "%s%s", i > 0 ? ", " : "", effect->qualifiers.items[i]);
	if (effect->relabelled)
		text_format(&qualifiers, "%srelabelled: against %s", effect->qualifiers.n > 0 ? ", " : "",
			    effect->control);
	else if (effect->adoptable && is_slice(doc, effect->harness))
		text_format(&qualifiers, "%sadoptable", effect->qualifiers.n > 0 ? ", " : "");
	terminal_add(table, TERMINAL_PLAIN, text_string(&qualifiers));
}

enum show_form { SHOW_TERMINAL, SHOW_MARKDOWN };

static void print_table(const struct terminal_table *table, enum show_form form)
{
	if (form == SHOW_MARKDOWN)
		terminal_print_markdown(table);
	else
		terminal_print(table);
}

static void add_heads(struct terminal_table *table, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		terminal_add(table, TERMINAL_PLAIN, words[i]);
}

/* The line through all ratios of one control: f alone, no bracket. */
static void add_fraction_fit(struct terminal_table *table, const struct doc_fraction_fit *fit)
{
	CLEANUP(text_release) struct text payload = {0};
	CLEANUP(text_release) struct text what = {0};

	for (size_t i = 0; i < fit->n_ratios; i++)
		text_format(&payload, "%s%g", i > 0 ? ", " : "", fit->ratios[i].log_gain);
	if (fit->f_reason)
		text_add(&what, fit->f_reason);
	else if (fit->model_violated)
		text_add(&what, fit->reason ? fit->reason : "the ratios contradict one model");
	else if (isfinite(fit->hinge_p))
		text_format(&what, "%s, p = %.2g", fit->hinge_found ? "with a hinge" : "no hinge seen", fit->hinge_p);
	else
		text_add(&what, "the blocks do not differ");
	for (size_t i = 0; i < fit->left_out.n; i++)
		text_format(&what, "%s%s", i > 0 ? ", " : "; left out: ", fit->left_out.items[i]);
	terminal_add(table, TERMINAL_PLAIN, fit->harness);
	terminal_add(table, TERMINAL_PLAIN, "(all ratios)");
	terminal_add(table, TERMINAL_PLAIN, text_string(&payload));
	add_number(table, false, SHAPE_PLAIN, 0, 0);
	add_number(table, false, SHAPE_PLAIN, 0, 0);
	add_number(table, isfinite(fit->f), SHAPE_PLAIN, 100 * fit->f, 0);
	add_number(table, isfinite(fit->f_ci95.lo), SHAPE_RANGE, 100 * fit->f_ci95.lo, 100 * fit->f_ci95.hi);
	add_number(table, false, SHAPE_PLAIN, 0, 0);
	add_number(table, false, SHAPE_PLAIN, 0, 0);
	terminal_add(table, fit->model_violated || fit->f_reason ? TERMINAL_GREY : TERMINAL_PLAIN, text_string(&what));
}

/* The bracket: exposed communication lies between recovered and f, all of it is at least f. */
static void show_fractions(const struct analysis_doc *doc, enum show_form form)
{
	static const char *const words[] = {"harness", "setting",   "payload", "recovered %", "exposed %",
					    "f %",     "95 % of f", "total %", "ceiling, %",  "communication"};
	enum { N = sizeof(words) / sizeof(words[0]) };
	static const bool aligned[N] = {false, false, true, true, true, true, true, true, true, false};

	if (doc->n_fractions == 0)
		return;
	CLEANUP(terminal_table_release) struct terminal_table table = {.n_columns = N, .right = aligned};
	add_heads(&table, words, N);
	for (size_t i = 0; i < doc->n_fractions; i++) {
		const struct doc_fraction *row = &doc->fractions[i];
		CLEANUP(text_release) struct text total = {0};
		terminal_add(&table, TERMINAL_PLAIN, row->harness);
		terminal_add(&table, TERMINAL_PLAIN, row->setting);
		add_number(&table, true, SHAPE_PLAIN, row->payload_ratio, 0);
		add_number(&table, isfinite(row->recovered), SHAPE_PLAIN, 100 * row->recovered, 0);
		add_number(&table, isfinite(row->exposed.lo), SHAPE_RANGE, 100 * row->exposed.lo,
			   100 * row->exposed.hi);
		add_number(&table, isfinite(row->f), SHAPE_PLAIN, 100 * row->f, 0);
		add_number(&table, isfinite(row->f_ci95.lo), SHAPE_RANGE, 100 * row->f_ci95.lo, 100 * row->f_ci95.hi);
		text_format(&total, ">= %.2f", 100 * row->total_at_least);
		terminal_add(&table, TERMINAL_PLAIN, isfinite(row->total_at_least) ? text_string(&total) : "-");
		add_number(&table, isfinite(row->ceiling_percent), SHAPE_PLAIN, row->ceiling_percent, 0);
		terminal_add(&table, row->resolved ? TERMINAL_PLAIN : TERMINAL_GREY,
			     row->resolved ? "resolved"
			     : row->reason ? row->reason
					   : "not resolved");
	}
	for (size_t i = 0; i < doc->n_fraction_fits; i++)
		add_fraction_fit(&table, &doc->fraction_fits[i]);
	fputs("\nWhat communication costs, shares of the control's step\n\n", stdout);
	print_table(&table, form);
	fputs("\nAssumed: ", stdout);
	for (size_t i = 0; i < doc->fractions[0].assumptions.n; i++)
		printf("%s%s", i > 0 ? "; " : "", doc->fractions[0].assumptions.items[i]);
	fputs(".\n", stdout);
}

static void show_losses(const struct analysis_doc *doc, enum show_form form)
{
	static const char *const words[] = {"harness",       "setting",     "loss",   "change %",
					    "95 % interval", "tolerance %", "blocks", "why"};
	enum { N = sizeof(words) / sizeof(words[0]) };
	static const bool aligned[N] = {false, false, false, true, true, true, true, false};

	if (doc->n_loss_pairs == 0)
		return;
	CLEANUP(terminal_table_release) struct terminal_table table = {.n_columns = N, .right = aligned};
	add_heads(&table, words, N);
	for (size_t i = 0; i < doc->n_loss_pairs; i++) {
		const struct doc_loss_pair *pair = &doc->loss_pairs[i];
		terminal_add(&table, TERMINAL_PLAIN, pair->harness);
		terminal_add(&table, TERMINAL_PLAIN, pair->setting);
		terminal_add(&table, TERMINAL_PLAIN, pair->verdict);
		add_number(&table, isfinite(pair->difference_percent), SHAPE_FINE, pair->difference_percent, 0);
		add_number(&table, isfinite(pair->difference_ci95_percent.lo), SHAPE_FINE_INTERVAL,
			   pair->difference_ci95_percent.lo, pair->difference_ci95_percent.hi);
		add_number(&table, true, SHAPE_PLAIN, pair->tolerance_percent, 0);
		add_fraction(&table, pair->blocks, RECORD_UNSET);
		terminal_add(&table, TERMINAL_PLAIN, pair->reason ? pair->reason : "");
	}
	fputs("\nMatched loss pairs\n\n", stdout);
	print_table(&table, form);
}

typedef void escape_words(struct text *, const char *);

static escape_words *escape_for(enum show_form form)
{
	return form == SHOW_MARKDOWN ? terminal_escape_markdown : terminal_escape;
}

/* What the campaign itself took, beside what it found. */
static void show_cost(const struct analysis_doc *doc, enum show_form form)
{
	const struct doc_cost *cost = &doc->cost;
	CLEANUP(text_release) struct text line = {0};

	if (isfinite(cost->gpu_hours)) {
		text_format(&line, "\nThe campaign itself took %.1f GPU-hours", cost->gpu_hours);
		if (isfinite(cost->money))
			text_format(&line, ", %.2f in money", cost->money);
		text_add(&line, ".\n");
	} else if (doc->n_prices > 0 && cost->gpu_hours_reason) {
		text_add(&line, "\nWhat the campaign itself took is not known: ");
		escape_for(form)(&line, cost->gpu_hours_reason);
		text_add(&line, ".\n");
	}
	fputs(text_string(&line), stdout);
}

static void show_prices(const struct analysis_doc *doc, enum show_form form)
{
	static const char *const words[] = {"harness",    "setting",     "GPU-h saved", "95 % interval",
					    "GPU-h lost", "money saved", "money lost",  "why"};
	enum { N = sizeof(words) / sizeof(words[0]) };
	static const bool aligned[N] = {false, false, true, true, true, true, true, false};

	if (doc->n_prices == 0)
		return;
	CLEANUP(terminal_table_release) struct terminal_table table = {.n_columns = N, .right = aligned};
	add_heads(&table, words, N);
	for (size_t i = 0; i < doc->n_prices; i++) {
		const struct doc_price *price = &doc->prices[i];
		const struct doc_interval *interval = &price->gpu_hours_saved_month_ci95;
		terminal_add(&table, TERMINAL_PLAIN, price->harness);
		terminal_add(&table, TERMINAL_PLAIN, price->setting);
		add_number(&table, isfinite(price->gpu_hours_saved_month), SHAPE_SIGNED, price->gpu_hours_saved_month,
			   0);
		add_number(&table, isfinite(interval->lo) && isfinite(interval->hi), SHAPE_INTERVAL, interval->lo,
			   interval->hi);
		add_number(&table, isfinite(price->gpu_hours_lost_month), SHAPE_PLAIN, price->gpu_hours_lost_month, 0);
		add_number(&table, isfinite(price->money_saved_month), SHAPE_SIGNED, price->money_saved_month, 0);
		add_number(&table, isfinite(price->money_lost_month), SHAPE_PLAIN, price->money_lost_month, 0);
		terminal_add(&table, TERMINAL_GREY,
			     price->gpu_hours_saved_month_reason ? price->gpu_hours_saved_month_reason : "");
	}
	fputs("\nPrice: what a setting saves a month at the declared use\n\n", stdout);
	print_table(&table, form);
}

static void show_scope(const struct analysis_doc *doc, enum show_form form)
{
	CLEANUP(text_release) struct text lines = {0};

	if (doc->scope.n == 0)
		return;
	text_add(&lines, "\nThe verdicts hold for these, and expire with them:\n\n");
	for (size_t i = 0; i < doc->scope.n; i++) {
		text_add(&lines, "- ");
		escape_for(form)(&lines, doc->scope.items[i]);
		text_add_char(&lines, '\n');
	}
	fputs(text_string(&lines), stdout);
}

static void show(const struct analysis_doc *doc, enum show_form form)
{
	escape_words *escape = escape_for(form);
	CLEANUP(text_release) struct text lines = {0};
	text_add(&lines, form == SHOW_MARKDOWN ? "# " : "");
	escape(&lines, doc->name ? doc->name : "");
	text_add(&lines, doc->simulated ? " (simulated)\n\n" : "\n\n");
	if (doc->question && *doc->question) {
		escape(&lines, doc->question);
		text_add(&lines, "\n\n");
	}
	for (size_t i = 0; i < doc->n_findings; i++) {
		text_add(&lines, "- ");
		escape(&lines, doc->findings[i].text);
		text_add_char(&lines, '\n');
	}
	if (doc->n_findings > 0)
		text_add_char(&lines, '\n');
	fputs(text_string(&lines), stdout);

	CLEANUP(terminal_table_release) struct terminal_table table = {.n_columns = N_COLUMNS, .right = right};
	for (size_t i = 0; i < N_COLUMNS; i++)
		terminal_add(&table, TERMINAL_PLAIN, heads[i]);
	for (size_t i = 0; i < doc->n_effects; i++)
		add_effect(&table, doc, &doc->effects[i]);
	print_table(&table, form);
	show_fractions(doc, form);
	show_losses(doc, form);
	show_prices(doc, form);
	show_cost(doc, form);
	show_scope(doc, form);
}

/* The document's own bytes: JSON needs no second writer. */
static int show_json(const char *directory, struct error *err)
{
	CLEANUP(mem_free) char *path = cli_path(directory, "analysis.json");
	FILE *file = fopen(path, "rb");
	if (!file)
		return error_set(err, ERROR_ENVIRONMENT, "cannot open '%s': %s", path, strerror(errno));
	char buffer[65536];
	size_t n;
	while ((n = fread(buffer, 1, sizeof(buffer), file)) > 0)
		fwrite(buffer, 1, n, stdout);
	bool failed = ferror(file) != 0;
	fclose(file);
	return failed ? error_set(err, ERROR_ENVIRONMENT, "cannot read '%s'", path) : 0;
}

int cmd_show(int argc, char **argv)
{
	enum { JSON, MARKDOWN };
	struct cli_option options[] = {
		[JSON] = {"--json", CLI_FLAG, NULL, "the analysis document", NULL},
		[MARKDOWN] = {"--markdown", CLI_FLAG, NULL, "for a page or a pull request", NULL},
		{NULL, CLI_FLAG, NULL, NULL, NULL},
	};
	struct error err = {0};
	CLEANUP(string_list_release) struct string_list words = {0};
	int r = cli_open(&usage, options, argc, argv, &words, &err);
	if (r == CLI_RUN && options[JSON].value && options[MARKDOWN].value)
		r = cli_usage_error(&usage, &err, "--json and --markdown exclude each other");
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = NULL;
	if (r == CLI_RUN)
		r = document_current(words.items[0], &doc, &err);
	if (r == CLI_RUN && options[JSON].value)
		r = show_json(words.items[0], &err);
	else if (r == CLI_RUN)
		show(doc, options[MARKDOWN].value ? SHOW_MARKDOWN : SHOW_TERMINAL);
	return cli_end(r, &err);
}
