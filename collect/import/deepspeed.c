#include "collect/import/deepspeed.h"

#include "collect/import/step_line.h"

#include <math.h>
#include <string.h>

#define REPORT_KEYS                                                                                               \
	{"step", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL}, {"steps", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},    \
		{"/global_step", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},                                        \
		{"iter time (s)", ITERATION_TIME, 1, STEP_KEY_FIRST, NULL},                                       \
		{"CurrSamplesPerSec", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "samples/s"},                      \
		{"SamplesPerSec", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "samples/s"},                          \
		{"RunningAvgSamplesPerSec", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "samples/s"},                \
		{"samples/sec", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "samples/s"},                            \
		{"loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL}, {"lr", ITERATION_LR, 1, STEP_KEY_FIRST, NULL}, \
	{                                                                                                         \
		"TFLOPs", ITERATION_TFLOPS, 1, STEP_KEY_FIRST, NULL                                               \
	}

static const struct step_key keys[] = {REPORT_KEYS};
/* The old timer's "0/10, SamplesPerSec=…" counts micro-steps: a step only where no line reports steps. */
static const struct step_key timer_keys[] = {
	REPORT_KEYS,
	{"/", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
};

static const char *find_report(const char *text)
{
	for (const char *s = step_word(text, "step="); s; s = step_word(s + 1, "step="))
		if (strncmp(s + 5 + strspn(s + 5, "0123456789"), ", skipped=", 10) == 0)
			return s;
	return NULL;
}

/* "epoch=0/micro_step=3/global_step=3, RunningAvg…" or "0/10, SamplesPerSec=…", from the first slash on. */
static const char *find_timer(const char *text)
{
	const char *s = strstr(text, "SamplesPerSec=");

	if (!s)
		return NULL;
	while (s > text && s[-1] != ',')
		s--;
	while (s > text && s[-1] != ' ' && s[-1] != ']')
		s--;
	return strchr("0123456789e", *s) ? strchr(s, '/') : NULL;
}

static const char *find_pipeline(const char *text)
{
	const char *s = step_numbered(text, "steps");

	return s && strstr(s, "iter time (s)") ? s : NULL;
}

static const char *find(const char *text)
{
	const char *found[] = {find_report(text), find_timer(text), find_pipeline(text)}, *first = NULL;

	for (size_t i = 0; i < sizeof(found) / sizeof(*found); i++)
		if (found[i] && (!first || found[i] < first))
			first = found[i];
	return first;
}

/* Wall-clock breakdowns tell that DeepSpeed ran, not when a step ended. */
static const char *find_breakdown(const char *text)
{
	const char *s = strstr(text, "rank=");

	return s && strstr(s, "time (ms) | ") ? s : NULL;
}

static const struct step_format format = {find, NULL, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_PARTS};
static const struct step_format timer_format = {find, NULL, timer_keys, sizeof(timer_keys) / sizeof(*timer_keys),
						STEP_REPEATS_PARTS};
static const struct step_format report_format = {find_report, NULL, NULL, 0, STEP_REPEATS_PARTS};
static const struct step_format pipeline_format = {find_pipeline, NULL, NULL, 0, STEP_REPEATS_PARTS};
static const struct step_format breakdown_format = {find_breakdown, NULL, NULL, 0, STEP_REPEATS_PARTS};

/* The timer begins at the third step and reports learning rates from step 0 on: rows without a response are no steps.
 */
static void drop_silent(struct iterations *iterations)
{
	size_t kept = 0;

	if (!iterations->has[ITERATION_TIME] && !iterations->has[ITERATION_THROUGHPUT])
		return;
	for (size_t i = 0; i < iterations->n; i++)
		if (iterations->rows[i].printed[ITERATION_TIME] || iterations->rows[i].printed[ITERATION_THROUGHPUT])
			iterations->rows[kept++] = iterations->rows[i];
	iterations->n = kept;
}

static void flag_running(const struct clean_lines *lines, struct iterations *iterations)
{
	if (!iterations->has[ITERATION_THROUGHPUT] || iterations->has[ITERATION_TIME])
		return;
	for (size_t i = 0; i < lines->n; i++)
		if (strstr(lines->items[i].raw, "CurrSamplesPerSec="))
			return;
	iterations->statistic = RUN_STATISTIC_RUNNING;
	string_list_add(&iterations->flags, "the throughput is a running mean since the first steps, not of each step");
}

void deepspeed_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	bool steps = step_lines_detect(lines, &report_format) || step_lines_detect(lines, &pipeline_format);

	step_lines_read(lines, steps ? &format : &timer_format, ret_iterations);
	drop_silent(ret_iterations);
	flag_running(lines, ret_iterations);
}

bool deepspeed_detect(const struct clean_lines *lines)
{
	return step_lines_detect(lines, &format) || step_lines_detect(lines, &breakdown_format);
}
