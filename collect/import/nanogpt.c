#include "collect/import/nanogpt.h"

#include "collect/import/step_line.h"

#include <math.h>
#include <string.h>

static const struct step_key keys[] = {
	{"iter", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"step", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"time", ITERATION_TIME, 0, STEP_KEY_FIRST, NULL},
	{"dt", ITERATION_TIME, 0, STEP_KEY_FIRST, NULL},
	{"tok/s", ITERATION_THROUGHPUT, 1, STEP_KEY_LAST, "tokens/s"},
	{"tokens/s", ITERATION_THROUGHPUT, 1, STEP_KEY_LAST, "tokens/s"},
	{"tok/sec", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "tokens/s"},
	{"loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"lr", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
};

/* "step 10 | loss: 6.5 | … | dt: 271.5ms | tok/sec: 19351": of the rewritten lesson. */
static const char *find_rewritten(const char *text)
{
	const char *s = step_numbered(text, "step");

	return s && step_word(s, "loss") && step_word(s, "dt") ? s : NULL;
}

/* "iter 10: loss …": the evaluation lines begin with "step". */
static const char *find(const char *text)
{
	for (const char *s = step_numbered(text, "iter"); s; s = step_numbered(s + 1, "iter")) {
		const char *number = s + strlen("iter");
		number += strspn(number, " \t");
		number += strspn(number, "0123456789,/ ");
		if (*number == ':' && step_word(number, "loss"))
			return s;
	}
	return find_rewritten(text);
}

static const struct step_format format = {find, NULL, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_RANKS};

/* "step 2000: train loss 3.4, val loss 3.4" */
static bool read_evaluation(const char *text, double *ret_step)
{
	const char *s = step_numbered(text, "step");

	return s && step_word(s, "train loss") && step_word(s, "val loss") && step_value(s, "step", ret_step);
}

/* The clock of a step also runs through the evaluation before it. */
static void mark_evaluations(const struct clean_lines *lines, struct iterations *iterations)
{
	size_t row = 0;
	double step = NAN;

	for (size_t i = 0; i < lines->n; i++) {
		if (lines->items[i].nccl || !read_evaluation(lines->items[i].raw, &step))
			continue;
		while (row < iterations->n && iterations->rows[row].line <= lines->items[i].line)
			row++;
		if (row < iterations->n && iterations->rows[row].values[ITERATION_STEP] == step)
			iterations->rows[row].evaluates = true;
	}
}

void nanogpt_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	step_lines_read(lines, &format, ret_iterations);
	mark_evaluations(lines, ret_iterations);
}

bool nanogpt_detect(const struct clean_lines *lines)
{
	return step_lines_detect(lines, &format);
}
