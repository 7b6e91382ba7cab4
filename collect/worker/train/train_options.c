#include "collect/worker/train/train_options.h"

#include "base/number.h"

#include <string.h>

static const struct {
	const char *name;
	size_t offset;
	int64_t least, most;
} counts[] = {
	{"--steps", offsetof(struct train_options, steps), 1, 1000000000},
	{"--global-batch", offsetof(struct train_options, global_batch), 1, 1000000000},
	{"--micro-batch", offsetof(struct train_options, micro_batch), 1, 65536},
	{"--warmup-steps", offsetof(struct train_options, warmup_steps), 0, 1000000000},
	{"--seed", offsetof(struct train_options, seed), 0, INT64_MAX},
	/* All gradients can be one bucket, whose count MPI takes as an int. */
	{"--layers", offsetof(struct train_options, layers), 1, 64},
	{"--width", offsetof(struct train_options, width), 1, 4096},
	{"--log-every", offsetof(struct train_options, log_every), 1, 1000000000},
};

static const struct {
	const char *name;
	size_t offset;
	double least, most;
} numbers[] = {
	{"--lr", offsetof(struct train_options, lr), 1e-9, 1e3},
	{"--momentum", offsetof(struct train_options, momentum), 0, 0.9999},
	{"--bucket-mb", offsetof(struct train_options, bucket_mb), 1e-3, 1e6},
	{"--throttle-mbit", offsetof(struct train_options, throttle_mbit), 0, 1e9},
};

enum { N_COUNTS = sizeof(counts) / sizeof(*counts), N_NUMBERS = sizeof(numbers) / sizeof(*numbers) };

/* 1: done; 0: not one of these; negative: wrong. */
static int read_count(const char *name, const char *word, struct train_options *options, struct error *err)
{
	int64_t value = 0;

	for (size_t i = 0; i < N_COUNTS; i++) {
		if (strcmp(counts[i].name, name) != 0)
			continue;
		if (!number_parse_int(word, strlen(word), &value) || value < counts[i].least || value > counts[i].most)
			return error_set(err, ERROR_USAGE, "%s: '%s' is not a whole number from %lld to %lld", name,
					 word, (long long)counts[i].least, (long long)counts[i].most);
		memcpy((char *)options + counts[i].offset, &value, sizeof(value));
		return 1;
	}
	return 0;
}

static int read_real(const char *name, const char *word, struct train_options *options, struct error *err)
{
	double value = 0;

	for (size_t i = 0; i < N_NUMBERS; i++) {
		if (strcmp(numbers[i].name, name) != 0)
			continue;
		if (!number_parse_double(word, strlen(word), &value) || value < numbers[i].least ||
		    value > numbers[i].most)
			return error_set(err, ERROR_USAGE, "%s: '%s' is not a number from %g to %g", name, word,
					 numbers[i].least, numbers[i].most);
		memcpy((char *)options + numbers[i].offset, &value, sizeof(value));
		return 1;
	}
	return 0;
}

static int read_word(const char *name, const char *word, struct train_options *options, struct error *err)
{
	if (strcmp(name, "--trace") == 0) {
		options->trace = word;
		return 1;
	}
	if (strcmp(name, "--grad-dtype") != 0)
		return 0;
	for (size_t i = 0; i < GRAD_DTYPES; i++)
		if (strcmp(grad_dtype_names[i], word) == 0) {
			options->grad_dtype = (enum grad_dtype)i;
			return 1;
		}
	return error_set(err, ERROR_USAGE, "--grad-dtype: no type '%s' here; float32 or bfloat16", word);
}

static int unknown(const char *name, struct error *err)
{
	char known[512] = "";

	for (size_t i = 0; i < N_COUNTS + N_NUMBERS; i++) {
		const char *next = i < N_COUNTS ? counts[i].name : numbers[i - N_COUNTS].name;
		strncat(strncat(known, next, sizeof(known) - strlen(known) - 1), " ",
			sizeof(known) - strlen(known) - 2);
	}
	return error_set(err, ERROR_USAGE, "unknown option '%s'; there are %s--grad-dtype --trace", name, known);
}

int train_options_parse(int argc, char *const *argv, struct train_options *ret_options, struct error *err)
{
	static int (*const readers[])(const char *, const char *, struct train_options *,
				      struct error *) = {read_count, read_real, read_word};
	struct train_options options = {.steps = 30,
					.global_batch = 128,
					.micro_batch = 16,
					.warmup_steps = 5,
					.seed = 1,
					.layers = 6,
					.width = 512,
					.log_every = 1,
					.lr = 0.02,
					.momentum = 0.9,
					.bucket_mb = 1};

	for (int i = 1; i < argc; i += 2) {
		int r = 0;
		const char *word = i + 1 < argc ? argv[i + 1] : "";
		for (size_t k = 0; r == 0 && k < sizeof(readers) / sizeof(*readers); k++)
			r = readers[k](argv[i], word, &options, err);
		if (r == 0)
			return unknown(argv[i], err);
		if (i + 1 == argc)
			return error_set(err, ERROR_USAGE, "option '%s' needs a value", argv[i]);
		if (r < 0)
			return r;
	}
	*ret_options = options;
	return 0;
}

int train_options_micro_steps(const struct train_options *options, int n_ranks, int64_t *ret_micro_steps,
			      struct error *err)
{
	int64_t at_once = n_ranks * options->micro_batch, below = options->global_batch / at_once * at_once;

	if (below != options->global_batch)
		return error_set(
			err, ERROR_USAGE,
			"--global-batch: %lld is not a multiple of %d ranks x micro batch %lld = %lld; the next "
			"that is: %lld",
			(long long)options->global_batch, n_ranks, (long long)options->micro_batch, (long long)at_once,
			(long long)(below + at_once));
	*ret_micro_steps = options->global_batch / at_once;
	return 0;
}
