#include "base/text.h"
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct cli_usage usage = {
	.name = "note",
	.arguments = "DIR --on ID [--decision | --correction] TEXT",
	.summary = "Record a decision, a correction or a remark about a run, an effect or the campaign.",
	.needs = "a campaign folder and a text in quotes are needed",
	.min_words = 2,
	.max_words = 2,
};

struct search {
	const char *id;
	bool found;
};

static int match_run(void *context, struct run_record *run, struct error *err)
{
	(void)err;
	struct search *search = context;
	if (run->id && strcmp(run->id, search->id) == 0)
		search->found = true;
	return 0;
}

/* Whether the id is "campaign", a "<harness>/<setting>" of the plan, or a run of the log. */
static int check_subject(const char *directory, const struct plan *plan, const char *id, struct error *err)
{
	/* The log is read in any case: a note is not added to one that was edited. */
	struct search search = {.id = id};
	const struct campaign_visitor visitor = {.run = match_run, .context = &search};
	int r = campaign_log_each(directory, &visitor, NULL, NULL, err);
	if (r < 0)
		return r;
	if (search.found || strcmp(id, "campaign") == 0)
		return 0;
	const char *slash = strchr(id, '/');
	if (slash) {
		CLEANUP(mem_free) char *harness = mem_dup_bytes(id, (size_t)(slash - id) + 1);
		harness[slash - id] = '\0';
		if (plan_harness_find(plan, harness) && plan_setting_find(plan, slash + 1))
			return 0;
	}
	return error_set(err, ERROR_USAGE,
			 "note: '%s' is no run of the log, no HARNESS/SETTING of the plan and not 'campaign'", id);
}

/* One past the highest note-<n> of the log. */
static unsigned long next_note(const char *directory)
{
	unsigned long next = 1;
	CLEANUP(mem_free) char *path = cli_path(directory, "log");
	DIR *log = opendir(path);
	if (!log)
		return next;
	for (const struct dirent *entry; (entry = readdir(log));) {
		if (strncmp(entry->d_name, "note-", 5) != 0)
			continue;
		unsigned long n = strtoul(entry->d_name + 5, NULL, 10);
		if (n >= next)
			next = n + 1;
	}
	closedir(log);
	return next;
}

static int write_note(const char *directory, const struct plan *plan, const struct note_record *note,
		      char **ret_segment, struct error *err)
{
	CLEANUP(text_release) struct text name = {0};
	text_format(&name, "note-%lu", next_note(directory));
	CLEANUP(segment_close) struct segment_writer *writer = NULL;
	int r = segment_create(directory, text_string(&name), plan->sha256, &writer, err);
	if (r == 0)
		r = segment_append_note(writer, note, err);
	if (r == 0)
		*ret_segment = mem_dup_string(segment_name(writer));
	return r;
}

int cmd_note(int argc, char **argv)
{
	enum { ON, DECISION, CORRECTION };
	struct cli_option options[] = {
		[ON] = {"--on", CLI_VALUE, "ID", "a run's id, HARNESS/SETTING, or 'campaign'", NULL},
		[DECISION] = {"--decision", CLI_FLAG, NULL, "what was decided", NULL},
		[CORRECTION] = {"--correction", CLI_FLAG, NULL, "what was said before and is wrong", NULL},
		{NULL, CLI_FLAG, NULL, NULL, NULL},
	};
	struct error err = {0};
	CLEANUP(string_list_release) struct string_list words = {0};
	int r = cli_open(&usage, options, argc, argv, &words, &err);
	if (r == CLI_RUN && words.items[1][0] == '\0')
		r = cli_usage_error(&usage, &err, usage.needs);
	if (r == CLI_RUN && !options[ON].value)
		r = cli_usage_error(&usage, &err, "--on is needed");
	if (r == CLI_RUN && options[DECISION].value && options[CORRECTION].value)
		r = cli_usage_error(&usage, &err, "--decision and --correction exclude each other");
	CLEANUP(plan_free) struct plan *plan = NULL;
	if (r == CLI_RUN)
		r = cli_plan(words.items[0], &plan, &err);
	if (r == CLI_RUN)
		r = check_subject(words.items[0], plan, options[ON].value, &err);
	if (r != CLI_RUN)
		return cli_end(r, &err);

	char now[32];
	time_t seconds = time(NULL);
	struct tm utc;
	strftime(now, sizeof(now), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
	const struct passwd *user = getpwuid(geteuid());
	const char *kind = options[DECISION].value     ? "decision"
			   : options[CORRECTION].value ? "correction"
						       : "annotation";
	const struct note_record note = {
		.on = (char *)options[ON].value,
		.kind = (char *)kind,
		.text = words.items[1],
		.time = now,
		.author = user ? user->pw_name : NULL,
	};
	CLEANUP(mem_free) char *segment = NULL;
	r = write_note(words.items[0], plan, &note, &segment, &err);
	if (r != CLI_RUN)
		return cli_end(r, &err);
	printf("noted in '%s'\n", segment);
	return cli_finish();
}
