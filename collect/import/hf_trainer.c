#include "collect/import/hf_trainer.h"

#include "base/text.h"
#include "collect/import/step_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RECENT 16 /* rows among which other processes repeat one */

/* What a row needs until all rows and progress bars are known. */
struct log_row {
	char *text;     /* up to the run time: what other processes repeat */
	int64_t stream; /* the rank that the line is labelled with */
	double runtime_s, tokens, bar_before, bar_after;
};

struct log_rows {
	struct log_row *rows;
	size_t n, capacity, repeats;
};

static void log_rows_release(struct log_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free(rows->rows[i].text);
	free(rows->rows);
}
CLEANUP_VALUE(struct log_rows, log_rows_release)

/* A whole dict of a line that holds a key, as a copy; NULL when there is none. */
static char *find_dict(const char *text, const char *key)
{
	for (const char *s = strchr(text, '{'); s; s = strchr(s + 1, '{')) {
		const char *end = s[1] == '\'' || s[1] == '"' ? strchr(s, '}') : NULL;
		if (!end)
			continue;
		char *dict = mem_dup_bytes(s, (size_t)(end - s) + 1);
		const char *word = step_word(dict, key);
		if (word && (word[-1] == '\'' || word[-1] == '"') && step_word(dict, "epoch"))
			return dict;
		free(dict);
	}
	return NULL;
}

/* "… 96/100 [06:15<00:14, 3.74s/it]": the last bar of a line; the training bar has no caption. */
static bool read_bar(const char *text, double *ret_done, double *ret_total)
{
	bool found = false;

	for (const char *s = strchr(text, '|'); s; s = strchr(s + 1, '|')) {
		double done = NAN, total = NAN;
		const char *end = step_number(s + 1, &done);
		if (!end || *end != '/')
			continue;
		end = step_number(end + 1, &total);
		if (!end || strncmp(end, " [", 2) != 0 || !(total >= 1))
			continue;
		*ret_done = done;
		*ret_total = total;
		found = true;
	}
	return found;
}

/* The total of the bar that counts steps: as announced, else of the last bar before the first row. */
static double bar_total(const struct clean_lines *lines)
{
	double done, total, last = NAN, announced = NAN;

	for (size_t i = 0; i < lines->n; i++)
		if (step_value(lines->items[i].raw, "Total optimization steps", &announced))
			return announced;
	for (size_t i = 0; i < lines->n; i++) {
		CLEANUP(mem_free) char *dict = find_dict(lines->items[i].raw, "loss");
		if (read_bar(lines->items[i].raw, &done, &total))
			last = total;
		if (dict && !isnan(last))
			break;
	}
	return last;
}

static void add_row(const char *dict, const struct clean_line *line, double bar, struct log_rows *rows,
		    struct iterations *iterations)
{
	static const struct {
		const char *word;
		enum iteration_field field;
	} keys[] = {{"loss", ITERATION_LOSS},
		    {"learning_rate", ITERATION_LR},
		    {"num_input_tokens_seen", ITERATION_TOKENS},
		    {"num_tokens", ITERATION_TOKENS},
		    {"step", ITERATION_STEP}};
	const char *runtime = step_word(dict, "train_runtime");
	struct log_row next = {
		.runtime_s = NAN, .tokens = NAN, .bar_before = bar, .bar_after = NAN, .stream = line->stream};

	next.text = mem_dup_bytes(dict, runtime ? (size_t)(runtime - dict) : strlen(dict));
	struct iteration *row = iterations_add(iterations, line->line);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		double number = NAN;
		if (step_value(dict, keys[i].word, &number))
			iterations_set(iterations, row, keys[i].field, number);
	}
	step_value(dict, "train_runtime", &next.runtime_s);
	next.tokens = row->values[ITERATION_TOKENS];
	rows->rows = mem_grow(rows->rows, &rows->capacity, rows->n + 1, sizeof(*rows->rows));
	rows->rows[rows->n++] = next;
}

