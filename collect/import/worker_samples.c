#include "collect/import/worker_samples.h"

#include "base/text.h"
#include "collect/import/token.h"
#include "collect/import/worker_log.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *unit;
} columns[WORKER_COLUMNS] = {{"bytes", "B"}, {"iteration", "1"}, {"rank", "1"}, {"time_s", "s"}, {"arrival_s", "s"}};

/* "Open MPI v4.1.4, package: ..." to "Open MPI 4.1.4"; "MPICH Version:   4.0" to "MPICH 4.0". */
static char *tidy_library(const char *printed)
{
	CLEANUP(text_release) struct text name = {0};
	size_t n = strcspn(printed, ",");

	for (size_t i = 0; i < n;) {
		size_t length = strcspn(printed + i, " ,");
		struct token token = {printed + i, length};

		i += length + (printed[i + length] == ' ');
		if (length == 0 || token_is(token, "Version:"))
			continue;
		size_t skip = length > 1 && token.start[0] == 'v' && isdigit((unsigned char)token.start[1]);
		if (name.length > 0)
			text_add_char(&name, ' ');
		text_add_bytes(&name, token.start + skip, length - skip);
	}
	return text_take(&name);
}

static void add_table(const struct worker_log *log, struct worker_size *size, struct run_record *run)
{
	struct run_table *table = run_record_add_table(run);
	int64_t kept_from = log->warmup < size->iterations ? log->warmup : size->iterations;

	table->name = mem_dup_string("samples");
	if (log->test.n == 3) {
		table->op = mem_dup_string(log->test.items[0]);
		table->dtype = mem_dup_string(log->test.items[1]);
		table->placement = mem_dup_string(log->test.items[2]);
	}
	table->statistic = mem_dup_string("sample");
	for (size_t i = 0; i < WORKER_COLUMNS; i++) {
		string_list_add(&table->columns, columns[i].name);
		string_list_add(&table->units, columns[i].unit);
	}
	table->rows = size->iterations * log->ranks;
	table->discarded = kept_from * log->ranks;
	table->values = (double *)TAKE(size->cells);
}

static size_t store(struct worker_log *log, struct run_record *run)
{
	struct run_factors *factors = &run->factors;
	size_t rows = 0;

	if (log->library) {
		CLEANUP(mem_free) char *name = tidy_library(log->library);
		string_map_set(&factors->more, "mpi", name);
	}
	if (log->ranks > 0)
		factors->ranks = log->ranks;
	for (size_t i = 0; i < log->hosts.n; i++)
		string_list_add(&factors->hosts, log->hosts.items[i]);
	if (log->hosts.n > 0)
		factors->nodes = (int64_t)log->hosts.n;
	if (log->test.n == 3) {
		free(factors->dtype);
		factors->dtype = mem_dup_string(log->test.items[1]);
		string_list_add(&factors->collectives, log->test.items[0]);
	}
	for (size_t i = 0; i < log->n_sizes; i++) {
		if (log->sizes[i].iterations == 0)
			continue;
		rows += (size_t)(log->sizes[i].iterations * log->ranks);
		add_table(log, &log->sizes[i], run);
	}
	return rows;
}

static void find_losses(struct worker_log *log)
{
	const struct worker_size *last = log->n_sizes > 0 ? &log->sizes[log->n_sizes - 1] : NULL;

	for (size_t i = 0; log->ended && i < log->n_sizes; i++) {
		const struct worker_size *size = &log->sizes[i];
		if (size->iterations < log->total)
			worker_log_lose(log, "%" PRId64 " of %" PRId64 " iterations at %" PRId64 " B were read",
					size->iterations, log->total, size->bytes);
		else if (!size->checked)
			worker_log_lose(log, "the results at %" PRId64 " B were not checked", size->bytes);
	}
	if (log->ended)
		return;
	if (last)
		worker_log_lose(log,
				"the worker's output ends without its end line, after %" PRId64 " of %" PRId64
				" iterations at %" PRId64 " B",
				last->iterations, log->total, last->bytes);
	else
		worker_log_lose(log, "the worker's output ends without its end line, before the first sample");
}

/* A wrong result stands, whatever ended the run after it. */
static void judge(struct worker_log *log, struct worker_reading *ret)
{
	CLEANUP(text_release) struct text wrong = {0};

	find_losses(log);
	if (log->first_wrong)
		text_add(&wrong, log->first_wrong);
	if (log->wrong > 0)
		text_format(&wrong, "%s%" PRId64 " wrong elements at %" PRId64 " B", wrong.length > 0 ? "; " : "",
			    log->wrong, log->wrong_bytes);
	if (wrong.length > 0) {
		ret->status = RUN_WRONG;
		ret->proof = text_take(&wrong);
	} else if (log->error) {
		ret->status = RUN_CRASH;
		ret->proof = TAKE(log->error);
	} else if (log->lost) {
		ret->status = RUN_TRUNCATED;
		ret->proof = TAKE(log->lost);
	}
}

bool worker_samples_detect(const struct clean_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (worker_log_facts(&lines->items[i]))
			return true;
	return false;
}

int worker_samples_read(const struct import_source *source, const struct clean_lines *lines, struct run_record *run,
			struct worker_reading *ret, struct error *err)
{
	CLEANUP(worker_log_release) struct worker_log log = {0};

	*ret = (struct worker_reading){.status = RUN_OK};
	int r = worker_log_read(lines, source->file, &log, err);
	if (r < 0 || log.matched == 0)
		return r;
	ret->matched = log.matched;
	ret->rows = store(&log, run);
	judge(&log, ret);
	return 0;
}
