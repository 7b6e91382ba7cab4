#include "collect/import/composer.h"

#include "collect/import/step_line.h"

#include <string.h>

static const struct step_key keys[] = {
	{"batch", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"throughput/tokens_per_sec", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "tokens/s"},
	{"throughput/samples_per_sec", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "samples/s"},
	{"throughput/batches_per_sec", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "steps/s"},
	{"loss/train/total", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"time/token", ITERATION_TOKENS, 1, STEP_KEY_FIRST, NULL},
	{"time/sample", ITERATION_SAMPLES, 1, STEP_KEY_FIRST, NULL},
};

static const char *find(const char *text)
{
	const char *s = strstr(text, "[batch=");

	return s && strchr("0123456789", s[7]) ? s + 1 : NULL;
}

/* "         Train loss/train/total: 8.42" */
static bool continues(const char *text)
{
	const char *s = text + strspn(text, " \t");

	return strncmp(s, "Train ", 6) == 0 && strchr(s, ':');
}

static const struct step_format format = {find, continues, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_RANKS};

void composer_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	step_lines_read(lines, &format, ret_iterations);
}

bool composer_detect(const struct clean_lines *lines)
{
	return step_lines_detect(lines, &format);
}
