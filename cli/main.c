#include "base/nearest.h"
#include "base/text.h"
#include "cli/cli.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
};

static const struct command commands[] = {
	{"init", cmd_init, "make a campaign folder with a plan to edit"},
	{"plan", cmd_plan, "print what a plan takes, and which gains it can find"},
	{"collect", cmd_collect, "run what the plan still lacks"},
	{"import", cmd_import, "take logs of runs into a campaign"},
	{"analyze", cmd_analyze, "compute analysis.json from the campaign's log"},
	{"show", cmd_show, "print the findings and the table of effects"},
	{"report", cmd_report, "print a PDF from a template"},
	{"gate", cmd_gate, "exit 0 only when a setting is adoptable"},
	{"note", cmd_note, "record a decision, a correction or a remark"},
};
enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_help(void)
{
	printf("assay measures how far a benchmark can be trusted, and which settings are worth adopting.\n\n"
	       "usage: assay COMMAND ...\n\n");
	for (size_t i = 0; i < N_COMMANDS; i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].summary);
	printf("\n'assay COMMAND --help' explains a command; 'assay --version' names the version.\n"
	       "Exit codes: 0 done or gate met, 1 gate not met, 2 usage, 3 bad input, 4 environment, 5 internal,\n"
	       "130 collection interrupted.\n");
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *known[N_COMMANDS];
	for (size_t i = 0; i < N_COMMANDS; i++)
		known[i] = commands[i].name;
	const char *near = nearest_name(name, known, N_COMMANDS);
	struct error err;
	int r = near ? error_set(&err, ERROR_USAGE, "unknown command '%s'; did you mean '%s'?", name, near)
		     : error_set(&err, ERROR_USAGE, "unknown command '%s'; see 'assay --help'", name);
	return cli_fail(r, &err);
}

/* A file that is opened while 0, 1 or 2 is closed would take its place, and what is printed would go into it. */
static int keep_standard_streams(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	if (keep_standard_streams() < 0)
		return error_exit_code(ERROR_ENVIRONMENT);
	/* Numbers are read and written with a point, whatever the user's locale. */
	setlocale(LC_ALL, "C");

	if (argc < 2) {
		struct error err;
		return cli_fail(error_set(&err, ERROR_USAGE, "a command is needed; see 'assay --help'"), &err);
	}
	const char *name = argv[1];
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (strcmp(name, "help") == 0 && argc == 2)) {
		print_help();
		return cli_finish();
	}
	if (strcmp(name, "--version") == 0) {
		printf("assay %s\n", ASSAY_VERSION);
		return cli_finish();
	}
	if (strcmp(name, "help") == 0) {
		const struct command *command = find_command(argv[2]);
		char *words[] = {argv[2], (char[]){"--help"}, NULL};
		return command ? command->run(2, words) : unknown_command(argv[2]);
	}
	const struct command *command = find_command(name);
	return command ? command->run(argc - 1, argv + 1) : unknown_command(name);
}
