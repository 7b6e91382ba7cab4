#include "corpus_training.h"

#include "collect/import/deepspeed.h"
#include "collect/import/format.h"
#include "collect/import/hf_trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_number(struct string_map *map, const char *name, double number)
{
	char printed[64];

	if (isnan(number))
		return;
	snprintf(printed, sizeof(printed), "%.15g", number);
	string_map_set(map, name, printed);
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_of(const struct iterations *iterations, enum iteration_field field)
{
	double *values = mem_new(iterations->n + 1, sizeof(*values));
	size_t n = 0;

	for (size_t i = 0; i < iterations->n; i++)
		if (isfinite(iterations->rows[i].values[field]))
			values[n++] = iterations->rows[i].values[field];
	if (n > 0)
		qsort(values, n, sizeof(*values), compare_doubles);
	double median = n > 0 ? (values[(n - 1) / 2] + values[n / 2]) / 2 : NAN;
	free(values);
	return median;
}

static double last_of(const struct iterations *iterations, enum iteration_field field)
{
	return iterations->n > 0 ? iterations->rows[iterations->n - 1].values[field] : NAN;
}

static void put_losses(struct string_map *map, const struct iterations *iterations)
{
	size_t printed = 0, bad = 0;

	for (size_t i = 0; i < iterations->n; i++) {
		printed += iterations->rows[i].printed[ITERATION_LOSS];
		bad += iterations->rows[i].printed[ITERATION_LOSS] &&
		       !isfinite(iterations->rows[i].values[ITERATION_LOSS]);
	}
	put_number(map, "lines_with_loss", (double)printed);
	put_number(map, "loss_nan_lines", (double)bad);
}

static void put_throughput(struct string_map *map, const struct iterations *iterations)
{
	const char *unit = iterations->throughput_unit;
	double median = median_of(iterations, ITERATION_THROUGHPUT);

	if (!unit)
		return;
	if (strncmp(unit, "tokens/s", 8) == 0) {
		put_number(map, "tokens_per_sec", last_of(iterations, ITERATION_THROUGHPUT));
		put_number(map, "tokens_per_sec_median", median);
	}
	if (strcmp(unit, "tokens/s/GPU") == 0)
		put_number(map, "tokens_per_sec_per_gpu_median", median);
	if (strcmp(unit, "images/s") == 0) {
		put_number(map, "median_images_per_s", median);
		put_number(map, "median_throughput", median);
	}
}

static void put_closings(struct string_map *map, const struct iterations *iterations)
{
	static const struct {
		const char *closing, *fact;
		double scale;
	} names[] = {
		{"samples_per_s", "train_samples_per_second", 1}, {"tokens_per_s", "last_train_tokens_per_second", 1},
		{"train_time_s", "final_train_time_ms", 1e3},     {"step_average_s", "final_step_avg_ms", 1e3},
		{"images_per_s", "median_throughput", 1},
	};

	for (size_t i = 0; i < iterations->n_closings; i++)
		for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
			if (strcmp(iterations->closings[i].name, names[k].closing) == 0)
				put_number(map, names[k].fact, iterations->closings[i].value * names[k].scale);
}

/* DeepSpeed's own lines stand beside those of the program that it serves. */
static void put_deepspeed(struct string_map *map, const struct clean_lines *lines)
{
	CLEANUP(iterations_release) struct iterations iterations = {0};

	deepspeed_read(lines, &iterations);
	put_number(map, "median_iter_s", median_of(&iterations, ITERATION_TIME));
	put_number(map, "last_samples_per_sec", last_of(&iterations, ITERATION_THROUGHPUT));
	put_number(map, "last_SamplesPerSec", last_of(&iterations, ITERATION_THROUGHPUT));
}

void corpus_training_values(const struct clean_lines *lines, struct string_map *ret_map)
{
	CLEANUP(iterations_release) struct iterations iterations = {0};
	const char *name = format_steps_read(lines, &iterations);
	double median = median_of(&iterations, ITERATION_TIME);
	double last = last_of(&iterations, ITERATION_STEP), total = (double)iterations.total;
	char batch[64];

	put_deepspeed(ret_map, lines);
	if (!name)
		return;
	if (strcmp(name, "llm.c") == 0 && isnan(median))
		name = "llm.c-main.log";
	if (strcmp(name, "throughput-lines") == 0)
		name = "resnet-summary";
	string_map_set(ret_map, "family", name);
	put_number(ret_map, "steps", (double)iterations.n);
	if (iterations.total > 0)
		put_number(ret_map, "total", total);
	static const char *const counts[] = {"summaries", "blocks", "dict_lines", "bar_updates"};
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		put_number(ret_map, counts[i], (double)iterations.n);
	put_number(ret_map, "last_iter", last);
	put_number(ret_map, "last_step", last);
	snprintf(batch, sizeof(batch), "[batch=%.0f/%.0f]", last, total);
	string_map_set(ret_map, "batch", batch);
	snprintf(batch, sizeof(batch), "%.0f/%.0f", last, total);
	string_map_set(ret_map, "last", batch);
	if (iterations.n > 0 && !isnan(median)) {
		put_number(ret_map, "first_step_ms", iterations.rows[0].values[ITERATION_TIME] * 1e3);
		put_number(ret_map, "last_step_ms", last_of(&iterations, ITERATION_TIME) * 1e3);
		put_number(ret_map, "median_step_ms", median * 1e3);
		put_number(ret_map, "median_delta_ms", median * 1e3);
	} else {
		string_map_set(ret_map, "median_step_ms", "absent");
	}
	put_number(ret_map, "median_tflops", median_of(&iterations, ITERATION_TFLOPS));
	put_losses(ret_map, &iterations);
	put_throughput(ret_map, &iterations);
	put_closings(ret_map, &iterations);
}
