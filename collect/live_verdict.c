#include "collect/live_verdict.h"

#include "base/utf8.h"
#include "collect/import/worker_protocol.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define REASON_LINE_MAX 300
#define WORKER_EXIT_USAGE 2

/* What Open MPI prints when it could not start the program at all. */
static const char *const launch_complaints[] = {
	"not enough slots available",
	"was unable to find the specified executable",
	"was unable to launch the specified application",
	"was unable to start the specified application",
	"was unable to reliably start one or more daemons",
	"has unexpectedly failed after launch and before",
};

static void lose(struct run_record *run, enum run_status status, const char *reason)
{
	free(run->reason);
	run->reason = mem_dup_string(reason);
	run->status = status;
	run->external = status == RUN_LAUNCH_FAILED || status == RUN_CANCELLED;
}

static char *clean_line(const char *start, const char *end)
{
	while (start < end && isspace((unsigned char)*start))
		start++;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	size_t n = (size_t)(end - start);
	return utf8_clean(start, n < REASON_LINE_MAX ? n : REASON_LINE_MAX);
}

/* Rules drawn of dashes around a message say nothing. */
static bool says_something(const char *line)
{
	for (; *line; line++)
		if (isalnum((unsigned char)*line))
			return true;
	return false;
}

/* What Open MPI prints after a failure whatever it was. */
static const char *const general_words[] = {
	"Primary job  terminated normally",
	"a non-zero exit code. Per user-direction",
	"detected that one or more processes",
	"the job to be terminated. The first process",
	"Process name: [[",
	"Exit code:    ",
	"sent help message",
	"orte_base_help_aggregate",
	"mca: base: close:",
};

static bool tells(const char *line)
{
	for (size_t i = 0; i < sizeof(general_words) / sizeof(*general_words); i++)
		if (strstr(line, general_words[i]))
			return false;
	return says_something(line);
}

/* The line that ends at *end; *end moves to the end of the one before it, NULL after the first. */
static char *line_before(const char *bytes, const char **end)
{
	const char *start = *end;

	while (start > bytes && start[-1] != '\n')
		start--;
	char *line = clean_line(start, *end);
	*end = start > bytes ? start - 1 : NULL;
	return line;
}

static char *last_telling_line(const struct text *output)
{
	const char *bytes = text_string(output);

	for (const char *end = bytes + output->length; end;) {
		CLEANUP(mem_free) char *line = line_before(bytes, &end);

		if (tells(line))
			return TAKE(line);
	}
	return NULL;
}

/* Open MPI explains the cause first, in a box of dashes, and the consequences after it. */
static char *first_boxed_line(const struct text *output)
{
	static const char rule[] = "----------------------------------------------------------------\n";
	char *found = NULL;

	const char *bytes = text_string(output);
	for (const char *end = bytes + output->length; end;) {
		CLEANUP(mem_free) char *line = line_before(bytes, &end);

		if (!end || end + 2 - bytes < (ptrdiff_t)sizeof(rule) || !tells(line) ||
		    memcmp(end + 2 - sizeof(rule), rule, sizeof(rule) - 1) != 0)
			continue;
		free(found);
		found = TAKE(line);
	}
	return found;
}

/* What the worker says itself. */
static char *worker_error(const struct text *output)
{
	CLEANUP(text_release) struct text words = {0};

	text_format(&words, "%s %d error ", WORKER_PROTOCOL_NAME, WORKER_PROTOCOL_VERSION);
	const char *bytes = text_string(output), *at = memmem(bytes, output->length, words.bytes, words.length);
	if (!at)
		return NULL;
	const char *start = at + words.length, *end = memchr(start, '\n', (size_t)(bytes + output->length - start));
	return clean_line(start, end ? end : bytes + output->length);
}

static char *find_proof(const struct live_end *end)
{
	char *proof = worker_error(end->out);

	if (!proof)
		proof = first_boxed_line(end->err);
	return proof ? proof : last_telling_line(end->err);
}

static char *find_complaint(const struct text *output)
{
	const char *bytes = text_string(output);

	for (size_t i = 0; i < sizeof(launch_complaints) / sizeof(*launch_complaints); i++) {
		const char *words = launch_complaints[i];
		const char *at = memmem(bytes, output->length, words, strlen(words));
		if (!at)
			continue;
		const char *start = at, *end = memchr(at, '\n', (size_t)(bytes + output->length - at));
		while (start > bytes && start[-1] != '\n')
			start--;
		return clean_line(start, end ? end : bytes + output->length);
	}
	return NULL;
}

static int64_t count_rows(const struct run_record *run)
{
	int64_t rows = 0;

	for (size_t i = 0; i < run->n_tables; i++)
		rows += run->tables[i].rows;
	return rows;
}

static bool worker_began(const struct live_end *end)
{
	return memmem(text_string(end->out), end->out->length, WORKER_PROTOCOL_NAME " ",
		      sizeof(WORKER_PROTOCOL_NAME)) != NULL;
}

/* Our workers call themselves so on standard error, at the start of a line, when they refuse or give up. */
static char *worker_message(const struct text *output)
{
	static const char name[] = "assay-worker-";
	const char *bytes = text_string(output), *stop = bytes + output->length, *at = bytes;

	while ((at = memmem(at, (size_t)(stop - at), name, sizeof(name) - 1)) != NULL) {
		const char *end = memchr(at, '\n', (size_t)(stop - at)), *word = at + sizeof(name) - 1;

		end = end ? end : stop;
		while (word < end && islower((unsigned char)*word))
			word++;
		if ((at == bytes || at[-1] == '\n') && end - word > 2 && word[0] == ':' && word[1] == ' ')
			return clean_line(at, end);
		at = end;
	}
	return NULL;
}