/* The row before, among the last ones kept, that this one may repeat; or n. */
static size_t find_original(const struct log_rows *rows, const size_t *kept, size_t n, size_t row)
{
	for (size_t k = n > RECENT ? n - RECENT : 0; k < n; k++)
		if (strcmp(rows->rows[kept[k]].text, rows->rows[row].text) == 0)
			return k;
	return n;
}

/* Whether rows were printed by several processes: their labels differ, or every row stands there equally often. */
static bool by_processes(const struct log_rows *rows, const size_t *times, size_t n)
{
	for (size_t i = 1; i < rows->n; i++)
		if (rows->rows[i].stream != rows->rows[0].stream)
			return true;
	for (size_t k = 0; k < n; k++)
		if (times[k] < 2 || times[k] != times[0])
			return k > 0 && k + 1 == n && times[k] < times[0]; /* the log may end between them */
	return n > 0;
}

/* Equal rows of one process are steps that print alike: only what other processes repeat is dropped. */
static void drop_repeats(struct log_rows *rows, struct iterations *iterations)
{
	CLEANUP(mem_free) size_t *kept = mem_new(rows->n + 1, sizeof(*kept));
	CLEANUP(mem_free) size_t *times = mem_new(rows->n + 1, sizeof(*times));
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++) {
		size_t k = find_original(rows, kept, n, i);
		if (k == n) {
			kept[n] = i;
			times[n++] = 0;
		}
		times[k]++;
	}
	if (n == rows->n || !by_processes(rows, times, n))
		return;
	for (size_t i = 0, k = 0; i < rows->n; i++) {
		if (k == n || kept[k] != i) {
			free(rows->rows[i].text);
			continue;
		}
		rows->rows[k] = rows->rows[i];
		iterations->rows[k++] = iterations->rows[i];
	}
	rows->repeats = rows->n - n;
	rows->n = iterations->n = n;
}

enum bar_side { BAR_BEFORE, BAR_AFTER };

static double bar_of(const struct log_row *row, enum bar_side side)
{
	return side == BAR_BEFORE ? row->bar_before : row->bar_after;
}

static bool increases(const struct log_rows *rows, enum bar_side side)
{
	for (size_t i = 0; i < rows->n; i++)
		if (!(bar_of(&rows->rows[i], side) > (i > 0 ? bar_of(&rows->rows[i - 1], side) : 0)))
			return false;
	return true;
}

static bool goes_back(const struct log_rows *rows)
{
	for (size_t i = 1; i < rows->n; i++)
		if (rows->rows[i].bar_after < rows->rows[i - 1].bar_after)
			return true;
	return false;
}

/*
 * The bar is drawn anew behind a row, with the step of the row; before it the bar may lag. Where that redrawing was not
 * captured, the bar behind every row is one further.
 */
static void set_steps(const struct log_rows *rows, struct iterations *iterations)
{
	bool lost = rows->n > 1;

	for (size_t i = 0; i < rows->n; i++)
		lost = lost && (rows->rows[i].bar_after == rows->rows[i].bar_before + 1 ||
				(i + 1 == rows->n && isnan(rows->rows[i].bar_after)));
	enum bar_side side = lost || !increases(rows, BAR_AFTER) ? BAR_BEFORE : BAR_AFTER;
	bool attempts = goes_back(rows);
	if (iterations->has[ITERATION_STEP] || (!attempts && !increases(rows, side)))
		return;
	for (size_t i = 0; i < rows->n; i++)
		iterations_set(iterations, &iterations->rows[i], ITERATION_STEP,
			       bar_of(&rows->rows[i], attempts ? BAR_AFTER : side));
}

