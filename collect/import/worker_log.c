#include "collect/import/worker_log.h"

#include "base/number.h"
#include "collect/import/token.h"
#include "collect/import/worker_protocol.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1e9

struct parser {
	const char *file;
	const struct clean_line *line;
	const char *at; /* inside the line, after what was read */
	struct worker_log *log;
};

void worker_log_release(struct worker_log *log)
{
	for (size_t i = 0; i < log->n_sizes; i++)
		free(log->sizes[i].cells);
	free(log->sizes);
	string_list_release(&log->test);
	string_list_release(&log->hosts);
	free(log->library);
	free(log->first_wrong);
	free(log->lost);
	free(log->error);
	*log = (struct worker_log){0};
}

void worker_log_lose(struct worker_log *log, const char *format, ...)
{
	va_list args;

	if (log->lost)
		return;
	va_start(args, format);
	if (vasprintf(&log->lost, format, args) < 0)
		log->lost = NULL;
	va_end(args);
}

static int refuse(const struct parser *parser, struct error *err, const char *what)
{
	return error_set(err, ERROR_DATA, "%s:%zu: %s", parser->file, parser->line->line, what);
}

/* ---- the words of a line ---- */

static bool next_token(struct parser *parser, struct token *ret)
{
	parser->at += strspn(parser->at, " ");
	*ret = (struct token){parser->at, strcspn(parser->at, " ")};
	parser->at += ret->length;
	return ret->length > 0;
}

static bool next_count(struct parser *parser, int64_t *ret)
{
	struct token token;

	return next_token(parser, &token) && number_parse_int(token.start, token.length, ret) && *ret >= 0;
}

static const char *rest_of(const struct parser *parser)
{
	return parser->at + strspn(parser->at, " ");
}

static bool at_end(const struct parser *parser)
{
	return *rest_of(parser) == '\0';
}

const char *worker_log_facts(const struct clean_line *line)
{
	size_t n = strlen(WORKER_PROTOCOL_NAME);

	if (line->nccl || strncmp(line->text, WORKER_PROTOCOL_NAME, n) != 0 || line->text[n] != ' ' ||
	    !isdigit((unsigned char)line->text[n + 1]))
		return NULL;
	return line->text + n + 1;
}

/* ---- the keys ---- */

static int read_begin(struct parser *parser, struct error *err)
{
	if (parser->log->began)
		return refuse(parser, err, "a second worker begins: the log holds two runs; give each a file");
	parser->log->began = true;
	return 0;
}

static int read_library(struct parser *parser, struct error *err)
{
	(void)err;
	free(parser->log->library);
	parser->log->library = mem_dup_string(rest_of(parser));
	return 0;
}

static int read_test(struct parser *parser, struct error *err)
{
	struct token token;

	string_list_release(&parser->log->test);
	while (next_token(parser, &token)) {
		CLEANUP(mem_free) char *word = mem_dup_bytes(token.start, token.length);
		string_list_add(&parser->log->test, word);
	}
	if (parser->log->test.n != 3)
		return refuse(parser, err, "test has not operation, type and placement");
	return 0;
}

static int read_shape(struct parser *parser, struct error *err)
{
	int64_t kept;

	if (!next_count(parser, &parser->log->ranks) || !next_count(parser, &parser->log->warmup) ||
	    !next_count(parser, &kept) || !at_end(parser) || parser->log->ranks < 1 || kept < 1 ||
	    parser->log->ranks > INT32_MAX || parser->log->warmup > INT32_MAX || kept > INT32_MAX)
		return refuse(parser, err, "shape has not ranks, warm-up and iterations");
	if (parser->log->n_sizes > 0)
		return refuse(parser, err, "shape comes after samples");
	parser->log->total = parser->log->warmup + kept;
	return 0;
}

static int read_host(struct parser *parser, struct error *err)
{
	int64_t rank;

	if (!next_count(parser, &rank) || at_end(parser))
		return refuse(parser, err, "host has not a rank and a name");
	string_list_add_once(&parser->log->hosts, rest_of(parser));
	return 0;
}

static struct worker_size *current_size(const struct parser *parser, int64_t bytes)
{
	struct worker_size *last = parser->log->n_sizes > 0 ? &parser->log->sizes[parser->log->n_sizes - 1] : NULL;

	return last && last->bytes == bytes ? last : NULL;
}

static struct worker_size *begin_size(struct parser *parser, int64_t bytes)
{
	parser->log->sizes = mem_grow(parser->log->sizes, &parser->log->sizes_capacity, parser->log->n_sizes + 1,
				      sizeof(*parser->log->sizes));
	struct worker_size *size = &parser->log->sizes[parser->log->n_sizes++];

