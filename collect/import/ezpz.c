#include "collect/import/ezpz.h"

#include "collect/import/step_line.h"

#include <string.h>

static const struct step_key keys[] = {
	{"iter", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"step", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"train/iter", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"dt", ITERATION_TIME, 1, STEP_KEY_FIRST, NULL},
	{"train/dt", ITERATION_TIME, 1, STEP_KEY_FIRST, NULL},
	{"tps", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "tokens/s"},
	{"loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"train/loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"lr", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
};

/* "dt=0.744", in seconds: a printed unit is another program's. */
static bool has_time(const char *text)
{
	static const char *const words[] = {"dt=", "train/dt="};
	double number;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const char *s = step_word(text, words[i]);
		const char *end = s ? step_number(s + strlen(words[i]), &number) : NULL;
		if (end && (!*end || strchr(" \t,|", *end)))
			return true;
	}
	return false;
}

/* "iter=10 … dt=0.744": the words of one line in any order, each with an equals sign. */
static const char *find(const char *text)
{
	static const char *const words[] = {"iter=", "train/iter=", "step="};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const char *s = step_word(text, words[i]);
		if (s && has_time(s))
			return s;
	}
	return NULL;
}

static const struct step_format format = {find, NULL, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_RANKS};

void ezpz_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	step_lines_read(lines, &format, ret_iterations);
}

bool ezpz_detect(const struct clean_lines *lines)
{
	return step_lines_detect(lines, &format);
}