/* A refused command line is the plan's mistake and no trait of the setting; so the run may be repeated. */
static bool judge_worker(const struct live_end *end, struct run_record *run)
{
	CLEANUP(mem_free) char *message = end->process->end == PROCESS_EXITED ? worker_message(end->err) : NULL;

	if (!message)
		return false;
	if (end->process->code == WORKER_EXIT_USAGE)
		lose(run, RUN_LAUNCH_FAILED, message);
	else if (strstr(message, ": no memory "))
		lose(run, RUN_OOM, message);
	else
		return false;
	return true;
}

/* The program failed. What the output proves (a signal, memory, a wrong result) says more than the exit code. */
static void judge_failure(const struct live_end *end, struct run_record *run)
{
	CLEANUP(text_release) struct text reason = {0};

	if (judge_worker(end, run))
		return;
	if (count_rows(run) == 0 && !worker_began(end)) {
		CLEANUP(mem_free) char *complaint = find_complaint(end->err);

		if (complaint) {
			lose(run, RUN_LAUNCH_FAILED, complaint);
			return;
		}
	}
	if (run->status != RUN_OK && run->status != RUN_TRUNCATED)
		return;
	CLEANUP(mem_free) char *proof = find_proof(end);
	if (end->process->end == PROCESS_SIGNALLED)
		text_format(&reason, "signal %d (%s)", end->process->code, strsignal(end->process->code));
	else
		text_format(&reason, "exit code %d", end->process->code);
	if (proof)
		text_format(&reason, ": %s", proof);
	lose(run, RUN_CRASH, text_string(&reason));
}

/* A response in the kept rows that is no time or rate; its table and row come back. */
static const struct run_table *find_bad_response(const struct run_record *run, int64_t *ret_row)
{
	static const char *const responses[] = {"time_s", "time", "throughput"};

	for (size_t t = 0; t < run->n_tables; t++) {
		const struct run_table *table = &run->tables[t];

		for (size_t c = 0; table->values && c < sizeof(responses) / sizeof(*responses); c++) {
			int column = run_table_column(table, responses[c]);

			for (int64_t row = table->discarded; column >= 0 && row < table->rows; row++) {
				double value = table->values[(size_t)row * table->columns.n + (size_t)column];

				*ret_row = row + 1;
				if (!isfinite(value) || value <= 0)
					return table;
			}
		}
	}
	return NULL;
}

/* Steps that begin anew are two attempts in one launch: kept, and said. */
static void flag_restart(struct run_record *run)
{
	for (size_t t = 0; t < run->n_tables; t++) {
		const struct run_table *table = &run->tables[t];
		int column = run_table_column(table, "step");

		for (int64_t row = 1; table->values && column >= 0 && row < table->rows; row++) {
			const double *step = table->values + (size_t)row * table->columns.n + (size_t)column;

			if (!(step[0] < step[-(ptrdiff_t)table->columns.n]))
				continue;
			string_list_add(&run->flags, "the step number goes back: the program began anew in its run");
			return;
		}
	}
}

static void judge_success(const struct live_end *end, struct run_record *run)
{
	CLEANUP(text_release) struct text reason = {0};
	int64_t row = 0;

	if (run->status != RUN_OK)
		return;
	if (end->problem) {
		lose(run, RUN_TRUNCATED, end->problem);
		return;
	}
	if (count_rows(run) == 0) {
		lose(run, RUN_TRUNCATED, "exit code 0, and nothing that was printed reads as a result");
		return;
	}
	const struct run_table *table = find_bad_response(run, &row);
	if (table) {
		text_format(&reason, "table '%s', row %lld: the response is not a positive finite number", table->name,
			    (long long)row);
		lose(run, RUN_WRONG, text_string(&reason));
	}
}

void live_verdict(const struct live_end *end, struct run_record *run)
{
	const struct process_result *process = end->process;
	CLEANUP(text_release) struct text reason = {0};

	flag_restart(run);
	if (end->ending == LIVE_AS_PLANNED) {
		text_format(&reason, "stopped after step %lld as planned", (long long)end->last_planned_step);
		string_list_add(&run->flags, text_string(&reason));
		judge_success(end, run);
		return;
	}
	switch (process->end) {
	case PROCESS_NOT_STARTED:
		text_format(&reason, "cannot start '%s': %s", end->program, strerror(process->code));
		lose(run, RUN_LAUNCH_FAILED, text_string(&reason));
		return;
	case PROCESS_DEADLINE:
		text_format(&reason, "no end within %g s", end->deadline_s);
		lose(run, RUN_TIMEOUT, text_string(&reason));
		return;
	case PROCESS_CANCELLED:
		lose(run, RUN_CANCELLED, "cancelled while it ran");
		return;
	case PROCESS_STOPPED:
		text_format(&reason, "ended by assay: it printed more than %zu MiB", end->max_bytes >> 20);
		lose(run, RUN_TRUNCATED, text_string(&reason));
		return;
	case PROCESS_EXITED:
	case PROCESS_SIGNALLED:
		break;
	}
	if (process->end == PROCESS_SIGNALLED || process->code != 0)
		judge_failure(end, run);
	else
		judge_success(end, run);
}
