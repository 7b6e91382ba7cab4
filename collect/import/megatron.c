#include "collect/import/megatron.h"

#include "collect/import/token.h"

#include <math.h>
#include <string.h>

#define TIME_KEY "elapsed time per iteration (ms):"

static const struct {
	const char *key;
	enum iteration_field field;
} fields[] = {
	{"| consumed samples:", ITERATION_SAMPLES},
	{"| consumed tokens:", ITERATION_TOKENS},
	{"| learning rate:", ITERATION_LR},
	{"| global batch size:", ITERATION_BATCH},
	{"| lm loss:", ITERATION_LOSS},
	{"| lm-loss:", ITERATION_LOSS},
};

static const char *step_line(const struct clean_line *line)
{
	const char *iteration = line->nccl ? NULL : strstr(line->text, "iteration ");

	return iteration && strchr(iteration, '/') && strstr(iteration, TIME_KEY) ? iteration : NULL;
}

void megatron_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	*ret_iterations = (struct iterations){0};
	for (size_t i = 0; i < lines->n; i++) {
		const char *text = step_line(&lines->items[i]);
		double number = NAN;
		if (!text || !token_number_after(text, "iteration", &number))
			continue;
		struct iteration *row = iterations_add(ret_iterations, lines->items[i].line);
		iterations_set(ret_iterations, row, ITERATION_STEP, number);
		number = NAN;
		token_number_after(text, TIME_KEY, &number); /* pairs "this/mean": the first */
		iterations_set(ret_iterations, row, ITERATION_TIME, number * 1e-3);
		for (size_t k = 0; k < sizeof(fields) / sizeof(*fields); k++)
			if (token_number_after(text, fields[k].key, &number))
				iterations_set(ret_iterations, row, fields[k].field, number);
	}
}

bool megatron_detect(const struct clean_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (step_line(&lines->items[i]))
			return true;
	return false;
}
