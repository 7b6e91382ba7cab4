/*
 * What the commands share: the option table, errors in one form, the campaign's files. Only this room prints.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "assay/record.h"

/* How a command's arguments look, for --help and for messages. */
struct cli_usage {
	const char *name;      /* "import" */
	const char *arguments; /* "DIR --manifest FILE.csv", a line each way of calling it */
	const char *summary;   /* one line */
	const char *needs;     /* what is said when the positional arguments are not min_words to max_words */
	size_t min_words, max_words;
	const char *details; /* printed under the options, NULL for none */
};

enum cli_option_kind { CLI_FLAG, CLI_VALUE };

/* A row of a command's option table; the table ends with a NULL name. */
struct cli_option {
	const char *name; /* "--manifest" */
	enum cli_option_kind kind;
	const char *argument; /* "FILE.csv", NULL for flags */
	const char *help;
	const char *value; /* set by cli_parse: NULL when not given, "" for a flag that was */
};

enum cli_opened { CLI_RUN, CLI_HELP_SHOWN };

/**
 * Open a command: read its line against the table and count its positional arguments. Options and these may be mixed;
 * `--` ends the options. What comes back goes to cli_end() unless it is CLI_RUN.
 *
 * @param argv  argv[0] is the command's name
 * @return CLI_RUN, CLI_HELP_SHOWN (nothing is left to do), or ERROR_USAGE
 */
int cli_open(const struct cli_usage *usage, struct cli_option *options, int argc, char **argv,
	     struct string_list *ret_words, struct error *err);

/** The exit code of a command that came to `r`: an error is printed, output that cannot be written becomes one. */
int cli_end(int r, const struct error *err);

/** ERROR_USAGE with the command's first way of calling it. */
int cli_usage_error(const struct cli_usage *usage, struct error *err, const char *what);

/** Print `assay: message` and give the exit code of the kind. */
int cli_fail(int kind, const struct error *err);

/** Flush standard output; 0, or the exit code of what went wrong (a full disk behind a redirection). */
int cli_finish(void);

/** DIR/name on the heap. */
char *cli_path(const char *directory, const char *name);

/** Read DIR/campaign.json. */
int cli_plan(const char *directory, struct plan **ret_plan, struct error *err);

int cmd_init(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_collect(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_analyze(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_gate(int argc, char **argv);
int cmd_note(int argc, char **argv);

#endif
