#include "collect/import/nccl_tests.h"

#include "base/mem.h"
#include "base/text.h"
#include "collect/import/token.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 48

enum column {
	COLUMN_OTHER,
	COLUMN_SIZE,
	COLUMN_COUNT,
	COLUMN_TYPE,
	COLUMN_REDOP,
	COLUMN_ROOT,
	COLUMN_TIME,
	COLUMN_ALGBW,
	COLUMN_BUSBW,
	COLUMN_WRONG
};

static const struct {
	const char *word;
	enum column column;
} column_words[] = {
	{"size", COLUMN_SIZE},    {"count", COLUMN_COUNT}, {"type", COLUMN_TYPE},   {"redop", COLUMN_REDOP},
	{"root", COLUMN_ROOT},    {"time", COLUMN_TIME},   {"algbw", COLUMN_ALGBW}, {"busbw", COLUMN_BUSBW},
	{"#wrong", COLUMN_WRONG}, {"error", COLUMN_WRONG},
};

static const struct {
	const char *printed, *plan;
} dtype_names[] = {
	{"float", "float32"},
	{"float32", "float32"},
	{"half", "float16"},
	{"float16", "float16"},
	{"double", "float64"},
	{"float64", "float64"},
	{"bfloat16", "bfloat16"},
	{"f8e4m3", "float8_e4m3"},
	{"fp8_e4m3", "float8_e4m3"},
	{"f8e5m2", "float8_e5m2"},
	{"fp8_e5m2", "float8_e5m2"},
	{"int32", "int32"},
	{"int", "int32"},
	{"int8", "int8"},
	{"uint8", "uint8"},
	{"uint32", "uint32"},
	{"int64", "int64"},
	{"uint64", "uint64"},
	{"char", "int8"},
};

static const struct {
	const char *test, *op;
} op_names[] = {
	{"all_reduce", "allreduce"},        {"all_gather", "allgather"}, {"reduce_scatter", "reducescatter"},
	{"broadcast", "broadcast"},         {"reduce", "reduce"},        {"alltoall", "alltoall"},
	{"sendrecv", "sendrecv"},           {"AllReduce", "allreduce"},  {"AllGather", "allgather"},
	{"ReduceScatter", "reducescatter"}, {"Broadcast", "broadcast"},  {"Reduce", "reduce"},
	{"AlltoAll", "alltoall"},           {"SendRecv", "sendrecv"},
};

const char *nccl_dtype_name(const char *type)
{
	for (size_t i = 0; i < sizeof(dtype_names) / sizeof(*dtype_names); i++)
		if (strcmp(dtype_names[i].printed, type) == 0)
			return dtype_names[i].plan;
	return type;
}

const char *nccl_op_name(const char *test)
{
	for (size_t i = 0; i < sizeof(op_names) / sizeof(*op_names); i++)
		if (strcmp(op_names[i].test, test) == 0)
			return op_names[i].op;
	return NULL;
}

static bool is_type(struct token token)
{
	for (size_t i = 0; i < sizeof(dtype_names) / sizeof(*dtype_names); i++)
		if (token_is(token, dtype_names[i].printed))
			return true;
	return false;
}

struct parser {
	struct nccl_tests_log *log;
	struct nccl_test *test;
	enum column columns[COLUMNS_MAX];
	size_t n_columns;
	struct text pending; /* a row that came in pieces */
	size_t pending_line;
	char *next_name;
	int64_t iterations, warmup, listed, rank_zeros;
	bool since_devices; /* results or a failure stood after the last device line: the next one begins a list */
	bool closed;        /* the test's summary was read */
};

static struct nccl_test *open_test(struct parser *parser, size_t line)
{
	struct nccl_tests_log *log = parser->log;

	if (parser->test && parser->test->n_rows == 0) { /* a header without rows is not a test */
		parser->closed = false;
		free(parser->test->name);
		parser->test->name = mem_dup_string(parser->next_name);
		parser->test->iterations = parser->iterations;
		parser->test->warmup = parser->warmup;
		return parser->test;
	}
	log->tests = mem_grow(log->tests, &log->capacity, log->n_tests + 1, sizeof(*log->tests));
	parser->test = &log->tests[log->n_tests++];
	*parser->test = (struct nccl_test){.name = mem_dup_string(parser->next_name),
					   .avg_busbw = NAN,
					   .out_of_bounds = NAN,
					   .iterations = parser->iterations,
					   .warmup = parser->warmup,
					   .first_line = line};
	parser->closed = false;
	return parser->test;
}

