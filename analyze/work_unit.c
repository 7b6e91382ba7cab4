#include "analyze/work_unit.h"

#include <math.h>
#include <string.h>

#define PER_GPU "/GPU"

static const struct {
	const char *name;
	enum work_kind kind;
} kinds[] = {
	{"s", WORK_STEPS},          {"steps/s", WORK_STEPS},   {"samples/s", WORK_SAMPLES},
	{"images/s", WORK_SAMPLES}, {"tokens/s", WORK_TOKENS},
};

static size_t whole_length(const char *printed)
{
	size_t n = strlen(printed), suffix = strlen(PER_GPU);

	return n > suffix && strcmp(printed + n - suffix, PER_GPU) == 0 ? n - suffix : n;
}

struct work_unit work_unit_of(const char *printed)
{
	struct work_unit unit = {WORK_OTHER, false};

	if (!printed)
		return unit;
	size_t n = whole_length(printed);
	unit.per_gpu = printed[n] != '\0';
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strlen(kinds[i].name) == n && strncmp(printed, kinds[i].name, n) == 0)
			unit.kind = kinds[i].kind;
	return unit;
}

char *work_unit_whole(const char *printed)
{
	return campaign_format("%.*s", (int)whole_length(printed), printed);
}

/* As the run reports it, else as planned, else as micro-batch, micro-steps and ranks make it; RECORD_UNSET. */
static int64_t global_batch(const struct plan_harness *harness, const struct run_record *run)
{
	const struct run_factors *factors = &run->factors;
	int64_t micro_batch = factors->micro_batch > 0 ? factors->micro_batch : harness->micro_batch;
	int64_t micro_steps = factors->micro_steps > 0 ? factors->micro_steps : harness->micro_steps;
	int64_t ranks = factors->ranks > 0 ? factors->ranks : harness->ranks;

	if (factors->global_batch > 0)
		return factors->global_batch;
	if (harness->global_batch > 0)
		return harness->global_batch;
	return micro_batch > 0 && micro_steps > 0 && ranks > 0 ? micro_batch * micro_steps * ranks : RECORD_UNSET;
}

double work_per_step(const struct plan_harness *harness, const struct run_record *run, enum work_kind kind)
{
	int64_t batch = global_batch(harness, run);

	switch (kind) {
	case WORK_STEPS:
		return 1;
	case WORK_SAMPLES:
		return batch > 0 ? (double)batch : NAN;
	case WORK_TOKENS:
		if (batch > 0 && harness->global_batch > 0 && batch != harness->global_batch)
			return NAN;
		return harness->tokens_per_step > 0 ? harness->tokens_per_step : NAN;
	default:
		return NAN;
	}
}