	*size = (struct worker_size){.bytes = bytes};
	return size;
}

static double (*row_of(const struct parser *parser, const struct worker_size *size, int64_t iteration,
		       int64_t rank))[WORKER_COLUMNS]
{
	return &size->cells[iteration * parser->log->ranks + rank];
}

static void add_iteration(const struct parser *parser, struct worker_size *size)
{
	int64_t iteration = size->iterations++;

	size->cells = mem_grow(size->cells, &size->capacity, (size_t)size->iterations,
			       (size_t)parser->log->ranks * sizeof(*size->cells));
	for (int64_t rank = 0; rank < parser->log->ranks; rank++) {
		double *row = *row_of(parser, size, iteration, rank);

		row[WORKER_BYTES] = (double)size->bytes;
		row[WORKER_ITERATION] = (double)iteration;
		row[WORKER_RANK] = (double)rank;
		row[WORKER_TIME] = row[WORKER_ARRIVAL] = NAN;
	}
}

/* Counted before the shape is believed: a false number of ranks must not exhaust the memory. */
static int64_t count_values(const struct parser *parser)
{
	struct parser ahead = *parser;
	struct token token;
	int64_t n = 0;

	while (next_token(&ahead, &token))
		n++;
	return n;
}

/* The head of a line of samples. */
static int read_place(struct parser *parser, int64_t *ret_bytes, int64_t *ret_iteration, struct error *err)
{
	if (parser->log->total == 0)
		return refuse(parser, err, "samples come before the shape of the test");
	if (!next_count(parser, ret_bytes) || !next_count(parser, ret_iteration))
		return refuse(parser, err, "samples without a size and an iteration");
	if (*ret_iteration >= parser->log->total)
		return error_set(err, ERROR_DATA,
				 "%s:%zu: iteration %" PRId64 " of %" PRId64 " B, and the shape has %" PRId64,
				 parser->file, parser->line->line, *ret_iteration, *ret_bytes, parser->log->total);
	int64_t values = count_values(parser);
	if (values != parser->log->ranks)
		return error_set(err, ERROR_DATA, "%s:%zu: %" PRId64 " values for %" PRId64 " ranks", parser->file,
				 parser->line->line, values, parser->log->ranks);
	return 0;
}

/* One value a rank, in ns. */
static int read_values(struct parser *parser, const struct worker_size *size, int64_t iteration,
		       enum worker_column column, struct error *err)
{
	for (int64_t rank = 0; rank < parser->log->ranks; rank++) {
		struct token token;
		int64_t ns;

		next_token(parser, &token);
		if (!number_parse_int(token.start, token.length, &ns) || ns < 0)
			return error_set(err, ERROR_DATA, "%s:%zu: '%.*s' of rank %" PRId64 " is no time in ns",
					 parser->file, parser->line->line, (int)token.length, token.start, rank);
		(*row_of(parser, size, iteration, rank))[column] = (double)ns / NS_PER_S;
	}
	return 0;
}

static int refuse_order(const struct parser *parser, int64_t bytes, int64_t iteration, int64_t due, struct error *err)
{
	return error_set(err, ERROR_DATA,
			 "%s:%zu: iteration %" PRId64 " of %" PRId64 " B comes where %" PRId64 " is due", parser->file,
			 parser->line->line, iteration, bytes, due);
}

/* An iteration too far shows that lines were lost: the size ends before them. */
static void lose_iterations(struct parser *parser, struct worker_size *size, int64_t iteration)
{
	size->broken = true;
	worker_log_lose(parser->log,
			"line %zu: iteration %" PRId64 " of %" PRId64 " B comes where %" PRId64
			" is due: output was lost",
			parser->line->line, iteration, size->bytes, size->iterations);
}

static int read_times(struct parser *parser, struct error *err)
{
	int64_t bytes, iteration;

	int r = read_place(parser, &bytes, &iteration, err);
	if (r < 0)
		return r;
	struct worker_size *size = current_size(parser, bytes);
	if (!size || (size->checked && iteration == 0))
		size = begin_size(parser, bytes);
	if (size->broken)
		return 0;
	if (iteration < size->iterations)
		return refuse_order(parser, bytes, iteration, size->iterations, err);
	if (iteration > size->iterations) {
		lose_iterations(parser, size, iteration);
		return 0;
	}
	add_iteration(parser, size);
	r = read_values(parser, size, iteration, WORKER_TIME, err);
	if (r < 0)
		size->iterations--;
	return r;
}