/* Header of a table: which column holds what. */
static bool parse_header(struct parser *parser, const char *text)
{
	struct token tokens[COLUMNS_MAX];
	size_t n = token_split(text, tokens, COLUMNS_MAX), used = 0;
	unsigned seen = 0;
	enum column columns[COLUMNS_MAX];

	for (size_t i = 0; i < n; i++) {
		struct token token = tokens[i];
		if (i == 0 && token_is(token, "#"))
			continue;
		if (i == 0 && token.start[0] == '#')
			token.start++, token.length--;
		columns[used] = COLUMN_OTHER;
		for (size_t k = 0; k < sizeof(column_words) / sizeof(*column_words); k++)
			if (token_is(token, column_words[k].word))
				columns[used] = column_words[k].column;
		seen |= 1U << columns[used++];
	}
	unsigned needed =
		1U << COLUMN_SIZE | 1U << COLUMN_COUNT | 1U << COLUMN_TYPE | 1U << COLUMN_TIME | 1U << COLUMN_BUSBW;
	if ((seen & needed) != needed)
		return false;
	memcpy(parser->columns, columns, sizeof(columns));
	parser->n_columns = used;
	return true;
}

/* A table whose header was cut: the columns of the middle format, or older by the number of tokens. */
static void default_columns(struct parser *parser, size_t n_tokens)
{
	static const char *const headers[] = {
		"size count type redop root time algbw busbw #wrong time algbw busbw #wrong",
		"size count type redop time algbw busbw error time algbw busbw error",
		"size count type time algbw busbw error time algbw busbw error",
	};
	size_t which = n_tokens >= 13 ? 0 : n_tokens == 12 ? 1 : 2;
	parse_header(parser, headers[which]);
}

static bool has_column(const struct parser *parser, enum column column)
{
	for (size_t i = 0; i < parser->n_columns; i++)
		if (parser->columns[i] == column)
			return true;
	return false;
}

static void copy_token(char *ret, size_t size, struct token token)
{
	size_t n = token.length < size - 1 ? token.length : size - 1;

	memcpy(ret, token.start, n);
	ret[n] = '\0';
}

static double half_unit(struct token token) /* of the last printed digit */
{
	const char *point = memchr(token.start, '.', token.length);
	const char *e = memchr(token.start, 'e', token.length);
	const char *end = e ? e : token.start + token.length;
	double unit = point ? pow(10, -(double)(end - point - 1)) : 1;

	return 0.5 * unit * (e ? pow(10, strtod(e + 1, NULL)) : 1);
}

static void check_row(struct parser *parser, const struct nccl_row *row, const double half[2])
{
	for (int side = 0; side < 2; side++) {
		double time = row->time_us[side], algbw = row->algbw[side];
		if (!(row->bytes > 0 && time > 0) || isnan(algbw))
			continue;
		double high = row->bytes / (time - half[side]) * 1e-3, low = row->bytes / (time + half[side]) * 1e-3;
		double ranks = (double)parser->log->ranks;
		double shrink = ranks > 1 ? (ranks - 1) / ranks : 1; /* old all_gather printed this already */
		double slack = 0.0051 + 1e-9;
		if ((algbw >= low - slack && algbw <= high + slack) ||
		    (algbw >= low * shrink - slack && algbw <= high * shrink + slack))
			continue;
		char words[160];
		snprintf(words, sizeof(words), "line %zu: algbw %.4g is not size/time (%.4g)", row->line, algbw,
			 row->bytes / time * 1e-3);
		string_list_add(&parser->log->checks, words);
	}
}

