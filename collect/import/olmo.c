#include "collect/import/olmo.h"

#include "collect/import/step_line.h"

#include <string.h>

static const struct step_key keys[] = {
	{"step", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"throughput/device/tokens_per_second", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "tokens/s/GPU"},
	{"throughput/device/TPS", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "tokens/s/GPU"},
	{"train/CrossEntropyLoss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"train/CE loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"optim/learning_rate_group0", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
	{"optim/LR (group 0)", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
	{"throughput/total_tokens", ITERATION_TOKENS, 1, STEP_KEY_FIRST, NULL},
};

static const char *find(const char *text)
{
	const char *s = strstr(text, "[step=");

	return s && strchr("0123456789", s[6]) ? s + 1 : NULL;
}

/* "    train/CrossEntropyLoss=10.73": indented, a path, an equals sign. */
static bool continues(const char *text)
{
	const char *slash = strchr(text, '/'), *equals = strchr(text, '=');

	return (text[0] == ' ' || text[0] == '\t') && slash && equals && slash < equals;
}

static const struct step_format format = {find, continues, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_RANKS};

void olmo_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	step_lines_read(lines, &format, ret_iterations);
}

bool olmo_detect(const struct clean_lines *lines)
{
	return step_lines_detect(lines, &format);
}