static int read_arrivals(struct parser *parser, struct error *err)
{
	int64_t bytes, iteration;

	int r = read_place(parser, &bytes, &iteration, err);
	if (r < 0)
		return r;
	struct worker_size *size = current_size(parser, bytes);
	if (!size)
		size = begin_size(parser, bytes);
	if (size->broken)
		return 0;
	if (iteration >= size->iterations) {
		lose_iterations(parser, size, iteration);
		return 0;
	}
	if (iteration != size->iterations - 1)
		return refuse_order(parser, bytes, iteration, size->iterations - 1, err);
	return read_values(parser, size, iteration, WORKER_ARRIVAL, err);
}

static int read_check(struct parser *parser, struct error *err)
{
	int64_t bytes, wrong;

	if (!next_count(parser, &bytes) || !next_count(parser, &wrong) || !at_end(parser))
		return refuse(parser, err, "check has not a size and a count");
	struct worker_size *size = current_size(parser, bytes);
	if (size)
		size->checked = true;
	if (wrong > 0 && parser->log->wrong == 0) {
		parser->log->wrong = wrong;
		parser->log->wrong_bytes = bytes;
	}
	return 0;
}

static int read_wrong(struct parser *parser, struct error *err)
{
	struct token values[2];
	int64_t bytes, rank, element;

	if (!next_count(parser, &bytes) || !next_count(parser, &rank) || !next_count(parser, &element) ||
	    !next_token(parser, &values[0]) || !next_token(parser, &values[1]) || !at_end(parser))
		return refuse(parser, err, "wrong has not size, rank, element and two values");
	if (parser->log->first_wrong)
		return 0;
	if (asprintf(&parser->log->first_wrong,
		     "rank %" PRId64 " has %.*s where %.*s is due in element %" PRId64 " at %" PRId64 " B", rank,
		     (int)values[0].length, values[0].start, (int)values[1].length, values[1].start, element,
		     bytes) < 0)
		parser->log->first_wrong = NULL;
	return 0;
}

static int read_error(struct parser *parser, struct error *err)
{
	(void)err;
	if (!parser->log->error)
		parser->log->error = mem_dup_string(at_end(parser) ? "the worker gave up" : rest_of(parser));
	return 0;
}

static int read_end(struct parser *parser, struct error *err)
{
	int64_t announced;

	if (!next_count(parser, &announced) || !at_end(parser))
		return refuse(parser, err, "end has not a count of lines");
	parser->log->ended = true;
	int64_t before = (int64_t)parser->log->matched - 1;
	if (announced != before)
		worker_log_lose(parser->log, "%" PRId64 " of the worker's %" PRId64 " lines were read", before,
				announced);
	return 0;
}

/* A key that is not here tells something that no record holds, such as the clocks. */
static const struct {
	const char *name;
	int (*read)(struct parser *parser, struct error *err);
} keys[] = {
	{"begin", read_begin}, {"library", read_library}, {"test", read_test},         {"shape", read_shape},
	{"host", read_host},   {"times", read_times},     {"arrivals", read_arrivals}, {"check", read_check},
	{"wrong", read_wrong}, {"error", read_error},     {"end", read_end},
};

static int read_line(struct parser *parser, struct error *err)
{
	struct token version, key;
	int64_t number = 0;

	next_token(parser, &version);
	if (!number_parse_int(version.start, version.length, &number) || number != WORKER_PROTOCOL_VERSION)
		return error_set(
			err, ERROR_DATA,
			"%s:%zu: the worker printed version %.*s of its protocol, and version %d is read here: "
			"use the worker that belongs to this assay",
			parser->file, parser->line->line, (int)version.length, version.start, WORKER_PROTOCOL_VERSION);
	parser->log->matched++;
	if (!next_token(parser, &key))
		return refuse(parser, err, "the worker's line has no key");
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (token_is(key, keys[i].name))
			return keys[i].read(parser, err);
	return 0;
}

/* Without an end line, the last line may have been cut in its middle: what it lacks was lost. */
static bool is_cut(const struct worker_log *log, const struct clean_lines *lines, size_t line)
{
	for (size_t i = line + 1; i < lines->n; i++)
		if (worker_log_facts(&lines->items[i]))
			return false;
	return !log->ended;
}

int worker_log_read(const struct clean_lines *lines, const char *file, struct worker_log *ret, struct error *err)
{
	struct parser parser = {.file = file, .log = ret};

	*ret = (struct worker_log){0};
	for (size_t i = 0; i < lines->n; i++) {
		parser.line = &lines->items[i];
		parser.at = worker_log_facts(parser.line);
		if (!parser.at)
			continue;
		size_t before = ret->matched;
		int r = read_line(&parser, err);
		if (r < 0 && (ret->matched == before || !is_cut(ret, lines, i)))
			return r;
	}
	return 0;
}