/* Reads a row of exactly the tokens that the columns say, or one with the redop (and root) left blank. */
static bool parse_row(struct parser *parser, const char *text, size_t line)
{
	struct token tokens[COLUMNS_MAX];
	size_t n = token_split(text, tokens, COLUMNS_MAX);
	bool skip_redop = false, skip_root = false;

	if (n + 1 == parser->n_columns && has_column(parser, COLUMN_REDOP))
		skip_redop = true;
	else if (n + 2 == parser->n_columns && has_column(parser, COLUMN_REDOP) && has_column(parser, COLUMN_ROOT))
		skip_redop = skip_root = true;
	else if (n < parser->n_columns)
		return false;
	struct nccl_row row = {
		.time_us = {NAN, NAN}, .algbw = {NAN, NAN}, .busbw = {NAN, NAN}, .wrong = {NAN, NAN}, .line = line};
	double half[2] = {0, 0};
	int side = -1;
	size_t k = 0;
	for (size_t i = 0; i < parser->n_columns && k < n; i++) {
		enum column column = parser->columns[i];
		if ((column == COLUMN_REDOP && skip_redop) || (column == COLUMN_ROOT && skip_root))
			continue;
		struct token token = tokens[k++];
		double number = NAN;
		bool numeric = token_number(token, &number);
		if (column == COLUMN_TIME && ++side > 1)
			break;
		switch (column) {
		case COLUMN_SIZE:
			if (!numeric)
				return false;
			row.bytes = number;
			break;
		case COLUMN_COUNT:
			row.count = number;
			break;
		case COLUMN_TYPE:
			copy_token(row.type, sizeof(row.type), token);
			break;
		case COLUMN_REDOP:
			copy_token(row.redop, sizeof(row.redop), token);
			break;
		case COLUMN_TIME:
			if (!numeric && !token_is(token, "N/A"))
				return false;
			row.time_us[side] = number;
			half[side] = half_unit(token);
			break;
		case COLUMN_ALGBW:
			if (side >= 0)
				row.algbw[side] = number;
			break;
		case COLUMN_BUSBW:
			if (side >= 0)
				row.busbw[side] = number;
			break;
		case COLUMN_WRONG:
			if (!numeric && !token_is(token, "N/A"))
				return false;
			if (side >= 0)
				row.wrong[side] = number;
			break;
		default:
			break;
		}
	}
	if (!parser->test || parser->closed)
		open_test(parser, line);
	struct nccl_test *test = parser->test;
	test->rows = mem_grow(test->rows, &test->capacity, test->n_rows + 1, sizeof(row));
	test->rows[test->n_rows++] = row;
	parser->since_devices = true;
	check_row(parser, &row, half);
	return true;
}

static bool begins_row(const struct parser *parser, const char *text)
{
	struct token tokens[COLUMNS_MAX];
	size_t n = token_split(text, tokens, COLUMNS_MAX), first = 0;
	double number = NAN;

	while (first < parser->n_columns && parser->columns[first] == COLUMN_OTHER)
		first++;
	if (first >= parser->n_columns)
		first = 0;
	return n >= first + 3 && token_integer(tokens[first], &number) && token_integer(tokens[first + 1], &number) &&
	       is_type(tokens[first + 2]);
}

static bool is_number_or_na(const char *text)
{
	struct token token;
	double number = NAN;

	return token_split(text, &token, 1) == 1 && (token_number(token, &number) || token_is(token, "N/A"));
}

static void flush_pending(struct parser *parser)
{
	if (parser->pending.length > 0 && !parse_row(parser, text_string(&parser->pending), parser->pending_line))
		parser->log->partial_row = true;
	text_clear(&parser->pending);
}

static size_t count_tokens(const char *text)
{
	struct token tokens[COLUMNS_MAX];

	return token_split(text, tokens, COLUMNS_MAX);
}

/* Adds a line to the row that is being read; true when it was part of one. */
static bool take_row(struct parser *parser, const struct clean_line *line)
{
	const char *text = line->text;

	if (begins_row(parser, line->raw)) /* a row may begin with what looks like a label */
		text = line->raw;
	if (begins_row(parser, text)) {
		flush_pending(parser);
		if (parser->n_columns == 0)
			default_columns(parser, count_tokens(text));
		text_add(&parser->pending, text);
		parser->pending_line = line->line;
	} else if (parser->pending.length > 0 && is_number_or_na(text) &&
		   count_tokens(text_string(&parser->pending)) + count_tokens(text) <= parser->n_columns) {
		text_add_char(&parser->pending, ' ');
		text_add(&parser->pending, text);
	} else {
		return false;
	}
	if (count_tokens(text_string(&parser->pending)) >= parser->n_columns)
		flush_pending(parser);
	return true;
}