/* Run time and tokens count from the start: a row's throughput is of the interval since the row before. */
static void set_throughput(const struct log_rows *rows, struct iterations *iterations)
{
	for (size_t i = 0; i < rows->n; i++) {
		const struct log_row *row = &rows->rows[i], *before = i > 0 ? row - 1 : NULL;
		double seconds = row->runtime_s - (before ? before->runtime_s : 0);
		double tokens = row->tokens - (before ? before->tokens : 0);
		if (!(seconds > 0) || !(tokens > 0))
			continue;
		iterations_set(iterations, &iterations->rows[i], ITERATION_THROUGHPUT, tokens / seconds);
		if (!iterations->throughput_unit)
			iterations->throughput_unit = mem_dup_string("tokens/s");
	}
}

/* "0:15:19.02" or seconds. */
static double runtime_of(const char *place)
{
	double seconds = NAN;
	const char *end = step_number(place, &seconds);

	for (double part = 0; end && *end == ':'; seconds = seconds * 60 + part)
		end = step_number(end + 1, &part);
	return seconds;
}

static const struct {
	const char *word, *name, *unit;
} closings[] = {
	{"train_samples_per_second", "samples_per_s", "samples/s"},
	{"train_steps_per_second", "steps_per_s", "steps/s"},
	{"train_tokens_per_second", "tokens_per_s", "tokens/s"},
	{"train_loss", "loss", "1"},
	{"train_runtime", "runtime_s", "s"},
};
#define N_CLOSINGS (sizeof(closings) / sizeof(*closings))

/* The closing dict, or a line "  train_runtime = 0:15:19.02" of the metrics block. */
static bool read_closing(const char *text, struct iterations *iterations)
{
	CLEANUP(mem_free) char *dict = find_dict(text, "train_runtime");
	bool whole = dict && !step_word(dict, "loss"), any = false;

	for (size_t i = 0; i < N_CLOSINGS; i++) {
		const char *word = whole ? step_word(dict, closings[i].word) : NULL;
		size_t n = strlen(closings[i].word);
		if (!word && !dict) {
			word = step_word(text, closings[i].word);
			if (word && word[n + strspn(word + n, " ")] != '=')
				word = NULL;
		}
		if (!word)
			continue;
		word += n + strspn(word + n, "'\" :=");
		iterations_close(iterations, closings[i].name, closings[i].unit, runtime_of(word));
		any = true;
	}
	return any;
}

void hf_trainer_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	CLEANUP(log_rows_release) struct log_rows rows = {0};
	double steps = bar_total(lines), last = NAN;

	*ret_iterations = (struct iterations){0};
	for (size_t i = 0; i < lines->n; i++) {
		const struct clean_line *line = &lines->items[i];
		double done = NAN, total = NAN;
		if (line->nccl)
			continue;
		CLEANUP(mem_free) char *dict = find_dict(line->raw, "loss");
		if (read_bar(line->raw, &done, &total) && total == steps) {
			last = done;
			for (size_t k = rows.n; k > 0 && isnan(rows.rows[k - 1].bar_after); k--)
				rows.rows[k - 1].bar_after = done;
		}
		if (dict)
			add_row(dict, line, last, &rows, ret_iterations);
		else
			read_closing(line->raw, ret_iterations);
	}
	drop_repeats(&rows, ret_iterations);
	set_steps(&rows, ret_iterations);
	set_throughput(&rows, ret_iterations);
	if (steps >= 1 && steps < 1e15)
		ret_iterations->total = (int64_t)steps;
	if (rows.repeats > 0) {
		CLEANUP(text_release) struct text flag = {0};
		text_format(&flag, "%zu rows repeat one that another process printed", rows.repeats);
		string_list_add(&ret_iterations->flags, text_string(&flag));
	}
}

bool hf_trainer_detect(const struct clean_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		const char *raw = lines->items[i].raw;
		CLEANUP(mem_free) char *row = find_dict(raw, "loss");
		CLEANUP(mem_free) char *closing = row ? NULL : find_dict(raw, "train_runtime");
		if (closing || (row && (step_word(row, "learning_rate") || step_word(row, "grad_norm"))))
			return true;
	}
	return false;
}
