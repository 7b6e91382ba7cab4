#include "collect/import/dllogger.h"

#include "collect/import/step_line.h"

#include <math.h>
#include <string.h>

static const struct step_key keys[] = {
	{"global_step", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"step", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"train_step_timing in s", ITERATION_TIME, 1, STEP_KEY_FIRST, NULL},
	{"train_step_timing", ITERATION_TIME, 1, STEP_KEY_FIRST, NULL},
	{"reduced_train_loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"lr", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
	{"learning_rate", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
	{"consumed_samples", ITERATION_SAMPLES, 1, STEP_KEY_FIRST, NULL},
};

/* The words of the text backend; its step is the last number in brackets, "(epoch, step)". */
static const struct step_key text_keys[] = {
	{"Iteration", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"total_ips", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "images/s"},
	{"loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"step_loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"learning_rate", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
	{")", ITERATION_STEP, 1, STEP_KEY_LAST, NULL},
};

static const char *find(const char *text)
{
	return strstr(text, "DLLL {");
}

/* The JSON object goes on until the next head. */
static bool continues(const char *text)
{
	const char *s = text + strspn(text, " \t");

	return *s == '"' || *s == '{' || *s == '}';
}

static const char *find_text(const char *text)
{
	const char *s = strstr(text, "DLL 2"), *ips = s ? step_word(s, "total_ips") : NULL;

	s = s ? strstr(s, " - ") : NULL;
	return s && ips > s ? s : NULL;
}

static const struct step_format format = {find, continues, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_RANKS};
static const struct step_format text_format = {find_text, NULL, text_keys, sizeof(text_keys) / sizeof(*text_keys),
					       STEP_REPEATS_RANKS};

void dllogger_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	size_t kept = 0;

	step_lines_read(lines, &format, ret_iterations);
	/* records of other kinds (parameters, evaluations) have no step time */
	for (size_t i = 0; i < ret_iterations->n; i++)
		if (ret_iterations->rows[i].printed[ITERATION_TIME])
			ret_iterations->rows[kept++] = ret_iterations->rows[i];
	ret_iterations->n = kept;
}

/* Of a record alone: a parameter dump has no step time. */
bool dllogger_detect(const struct clean_lines *lines)
{
	CLEANUP(iterations_release) struct iterations iterations = {0};

	if (step_lines_detect(lines, &format))
		dllogger_read(lines, &iterations);
	return iterations.n > 0;
}

void dllogger_text_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	step_lines_read(lines, &text_format, ret_iterations);
	for (size_t i = 0; i < lines->n; i++) {
		double number = NAN;
		if (strstr(lines->items[i].raw, "DLL 2") &&
		    step_value(lines->items[i].raw, "train_throughput", &number))
			iterations_close(ret_iterations, "images_per_s", "images/s", number);
	}
}

bool dllogger_text_detect(const struct clean_lines *lines)
{
	return step_lines_detect(lines, &text_format);
}