static void parse_device(struct parser *parser, const char *text)
{
	struct nccl_tests_log *log = parser->log;
	const char *on = strstr(text, " on "), *device = strstr(text, " device ");
	double rank = NAN;

	if (!on || !device || device <= on || !token_number_after(text, "Rank", &rank))
		return;
	on += 4;
	on += strspn(on, " ");
	char *host = mem_dup_bytes(on, strcspn(on, " "));
	string_list_add_once(&log->hosts, host);
	free(host);
	if (parser->since_devices) {
		parser->since_devices = false;
		parser->listed = parser->rank_zeros = 0;
	}
	if (rank == 0 && parser->rank_zeros++ > 0)
		log->duplicate_rank = true;
	if (++parser->listed > log->ranks)
		log->ranks = parser->listed;
}

static void parse_parameters(struct parser *parser, const char *text)
{
	double number = NAN;

	parser->iterations = token_number_after(text, " iters: ", &number) ? (int64_t)number : RECORD_UNSET;
	const char *iters = strstr(text, "warmup iters: ");
	if (iters) {
		if (token_number_at(iters + 14, &number))
			parser->warmup = (int64_t)number;
		if (token_number_after(iters + 14, " iters: ", &number))
			parser->iterations = (int64_t)number;
	}
}

static char *word_after(const char *text, const char *key)
{
	const char *place = strstr(text, key);

	if (!place)
		return NULL;
	place += strlen(key);
	place += strspn(place, " :");
	size_t n = strcspn(place, " \t,");
	return n > 0 ? mem_dup_bytes(place, n) : NULL;
}

static void set_once(char **field, char *value)
{
	if (*field)
		free(value);
	else
		*field = value;
}

static bool parse_comment(struct parser *parser, const char *text, size_t line)
{
	struct nccl_tests_log *log = parser->log;
	double number = NAN;

	if (strstr(text, "Rank") && strstr(text, "Pid") && strstr(text, " device ")) {
		parse_device(parser, text);
	} else if (strstr(text, "nThread") && strstr(text, "minBytes")) {
		parse_parameters(parser, text);
	} else if (strncmp(text, "# Collective test starting:", 27) == 0) {
		free(parser->next_name);
		parser->next_name = word_after(text, "starting:");
		char *end = parser->next_name ? strstr(parser->next_name, "_perf") : NULL;
		if (end)
			*end = '\0';
	} else if (strstr(text, "nccl-tests version ")) {
		set_once(&log->tests_version, word_after(text, "nccl-tests version "));
	} else if (strstr(text, "rccl-tests: Version ")) {
		set_once(&log->tests_version, word_after(text, "rccl-tests: Version "));
	} else if (strncmp(text, "# Out of bounds values", 22) == 0 && parser->test) {
		if (token_number_after(text, ":", &number))
			parser->test->out_of_bounds = number;
		parser->test->oob_failed = strstr(text, "FAILED") != NULL;
		parser->closed = true;
	} else if (strncmp(text, "# Avg bus bandwidth", 19) == 0 && parser->test) {
		if (isnan(parser->test->avg_busbw) && token_number_after(text, ":", &number))
			parser->test->avg_busbw = number;
		parser->closed = true;
	} else if (parse_header(parser, text)) {
		open_test(parser, line);
	} else {
		return text[0] == '#';
	}
	return true;
}

/* rccl-tests -Z json: an object a size and placement. */
static bool parse_object(struct parser *parser, const char *text, size_t line)
{
	double bytes = NAN, in_place = NAN, number = NAN;

	if (text[0] != '{' || !strstr(text, "\"busBw\"") || !token_number_after(text, "\"size\":", &bytes) ||
	    !token_number_after(text, "\"inPlace\":", &in_place))
		return false;
	parser->log->objects++;
	const char *name = strstr(text, "\"name\":\"");
	if (name) {
		name += 8;
		free(parser->next_name);
		parser->next_name = mem_dup_bytes(name, strcspn(name, "\""));
	}
	if (!parser->test)
		open_test(parser, line);
	struct nccl_test *test = parser->test;
	struct nccl_row *row = test->n_rows > 0 ? &test->rows[test->n_rows - 1] : NULL;
	int side = in_place > 0 ? NCCL_IN_PLACE : NCCL_OUT_OF_PLACE;
	if (!row || row->bytes != bytes || !isnan(row->time_us[side])) {
		test->rows = mem_grow(test->rows, &test->capacity, test->n_rows + 1, sizeof(*row));
		row = &test->rows[test->n_rows++];
		*row = (struct nccl_row){.bytes = bytes,
					 .time_us = {NAN, NAN},
					 .algbw = {NAN, NAN},
					 .busbw = {NAN, NAN},
					 .wrong = {NAN, NAN},
					 .line = line};
	}
	const char *type = strstr(text, "\"type\":\"");
	if (type) {
		type += 8;
		copy_token(row->type, sizeof(row->type), (struct token){type, strcspn(type, "\"")});
	}
	if (token_number_after(text, "\"time\":", &number))
		row->time_us[side] = number;
	if (token_number_after(text, "\"algBw\":", &number))
		row->algbw[side] = number;
	if (token_number_after(text, "\"busBw\":", &number))
		row->busbw[side] = number;
	if (token_number_after(text, "\"#wrong\":\"", &number))
		row->wrong[side] = number;
	if (parser->log->ranks == 0 && token_number_after(text, "\"gpus\":", &number))
		parser->log->ranks = (int64_t)number;
	return true;
}

