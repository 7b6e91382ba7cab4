#include "collect/worker/options.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = 1000000 };

static int read_number(const char *option, const char *word, size_t n, int64_t least, int64_t most, int64_t *ret_value,
		       struct error *err)
{
	if (!number_parse_int(word, n, ret_value) || *ret_value < least || *ret_value > most)
		return error_set(err, ERROR_USAGE, "%s: '%.*s' is not a whole number from %lld to %lld", option, (int)n,
				 word, (long long)least, (long long)most);
	return 0;
}

static int read_op(const char *word, struct options *options, struct error *err)
{
	options->collective = collective_find(word);
	if (!options->collective)
		return error_set(err, ERROR_USAGE, "--op: no collective '%s' here", word);
	return 0;
}

static int read_dtype(const char *word, struct options *options, struct error *err)
{
	options->element = element_find(word);
	if (!options->element)
		return error_set(err, ERROR_USAGE, "--dtype: no type '%s' here; float32, float64 or bfloat16", word);
	return 0;
}

static int read_placement(const char *word, struct options *options, struct error *err)
{
	if (strcmp(word, "out_of_place") == 0)
		options->placement = PLACEMENT_OUT_OF_PLACE;
	else if (strcmp(word, "in_place") == 0)
		options->placement = PLACEMENT_IN_PLACE;
	else
		return error_set(err, ERROR_USAGE, "--placement: '%s' is neither out_of_place nor in_place", word);
	return 0;
}

static int read_warmup(const char *word, struct options *options, struct error *err)
{
	int64_t value = 0;
	int r = read_number("--warmup", word, strlen(word), 0, COUNT_MAX, &value, err);

	options->warmup = (int)value;
	return r;
}

static int read_iterations(const char *word, struct options *options, struct error *err)
{
	int64_t value = 0;
	int r = read_number("--iterations", word, strlen(word), 1, COUNT_MAX, &value, err);

	options->iterations = (int)value;
	return r;
}

static int read_max_count(const char *word, struct options *options, struct error *err)
{
	return read_number("--max-count", word, strlen(word), 1, INT64_MAX, &options->max_count, err);
}

static int read_bytes(const char *word, struct options *options, struct error *err)
{
	size_t capacity = 0;

	free(options->sizes);
	options->sizes = NULL;
	options->n_sizes = 0;
	for (;;) {
		size_t n = strcspn(word, ",");
		options->sizes = mem_grow(options->sizes, &capacity, options->n_sizes + 1, sizeof(*options->sizes));
		/* Half of what fits, so that sums of two buffers do. */
		int r = read_number("--bytes", word, n, 1, INT64_MAX / 2, &options->sizes[options->n_sizes++], err);
		if (r < 0)
			return r;
		if (word[n] == '\0')
			return 0;
		word += n + 1;
	}
}

static const struct {
	const char *name;
	int (*read)(const char *word, struct options *options, struct error *err);
} readers[] = {
	{"--op", read_op},
	{"--dtype", read_dtype},
	{"--placement", read_placement},
	{"--warmup", read_warmup},
	{"--iterations", read_iterations},
	{"--bytes", read_bytes},
	{"--max-count", read_max_count},
};
enum { N_READERS = sizeof(readers) / sizeof(readers[0]) };

int options_parse(int argc, char *const *argv, struct options *ret_options, struct error *err)
{
	CLEANUP(options_release)
	struct options options = {.element = &elements[ELEMENT_FLOAT32], .warmup = 5, .iterations = 20};

	for (int i = 1; i < argc; i += 2) {
		size_t at = 0;
		while (at < N_READERS && strcmp(readers[at].name, argv[i]) != 0)
			at++;
		if (at == N_READERS)
			return error_set(err, ERROR_USAGE, "unknown option '%s'", argv[i]);
		if (i + 1 == argc)
			return error_set(err, ERROR_USAGE, "option '%s' needs a value", argv[i]);
		int r = readers[at].read(argv[i + 1], &options, err);
		if (r < 0)
			return r;
	}
	if (!options.collective)
		return error_set(err, ERROR_USAGE, "option '--op' is needed");
	if (options.n_sizes == 0)
		return error_set(err, ERROR_USAGE, "option '--bytes' is needed");
	*ret_options = options;
	options.sizes = NULL;
	return 0;
}

void options_release(struct options *options)
{
	free(options->sizes);
	options->sizes = NULL;
	options->n_sizes = 0;
}
