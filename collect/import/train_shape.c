#include "collect/import/train_shape.h"

#include "collect/import/step_line.h"

#include <math.h>
#include <string.h>

enum shape_field {
	SHAPE_RANKS,
	SHAPE_DATA_RANKS, /* ranks that hold different data */
	SHAPE_BATCH,
	SHAPE_BATCH_TOKENS,
	SHAPE_SEQUENCE,
	SHAPE_MICRO_BATCH,
	SHAPE_MICRO_STEPS,
	SHAPE_ITERATION_TOKENS, /* of a program that divides its printed micro-steps among the ranks */
	SHAPE_RANK_BATCH,
	SHAPE_BLOCK,
	SHAPE_FIELDS,
};

/* DeepSpeed's own world_size is that of its data parallelism: it is left out. */
static const struct {
	const char *word;
	enum shape_field field;
} keys[] = {
	{"using world size", SHAPE_RANKS},
	{"dist_world_size", SHAPE_RANKS},
	{"num_processes", SHAPE_RANKS},
	{"Num of GPUs", SHAPE_RANKS},
	{"data_parallel_size", SHAPE_DATA_RANKS},
	{"data-parallel-size", SHAPE_DATA_RANKS},
	{"global_batch_size", SHAPE_BATCH},
	{"global batch size", SHAPE_BATCH},
	{"train_batch_size", SHAPE_BATCH},
	{"Total train batch size (w. parallel, distributed & accumulation)", SHAPE_BATCH},
	{"total_batch_size", SHAPE_BATCH_TOKENS},
	{"seq_len T", SHAPE_SEQUENCE},
	{"micro_batch_size", SHAPE_MICRO_BATCH},
	{"train_micro_batch_size_per_gpu", SHAPE_MICRO_BATCH},
	{"Instantaneous batch size per device", SHAPE_MICRO_BATCH},
	{"local batch size", SHAPE_MICRO_BATCH},
	{"images/s, Batch size", SHAPE_MICRO_BATCH},
	{"batch_size B", SHAPE_MICRO_BATCH},
	{"gradient_accumulation_steps", SHAPE_MICRO_STEPS},
	{"Gradient Accumulation steps", SHAPE_MICRO_STEPS},
	{"gradient accumulation steps", SHAPE_MICRO_STEPS},
	{"grad_accum_steps", SHAPE_MICRO_STEPS},
	{"tokens per iteration will be", SHAPE_ITERATION_TOKENS},
	{"batch_size", SHAPE_RANK_BATCH},
	{"block_size", SHAPE_BLOCK},
};

/* A cheap look: most lines hold none of the words. */
static bool may_tell(const char *raw)
{
	return strstr(raw, "atch") || strstr(raw, "world") || strstr(raw, "ccum") || strstr(raw, "data") ||
	       strstr(raw, "block_size") || strstr(raw, "tokens per iteration") || strstr(raw, "num_processes");
}

/* "batch_size ............ 4" has a leader of dots. */
static double value_of(const char *raw, const char *word)
{
	double number = NAN;

	for (const char *s = step_word(raw, word); s; s = step_word(s + 1, word)) {
		const char *place = s + strlen(word);
		place += strspn(place, "'\"");
		place += strspn(place, " .");
		place += *place == ':' || *place == '=';
		if (step_number(place, &number) && number >= 1 && number < 1e12 && number == floor(number))
			return number;
	}
	return NAN;
}

static int64_t count(double number)
{
	return isnan(number) ? 0 : (int64_t)number;
}

static double quotient(double a, double b)
{
	double q = a / b;

	return q >= 1 && q == floor(q) ? q : NAN;
}

void train_shape_read(const struct clean_lines *lines, struct iteration_shape *ret_shape)
{
	double found[SHAPE_FIELDS];

	for (int f = 0; f < SHAPE_FIELDS; f++)
		found[f] = NAN;
	for (size_t i = 0; i < lines->n; i++) {
		const struct clean_line *line = &lines->items[i];
		if (line->nccl || !may_tell(line->raw))
			continue;
		for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++)
			if (isnan(found[keys[k].field]))
				found[keys[k].field] = value_of(line->raw, keys[k].word);
	}
	if (isnan(found[SHAPE_BATCH]))
		found[SHAPE_BATCH] = quotient(found[SHAPE_BATCH_TOKENS], found[SHAPE_SEQUENCE]);
	if (isnan(found[SHAPE_MICRO_STEPS]))
		found[SHAPE_MICRO_STEPS] =
			quotient(found[SHAPE_BATCH], found[SHAPE_MICRO_BATCH] * found[SHAPE_DATA_RANKS]);
	*ret_shape = (struct iteration_shape){
		.ranks = count(found[SHAPE_RANKS]),
		.global_batch = count(found[SHAPE_BATCH]),
		.micro_batch = count(found[SHAPE_MICRO_BATCH]),
		.micro_steps = count(found[SHAPE_MICRO_STEPS]),
		.all_micro_steps =
			count(quotient(found[SHAPE_ITERATION_TOKENS], found[SHAPE_RANK_BATCH] * found[SHAPE_BLOCK])),
		.shares_micro_steps = !isnan(found[SHAPE_ITERATION_TOKENS]),
	};
}