static void check_average(struct nccl_tests_log *log, const struct nccl_test *test)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < test->n_rows; i++)
		for (int side = 0; side < 2; side++)
			if (!isnan(test->rows[i].busbw[side])) {
				sum += test->rows[i].busbw[side];
				n++;
			}
	if (n == 0 || isnan(test->avg_busbw) || fabs(sum / (double)n - test->avg_busbw) <= 0.0052)
		return;
	char words[160];
	snprintf(words, sizeof(words), "printed average bus bandwidth %.6g is not the mean of the rows (%.6g)",
		 test->avg_busbw, sum / (double)n);
	string_list_add(&log->checks, words);
}

static void finish(struct parser *parser)
{
	struct nccl_tests_log *log = parser->log;

	flush_pending(parser);
	if (log->n_tests > 0 && log->tests[log->n_tests - 1].n_rows == 0) {
		free(log->tests[--log->n_tests].name);
		free(log->tests[log->n_tests].rows);
	}
	for (size_t i = 0; i < log->n_tests; i++)
		check_average(log, &log->tests[i]);
	if (log->duplicate_rank)
		string_list_add(&log->checks, "rank 0 is listed twice: built without MPI, each process measured alone");
	free(parser->next_name);
	text_release(&parser->pending);
}

void nccl_tests_parse(const struct clean_lines *lines, struct nccl_tests_log *ret_log)
{
	struct parser parser = {.log = ret_log, .iterations = RECORD_UNSET, .warmup = RECORD_UNSET};

	*ret_log = (struct nccl_tests_log){0};
	for (size_t i = 0; i < lines->n; i++) {
		const struct clean_line *line = &lines->items[i];
		if (line->nccl)
			continue;
		const char *text = line->text + strspn(line->text, " \t");
		if (strstr(text, "Test NCCL failure")) {
			ret_log->failures++;
			parser.since_devices = true;
		}
		if (strncmp(text, "RCCL version", 12) == 0)
			set_once(&ret_log->rccl, word_after(text, "RCCL version"));
		bool used = take_row(&parser, line);
		if (!used && *text) {
			if (text[0] == '#')
				flush_pending(&parser);
			used = parse_comment(&parser, text, line->line) || parse_object(&parser, text, line->line);
		}
		ret_log->matched += used;
	}
	finish(&parser);
}

void nccl_tests_log_release(struct nccl_tests_log *log)
{
	for (size_t i = 0; i < log->n_tests; i++) {
		free(log->tests[i].name);
		free(log->tests[i].rows);
	}
	free(log->tests);
	for (size_t i = 0; i < log->hosts.n; i++)
		free(log->hosts.items[i]);
	free(log->hosts.items);
	for (size_t i = 0; i < log->checks.n; i++)
		free(log->checks.items[i]);
	free(log->checks.items);
	free(log->tests_version);
	free(log->rccl);
	*log = (struct nccl_tests_log){0};
}

bool nccl_tests_detect(const struct clean_lines *lines)
{
	struct parser parser = {0};

	for (size_t i = 0; i < lines->n; i++) {
		const char *text = lines->items[i].text;
		if (lines->items[i].nccl)
			continue;
		if (parse_header(&parser, text) || strstr(text, "# nThread ") || strstr(text, "nccl-tests version") ||
		    (text[0] == '{' && strstr(text, "\"busBw\"")))
			return true;
	}
	return false;
}
