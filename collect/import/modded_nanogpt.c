#include "collect/import/modded_nanogpt.h"

#include "collect/import/step_line.h"

#include <math.h>
#include <string.h>

static const struct step_key keys[] = {
	{"step", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"train_time", ITERATION_TIME, 0, STEP_KEY_FIRST, NULL},
	{"train_loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
};

/* "step:1/1480 train_time:29246ms": a line with a validation loss is an evaluation. */
static const char *find(const char *text)
{
	for (const char *s = step_numbered(text, "step"); s; s = step_numbered(s + 1, "step"))
		if (s[4] == ':' && strchr(s, '/') && step_word(s, "train_time") && !step_word(s, "val_loss"))
			return s;
	return NULL;
}

static const struct step_format format = {find, NULL, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_RANKS};

/* A total that falls was started anew: that step and the first have no time of their own. */
static void difference(struct iterations *iterations)
{
	double before = NAN;

	for (size_t i = 0; i < iterations->n; i++) {
		struct iteration *row = &iterations->rows[i];
		double now = row->values[ITERATION_TIME];
		double steps = i > 0 ? row->values[ITERATION_STEP] - row[-1].values[ITERATION_STEP] : NAN;
		row->printed[ITERATION_TIME] = now > before && steps > 0;
		row->values[ITERATION_TIME] = row->printed[ITERATION_TIME] ? (now - before) / steps : NAN;
		before = now;
	}
}

void modded_nanogpt_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	double average = NAN;

	step_lines_read(lines, &format, ret_iterations);
	double total = ret_iterations->n > 0 ? ret_iterations->rows[ret_iterations->n - 1].values[ITERATION_TIME] : NAN;
	difference(ret_iterations);
	for (size_t i = 0; i < lines->n; i++) {
		double seconds = NAN;
		const char *s = find(lines->items[i].text);
		if (s && step_value(s, "step_avg", &seconds))
			average = seconds;
	}
	iterations_close(ret_iterations, "train_time_s", "s", total);
	iterations_close(ret_iterations, "step_average_s", "s", average * 1e-3);
}

bool modded_nanogpt_detect(const struct clean_lines *lines)
{
	return step_lines_detect(lines, &format);
}
