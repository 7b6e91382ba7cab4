#include "collect/import/megatron.h"

#include "collect/import/step_line.h"

#include <ctype.h>
#include <string.h>

#define TIME_WORDS "elapsed time per iteration"

/* Of a pair "this step/mean" the first number is read. */
static const struct step_key keys[] = {
	{"iteration", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{TIME_WORDS " (ms)", ITERATION_TIME, 1e-3, STEP_KEY_FIRST, NULL},
	{TIME_WORDS " (s)", ITERATION_TIME, 1, STEP_KEY_FIRST, NULL},
	{"tokens per GPU (tokens/s/GPU)", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "tokens/s/GPU"},
	{"tokens per second per GPU", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "tokens/s/GPU"},
	{"tokens/s/GPU", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "tokens/s/GPU"},
	{"tokens-per-second-per-gpu", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "tokens/s/GPU"},
	{"samples per second", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "samples/s"},
	{"throughput per GPU (TFLOP/s/GPU)", ITERATION_TFLOPS, 1, STEP_KEY_FIRST, NULL},
	{"TFLOPs", ITERATION_TFLOPS, 1, STEP_KEY_FIRST, NULL},
	{"tflops", ITERATION_TFLOPS, 1, STEP_KEY_FIRST, NULL},
	{"lm loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"lm-loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"lm_loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"reduced_train_loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"| loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"learning rate", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
	{"| lr", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
	{"global batch size", ITERATION_BATCH, 1, STEP_KEY_FIRST, NULL},
	{"consumed samples", ITERATION_SAMPLES, 1, STEP_KEY_FIRST, NULL},
	{"consumed tokens", ITERATION_TOKENS, 1, STEP_KEY_FIRST, NULL},
};

/* "iteration 3/ 1000" with its time before the next one. */
static const char *find(const char *text)
{
	for (const char *s = step_numbered(text, "iteration"); s; s = step_numbered(s + 1, "iteration")) {
		const char *number = s + strlen("iteration");
		number += strspn(number, " \t:");
		const char *slash = number + strspn(number, "0123456789");
		const char *time = strstr(s, TIME_WORDS);
		const char *next = step_numbered(s + 1, "iteration");
		if (slash[strspn(slash, " \t")] == '/' && time && (!next || time < next))
			return s;
	}
	return NULL;
}

static const struct step_format format = {find, NULL, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_RANKS};

void megatron_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	step_lines_read(lines, &format, ret_iterations);
}

bool megatron_detect(const struct clean_lines *lines)
{
	return step_lines_detect(lines, &format);
}
