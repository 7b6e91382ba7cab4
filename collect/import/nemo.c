#include "collect/import/nemo.h"

#include "collect/import/step_line.h"

#include <string.h>

static const struct step_key keys[] = {
	{"global_step", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"iteration", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"train_step_timing in s", ITERATION_TIME, 1, STEP_KEY_FIRST, NULL},
	{"train_step_timing", ITERATION_TIME, 1, STEP_KEY_FIRST, NULL},
	{"reduced_train_loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"lr", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
	{"global_batch_size", ITERATION_BATCH, 1, STEP_KEY_FIRST, NULL},
	{"consumed_samples", ITERATION_SAMPLES, 1, STEP_KEY_FIRST, NULL},
	{"tflops_per_sec_per_gpu", ITERATION_TFLOPS, 1, STEP_KEY_FIRST, NULL},
	{"TFLOPS_per_GPU", ITERATION_TFLOPS, 1, STEP_KEY_FIRST, NULL},
};

static const char *find(const char *text)
{
	const char *s = step_numbered(text, "iteration");

	return s && strstr(s, "train_step_timing") ? s : NULL;
}

static const struct step_format format = {find, NULL, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_RANKS};

void nemo_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	step_lines_read(lines, &format, ret_iterations);
}

bool nemo_detect(const struct clean_lines *lines)
{
	return step_lines_detect(lines, &format);
}
