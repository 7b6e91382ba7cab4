#include "cli/cli.h"

#include "base/nearest.h"
#include "base/text.h"
#include "cli/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(const struct cli_usage *usage, const struct cli_option *options)
{
	printf("%s\n\n", usage->summary);
	const char *lead = "usage: ";
	for (const char *line = usage->arguments; *line != '\0';) {
		size_t n = strcspn(line, "\n");
		printf("%sassay %s %.*s\n", lead, usage->name, (int)n, line);
		lead = "       ";
		line += n + (line[n] == '\n');
	}
	printf("\n");
	for (const struct cli_option *option = options; option->name; option++) {
		CLEANUP(text_release) struct text left = {0};
		text_format(&left, "%s%s%s", option->name, option->argument ? " " : "",
			    option->argument ? option->argument : "");
		printf("  %-24s %s\n", text_string(&left), option->help);
	}
	printf("  %-24s %s\n", "--help", "this text");
	if (usage->details)
		printf("\n%s\n", usage->details);
}

static struct cli_option *find_option(struct cli_option *options, const char *name, size_t n)
{
	for (struct cli_option *option = options; option->name; option++)
		if (strlen(option->name) == n && strncmp(option->name, name, n) == 0)
			return option;
	return NULL;
}

static int unknown_option(const struct cli_usage *usage, const struct cli_option *options, const char *given,
			  struct error *err)
{
	const char *known[32];
	size_t n = 0;
	for (; options[n].name && n < 32; n++)
		known[n] = options[n].name;
	const char *near = nearest_name(given, known, n);
	if (near)
		return error_set(err, ERROR_USAGE, "%s: unknown option '%s'; did you mean '%s'?", usage->name, given,
				 near);
	return error_set(err, ERROR_USAGE, "%s: unknown option '%s'; see 'assay %s --help'", usage->name, given,
			 usage->name);
}

static int parse(const struct cli_usage *usage, struct cli_option *options, int argc, char **argv,
		 struct string_list *ret_words, struct error *err)
{
	int i = 1;
	for (; i < argc; i++) {
		const char *word = argv[i];
		if (strcmp(word, "--") == 0) {
			i++;
			break;
		}
		if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
			print_help(usage, options);
			return CLI_HELP_SHOWN;
		}
		if (word[0] != '-' || word[1] == '\0') {
			string_list_add(ret_words, word);
			continue;
		}
		size_t n = strcspn(word, "=");
		struct cli_option *option = find_option(options, word, n);
		if (!option)
			return unknown_option(usage, options, word, err);
		if (option->value)
			return error_set(err, ERROR_USAGE, "%s: '%s' is given twice", usage->name, option->name);
		if (option->kind == CLI_FLAG && word[n] == '=')
			return error_set(err, ERROR_USAGE, "%s: '%s' takes no value", usage->name, option->name);
		if (option->kind == CLI_FLAG)
			option->value = "";
		else if (word[n] == '=')
			option->value = word + n + 1;
		else if (i + 1 < argc)
			option->value = argv[++i];
		else
			return error_set(err, ERROR_USAGE, "%s: '%s' needs %s", usage->name, option->name,
					 option->argument);
	}
	for (; i < argc; i++)
		string_list_add(ret_words, argv[i]);
	return CLI_RUN;
}

int cli_open(const struct cli_usage *usage, struct cli_option *options, int argc, char **argv,
	     struct string_list *ret_words, struct error *err)
{
	int r = parse(usage, options, argc, argv, ret_words, err);
	if (r == CLI_RUN && (ret_words->n < usage->min_words || ret_words->n > usage->max_words))
		return cli_usage_error(usage, err, usage->needs);
	return r;
}

int cli_end(int r, const struct error *err)
{
	return r < 0 ? cli_fail(r, err) : cli_finish();
}

int cli_usage_error(const struct cli_usage *usage, struct error *err, const char *what)
{
	return error_set(err, ERROR_USAGE, "%s: %s; usage: assay %s %.*s", usage->name, what, usage->name,
			 (int)strcspn(usage->arguments, "\n"), usage->arguments);
}

int cli_fail(int kind, const struct error *err)
{
	CLEANUP(text_release) struct text message = {0};
	terminal_escape(&message, err->message);
	fflush(stdout);
	fprintf(stderr, "assay: %s\n", text_string(&message));
	return error_exit_code(kind);
}

int cli_finish(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	fprintf(stderr, "assay: cannot write to standard output: %s\n", strerror(errno));
	return error_exit_code(ERROR_ENVIRONMENT);
}

char *cli_path(const char *directory, const char *name)
{
	struct text path = {0};
	text_format(&path, "%s/%s", directory, name);
	return text_take(&path);
}

int cli_plan(const char *directory, struct plan **ret_plan, struct error *err)
{
	CLEANUP(mem_free) char *path = cli_path(directory, "campaign.json");
	return plan_read(path, ret_plan, err);
}
