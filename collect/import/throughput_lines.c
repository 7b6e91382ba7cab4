#include "collect/import/throughput_lines.h"

#include "collect/import/step_line.h"

#include <string.h>

/* Rounded batch times stand in such lines too: the throughput has more digits. */
static const struct step_key keys[] = {
	{"images/s", ITERATION_THROUGHPUT, 1, STEP_KEY_LAST, "images/s"},
	{"images/sec", ITERATION_THROUGHPUT, 1, STEP_KEY_LAST, "images/s"},
	{"img/s", ITERATION_THROUGHPUT, 1, STEP_KEY_LAST, "images/s"},
	{"img/sec", ITERATION_THROUGHPUT, 1, STEP_KEY_LAST, "images/s"},
	{"samples/s", ITERATION_THROUGHPUT, 1, STEP_KEY_LAST, "samples/s"},
	{"samples/sec", ITERATION_THROUGHPUT, 1, STEP_KEY_LAST, "samples/s"},
	{"tokens/s", ITERATION_THROUGHPUT, 1, STEP_KEY_LAST, "tokens/s"},
	{"tokens/sec", ITERATION_THROUGHPUT, 1, STEP_KEY_LAST, "tokens/s"},
	{"loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
};

static const char *find(const char *text)
{
	static const char *const words[] = {"Throughput", "throughput"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const char *s = step_numbered(text, words[i]);
		if (!s)
			continue;
		for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++)
			if (keys[k].side == STEP_KEY_LAST && step_word(s, keys[k].word))
				return s;
	}
	return NULL;
}

static const struct step_format format = {find, NULL, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_RANKS};

void throughput_lines_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	step_lines_read(lines, &format, ret_iterations);
}

bool throughput_lines_detect(const struct clean_lines *lines)
{
	return step_lines_detect(lines, &format);
}
