#include "collect/import/llmc.h"

#include "collect/import/step_line.h"

#include <string.h>

static const struct step_key keys[] = {
	{"step", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"ms", ITERATION_TIME, 1e-3, STEP_KEY_LAST, NULL},
	{"tok/s", ITERATION_THROUGHPUT, 1, STEP_KEY_LAST, "tokens/s"},
	{"train loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"lr", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
};

/* The file main.log of llm.c: training rows "s:1 trl:…", evaluations "s:0 tel:…"; no times. */
static const struct step_key log_keys[] = {
	{"s", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"trl", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"lr", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
};

static const char *find(const char *text)
{
	for (const char *s = step_numbered(text, "step"); s; s = step_numbered(s + 1, "step")) {
		double number;
		const char *end = step_number(s + strlen("step"), &number);
		if (!end)
			continue;
		end += strspn(end, " \t");
		bool columns = *end == '/' || *end == '|' || *end == ':';
		if (columns && step_word(end, "loss") && step_word(end, "ms"))
			return s;
	}
	return NULL;
}

static const char *find_log(const char *text)
{
	const char *s = text + strspn(text, " \t");

	return strncmp(s, "s:", 2) == 0 && strstr(s, " trl:") ? s : NULL;
}

static const struct step_format format = {find, NULL, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_RANKS};
static const struct step_format log_format = {find_log, NULL, log_keys, sizeof(log_keys) / sizeof(*log_keys),
					      STEP_REPEATS_RANKS};

void llmc_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	step_lines_read(lines, step_lines_detect(lines, &format) ? &format : &log_format, ret_iterations);
}

bool llmc_detect(const struct clean_lines *lines)
{
	return step_lines_detect(lines, &format) || step_lines_detect(lines, &log_format);
}
