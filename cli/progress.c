#include "cli/progress.h"

#include "cli/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_UNKNOWN 80

void progress_init(struct progress *progress)
{
	const char *terminal = getenv("TERM");
	bool rewrites = terminal && *terminal && strcmp(terminal, "dumb") != 0;

	*progress = (struct progress){.lines = PROGRESS_EVERY_RUN};
	if (rewrites && isatty(STDOUT_FILENO)) {
		progress->live = stdout;
		progress->lines = PROGRESS_LOST_ONLY;
	} else if (rewrites && isatty(STDERR_FILENO)) {
		progress->live = stderr;
	}
}

void progress_clear(struct progress *progress)
{
	if (!progress->live)
		return;
	fputs("\r\033[K", progress->live);
	fflush(progress->live);
}

/* A line that wraps cannot be rewritten: as many characters as the terminal is wide, less one. */
static size_t bytes_that_fit(const char *string, FILE *terminal)
{
	struct winsize size = {0};
	size_t columns =
		ioctl(fileno(terminal), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : WIDTH_UNKNOWN;
	size_t n = 0;

	for (size_t shown = 0; string[n] != '\0'; n++) {
		bool begins = ((unsigned char)string[n] & 0xc0) != 0x80;
		if (begins && ++shown == columns)
			break;
	}
	return n;
}

static void add_run_name(struct text *line, const struct collect_event *event)
{
	terminal_escape(line, event->run->harness->name);
	text_add_char(line, ' ');
	terminal_escape(line, event->run->setting->name);
}

static void add_remaining(struct text *line, const struct collect_event *event)
{
	if (!isfinite(event->remaining_s) || event->done >= event->total)
		return;
	text_add(line, ", about ");
	terminal_duration(line, event->remaining_s);
	text_add(line, " left");
}

static void say(struct progress *progress, enum terminal_colour colour, const struct text *line)
{
	progress_clear(progress);
	terminal_print_line(colour, text_string(line));
	/* Whoever follows a log file sees a run when it ends, not when a buffer is full. */
	fflush(stdout);
}

/* The last step, else the last line. */
static void add_what_it_does(struct text *line, const struct collect_event *event)
{
	if (event->step == RECORD_UNSET) {
		if (event->text) {
			text_add(line, "  ");
			terminal_escape(line, event->text);
		}
		return;
	}
	text_format(line, "  step %lld", (long long)event->step);
	if (event->run->harness->steps > 0)
		text_format(line, "/%lld", (long long)event->run->harness->steps);
	if (isfinite(event->loss))
		text_format(line, ", loss %.4g", event->loss);
}

static void run_goes_on(struct progress *progress, const struct collect_event *event)
{
	CLEANUP(text_release) struct text line = {0};

	if (!progress->live)
		return;
	terminal_escape(&line, event->block);
	text_format(&line, " run %zu of %zu ", event->done + 1, event->total);
	add_run_name(&line, event);
	text_add_char(&line, ' ');
	terminal_duration(&line, event->kind == COLLECT_TICK ? event->elapsed_s : 0);
	add_remaining(&line, event);
	add_what_it_does(&line, event);
	const char *string = text_string(&line);
	fprintf(progress->live, "\r%.*s\033[K", (int)bytes_that_fit(string, progress->live), string);
	fflush(progress->live);
}

static void run_ended(struct progress *progress, const struct collect_event *event)
{
	CLEANUP(text_release) struct text line = {0};

	progress->ended[event->status]++;
	if (event->status == RUN_OK && progress->lines == PROGRESS_LOST_ONLY)
		return;
	terminal_escape(&line, event->block);
	text_format(&line, " %zu/%zu ", event->done, event->total);
	add_run_name(&line, event);
	text_format(&line, " %s ", run_status_name(event->status));
	terminal_duration(&line, event->elapsed_s);
	add_remaining(&line, event);
	if (event->status != RUN_OK && event->text) {
		text_add(&line, ": ");
		terminal_escape(&line, event->text);
	}
	say(progress, event->status == RUN_OK ? TERMINAL_PLAIN : TERMINAL_RED, &line);
}

static void block_busy(struct progress *progress, const struct collect_event *event)
{
	CLEANUP(text_release) struct text line = {0};

	terminal_escape(&line, event->block);
	text_add(&line, ": left to another collector");
	if (event->text) {
		text_add(&line, " (");
		terminal_escape(&line, event->text);
		text_add_char(&line, ')');
	}
	say(progress, TERMINAL_YELLOW, &line);
}

static void block_repaired(struct progress *progress, const struct collect_event *event)
{
	CLEANUP(text_release) struct text line = {0};
	const char *segment = event->text ? event->text : "";

	terminal_escape(&line, event->block);
	text_add(&line, ": a collector died while it wrote '");
	terminal_escape(&line, segment);
	text_add(&line, "'; its unfinished last line is kept in '");
	terminal_escape(&line, segment);
	text_add(&line, ".torn'");
	say(progress, TERMINAL_YELLOW, &line);
}

void progress_report(void *context, const struct collect_event *event)
{
	static void (*const tell[])(struct progress *, const struct collect_event *) = {
		[COLLECT_BLOCK_BUSY] = block_busy, [COLLECT_REPAIRED] = block_repaired,
		[COLLECT_RUN_BEGIN] = run_goes_on, [COLLECT_TICK] = run_goes_on,
		[COLLECT_RUN_END] = run_ended,     [COLLECT_BLOCK_END] = NULL,
	};
	if (tell[event->kind])
		tell[event->kind](context, event);
}

void progress_lost(const struct progress *progress, struct text *text)
{
	CLEANUP(text_release) struct text by_status = {0};
	size_t lost = 0;

	for (size_t i = 0; i < PROGRESS_STATUSES; i++) {
		if (i == RUN_OK || progress->ended[i] == 0)
			continue;
		text_format(&by_status, "%s%zu %s", lost > 0 ? ", " : "", progress->ended[i],
			    run_status_name((enum run_status)i));
		lost += progress->ended[i];
	}
	if (lost > 0)
		text_format(text, "%zu lost (%s)", lost, text_string(&by_status));
}
