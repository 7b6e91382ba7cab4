#include "collect/import/format.h"

#include "base/nearest.h"
#include "base/text.h"
#include "collect/import/bench_run.h"
#include "collect/import/composer.h"
#include "collect/import/crash.h"
#include "collect/import/deepspeed.h"
#include "collect/import/dllogger.h"
#include "collect/import/ezpz.h"
#include "collect/import/facts.h"
#include "collect/import/hf_trainer.h"
#include "collect/import/lightning_bar.h"
#include "collect/import/llmc.h"
#include "collect/import/megatron.h"
#include "collect/import/modded_nanogpt.h"
#include "collect/import/nanogpt.h"
#include "collect/import/nccl_tests.h"
#include "collect/import/nemo.h"
#include "collect/import/olmo.h"
#include "collect/import/pattern.h"
#include "collect/import/throughput_lines.h"
#include "collect/import/torchtitan.h"
#include "collect/import/train_shape.h"
#include "collect/import/worker_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

CLEANUP_VALUE(struct clean_lines, clean_lines_release)

/* What a format found besides tables and factors. */
struct findings {
	size_t matched, rows;
	size_t *step_lines; /* the numbers of lines that became steps, ascending */
	size_t n_step_lines;
	enum run_status status; /* what the results themselves say */
	bool says_why;          /* the program itself tells how it ended: a log without rows is no error */
	char *proof;
};

static void findings_release(struct findings *findings)
{
	free(findings->step_lines);
	free(findings->proof);
}
CLEANUP_VALUE(struct findings, findings_release)

struct import_format {
	const char *name;
	enum plan_kind kind;
	bool (*detect)(const struct clean_lines *lines);
	int (*read)(const struct import_format *format, const struct import_source *source,
		    const struct clean_lines *lines, const struct crash_finding *crash, struct run_record *run,
		    struct findings *ret, struct error *err);
	void (*steps)(const struct clean_lines *lines, struct iterations *ret_iterations); /* for read_steps */
};

/* Micro-steps of a rank where the log prints those of all ranks together; 0: they cannot be told. */
static int64_t micro_steps_of_rank(const struct iteration_shape *shape, int64_t ranks)
{
	if (!shape->shares_micro_steps)
		return shape->micro_steps;
	if (shape->all_micro_steps > 0 && ranks > 0)
		return shape->all_micro_steps % ranks == 0 ? shape->all_micro_steps / ranks : 0;
	return ranks == 1 ? shape->micro_steps : 0;
}

static void set_shape(const struct iterations *iterations, int64_t batch, const struct plan_harness *harness,
		      struct run_factors *factors)
{
	const struct iteration_shape *shape = &iterations->shape;

	factors->global_batch = batch > 0 ? batch : shape->global_batch > 0 ? shape->global_batch : RECORD_UNSET;
	if (shape->ranks > 0)
		factors->ranks = shape->ranks;
	if (shape->micro_batch > 0)
		factors->micro_batch = shape->micro_batch;
	int64_t micro_steps = micro_steps_of_rank(shape, shape->ranks > 0 ? shape->ranks : harness->ranks);
	if (micro_steps > 0)
		factors->micro_steps = micro_steps;
}

static int store_iterations(const struct import_source *source, const struct iterations *iterations,
			    struct run_record *run, struct findings *ret)
{
	int64_t batch = RECORD_UNSET;

	iterations_store(iterations, source->harness->discard, run);
	ret->step_lines = mem_new(iterations->n + 1, sizeof(*ret->step_lines));
	ret->n_step_lines = iterations->n;
	for (size_t i = 0; i < iterations->n; i++)
		ret->step_lines[i] = iterations->rows[i].line;
	ret->matched = ret->rows = iterations->n + (iterations->n_closings > 0);
	for (size_t i = 0; i < iterations->n && iterations->has[ITERATION_BATCH]; i++)
		if (isfinite(iterations->rows[i].values[ITERATION_BATCH]))
			batch = (int64_t)iterations->rows[i].values[ITERATION_BATCH];
	set_shape(iterations, batch, source->harness, &run->factors);
	int64_t steps = source->harness->steps;
	if (steps > 0 && iterations->n > 0 && (int64_t)iterations->n < steps &&
	    !(iterations->rows[iterations->n - 1].values[ITERATION_STEP] >= (double)steps)) {
		struct text words = {0};
		text_format(&words, "the log ends after %zu of %lld steps", iterations->n, (long long)steps);
		ret->status = RUN_TRUNCATED;
		ret->proof = text_take(&words);
	}
	return 0;
}

static int check_iterations(const struct import_source *source, const struct iterations *iterations,
			    const struct crash_finding *crash, struct error *err)
{
	size_t restart = iterations_restart_line(iterations);
	if (restart > 0 && !source->status_given)
		return error_set(
			err, ERROR_DATA,
			"%s:%zu: the step number goes back: the file holds more than one attempt; give each "
			"attempt a file, or give the run a status in the manifest if its steps restart by design",
			source->file, restart);
	size_t line = iterations_bad_line(iterations, source->harness->discard);
	if (line > 0 && crash->status == RUN_OK && !source->status_given)
		return error_set(
			err, ERROR_DATA,
			"%s:%zu: the response of a kept iteration is not a positive finite number; give the run a "
			"status in the manifest if it was lost",
			source->file, line);
	return 0;
}

static int read_pattern(const struct import_format *format, const struct import_source *source,
			const struct clean_lines *lines, const struct crash_finding *crash, struct run_record *run,
			struct findings *ret, struct error *err)
{
	CLEANUP(iterations_release) struct iterations iterations = {0};
	(void)format;

	int r = pattern_read(lines, source->file, source->harness, &iterations, err);
	if (r < 0)
		return r;
	iterations_flag_gaps(&iterations);
	r = check_iterations(source, &iterations, crash, err);
	return r < 0 ? r : store_iterations(source, &iterations, run, ret);
}

static int read_steps(const struct import_format *format, const struct import_source *source,
		      const struct clean_lines *lines, const struct crash_finding *crash, struct run_record *run,
		      struct findings *ret, struct error *err)
{
	CLEANUP(iterations_release) struct iterations iterations = {0};

	format->steps(lines, &iterations);
	train_shape_read(lines, &iterations.shape);
	iterations_flag_gaps(&iterations);
	int r = check_iterations(source, &iterations, crash, err);
	return r < 0 ? r : store_iterations(source, &iterations, run, ret);
}

static int read_nccl_tests(const struct import_format *format, const struct import_source *source,
			   const struct clean_lines *lines, const struct crash_finding *crash, struct run_record *run,
			   struct findings *ret, struct error *err)
{
	(void)format;
	(void)crash;
	(void)err;
	bench_run_read(source->harness, lines, run, &ret->matched, &ret->rows, &ret->status, &ret->proof);
	return 0;
}

static int read_worker(const struct import_format *format, const struct import_source *source,
		       const struct clean_lines *lines, const struct crash_finding *crash, struct run_record *run,
		       struct findings *ret, struct error *err)
{
	struct worker_reading reading;

	(void)format;
	(void)crash;
	int r = worker_samples_read(source, lines, run, &reading, err);
	if (r < 0)
		return r;
	*ret = (struct findings){.matched = reading.matched,
				 .rows = reading.rows,
				 .status = reading.status,
				 .says_why = reading.status != RUN_OK,
				 .proof = reading.proof};
	return 0;
}

static bool detect_never(const struct clean_lines *lines)
{
	(void)lines;
	return false;
}

/* In the order in which they are tried: a program before the library it is built on. */
static const struct import_format formats[] = {
	{"assay-worker", PLAN_BENCH, worker_samples_detect, read_worker, NULL},
	{"nccl-tests", PLAN_BENCH, nccl_tests_detect, read_nccl_tests, NULL},
	{"megatron", PLAN_SLICE, megatron_detect, read_steps, megatron_read},
	{"nemo", PLAN_SLICE, nemo_detect, read_steps, nemo_read},
	{"dllogger", PLAN_SLICE, dllogger_detect, read_steps, dllogger_read},
	{"tf-dllogger", PLAN_SLICE, dllogger_text_detect, read_steps, dllogger_text_read},
	{"torchtitan", PLAN_SLICE, torchtitan_detect, read_steps, torchtitan_read},
	{"llm.c", PLAN_SLICE, llmc_detect, read_steps, llmc_read},
	{"ezpz", PLAN_SLICE, ezpz_detect, read_steps, ezpz_read},
	{"nanogpt", PLAN_SLICE, nanogpt_detect, read_steps, nanogpt_read},
	{"modded-nanogpt", PLAN_SLICE, modded_nanogpt_detect, read_steps, modded_nanogpt_read},
	{"olmo", PLAN_SLICE, olmo_detect, read_steps, olmo_read},
	{"composer", PLAN_SLICE, composer_detect, read_steps, composer_read},
	{"hf-trainer", PLAN_SLICE, hf_trainer_detect, read_steps, hf_trainer_read},
	{"deepspeed", PLAN_SLICE, deepspeed_detect, read_steps, deepspeed_read},
	{"lightning-bar", PLAN_SLICE, lightning_bar_detect, read_steps, lightning_bar_read},
	{"throughput-lines", PLAN_SLICE, throughput_lines_detect, read_steps, throughput_lines_read},
	{"pattern", PLAN_SLICE, detect_never, read_pattern, NULL},
};
#define N_FORMATS (sizeof(formats) / sizeof(*formats))

const char *format_steps_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	*ret_iterations = (struct iterations){0};
	for (size_t i = 0; i < N_FORMATS; i++)
		if (formats[i].steps && formats[i].detect(lines)) {
			formats[i].steps(lines, ret_iterations);
			train_shape_read(lines, &ret_iterations->shape);
			iterations_flag_gaps(ret_iterations);
			return formats[i].name;
		}
	return NULL;
}

static int choose(const struct import_source *source, const struct clean_lines *lines,
		  const struct import_format **ret_format, struct error *err)
{
	const struct plan_harness *harness = source->harness;
	const char *names[N_FORMATS];

	*ret_format = NULL;
	for (size_t i = 0; i < N_FORMATS; i++) {
		names[i] = formats[i].name;
		if (harness->format    ? strcmp(harness->format, formats[i].name) == 0
		    : harness->pattern ? formats[i].read == read_pattern
				       : formats[i].kind == harness->kind && formats[i].detect(lines)) {
			*ret_format = &formats[i];
			return 0;
		}
	}
	if (!harness->format)
		return 0;
	struct text known = {0};
	for (size_t i = 0; i < N_FORMATS; i++)
		text_format(&known, " %s", names[i]);
	const char *near = nearest_name(harness->format, names, N_FORMATS);
	int r = error_set(err, ERROR_DATA, "harness '%s': format '%s' is not known%s%s%s (known:%s)", harness->name,
			  harness->format, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
			  text_string(&known));
	text_release(&known);
	return r;
}

int format_piece_read(const struct import_source *piece, const struct import_format **format,
		      struct iterations *ret_iterations, struct error *err)
{
	CLEANUP(clean_lines_release) struct clean_lines lines = {0};
	const struct import_format *found = NULL;

	*ret_iterations = (struct iterations){0};
	unmess(piece->bytes, piece->n, &lines);
	int r = choose(piece, &lines, &found, err);
	if (r < 0)
		return r;
	/* As in the whole log: a program comes before the library it is built on. */
	if (found && (!*format || found < *format))
		*format = found;
	if (*format && (*format)->read == read_pattern)
		return pattern_read(&lines, piece->file, piece->harness, ret_iterations, err);
	if (*format && (*format)->steps)
		(*format)->steps(&lines, ret_iterations);
	return 0;
}

static void count_lines(const struct clean_lines *lines, struct import_reading *reading)
{
	size_t others = 0;

	reading->physical = lines->physical;
	for (size_t i = 0; i < lines->n; i++) {
		const struct clean_line *line = &lines->items[i];
		bool blank = line->text[strspn(line->text, " \t#")] == '\0';
		reading->debug += line->nccl != NULL;
		if (line->nccl || blank)
			continue;
		others++;
	}
	reading->skipped = others > reading->matched ? others - reading->matched : 0;
}

static int refuse(const struct import_source *source, const struct clean_lines *lines,
		  const struct import_format *format, struct error *err)
{
	bool blank = true;

	for (size_t i = 0; i < lines->n; i++)
		blank = blank && lines->items[i].raw[strspn(lines->items[i].raw, " \t")] == '\0';
	if (blank)
		return error_set(err, ERROR_DATA,
				 "%s: the log is empty; remove its row, or give the run a status in the manifest",
				 source->file);
	if (!format)
		return error_set(
			err, ERROR_DATA,
			"%s: no known log format recognised; name one in harness '%s' (format), or give a pattern",
			source->file, source->harness->name);
	return error_set(
		err, ERROR_DATA,
		"%s: no line reads as '%s' and no failure is recognised; correct the %s of harness '%s', or give "
		"the run a status in the manifest",
		source->file, format->name, source->harness->pattern ? "pattern" : "format", source->harness->name);
}

static void set_status(const struct crash_finding *crash, struct findings *findings, struct run_record *run)
{
	if (crash->status != RUN_OK) {
		run->status = crash->status;
		run->external = crash->external;
		run->reason = mem_dup_string(crash->proof);
	} else {
		run->status = findings->status;
		run->reason = TAKE(findings->proof);
	}
}

/* An example of a line that nothing read: plain, since NCCL lines may carry an environment. */
static void find_example(const struct clean_lines *lines, const struct findings *findings,
			 struct import_reading *reading, const char *proof)
{
	size_t step = 0;

	for (size_t i = 0; i < lines->n && reading->skipped > 0; i++) {
		const struct clean_line *line = &lines->items[i];
		const char *text = line->text + strspn(line->text, " \t");
		bool structural = text[0] == '#' || text[0] == '{' || (text[0] >= '0' && text[0] <= '9');
		while (step < findings->n_step_lines && findings->step_lines[step] < line->line)
			step++;
		bool read = step < findings->n_step_lines && findings->step_lines[step] == line->line;
		if (line->nccl || !*text || structural || read || strstr(text, "CCL version") ||
		    (proof && strcmp(proof, line->raw) == 0))
			continue;
		reading->skipped_example = mem_dup_string(line->raw);
		reading->skipped_line = line->line;
		return;
	}
}

/* A host that hides a window title in its name must not pass for its neighbour without a word. */
static void flag_steering(const struct clean_lines *lines, struct run_record *run)
{
	CLEANUP(text_release) struct text flag = {0};

	if (lines->steering == 0)
		return;
	text_format(&flag,
		    "%zu terminal control sequence%s removed, the first on line %zu: names there are cleaned text",
		    lines->steering, lines->steering == 1 ? "" : "s", lines->steering_line);
	string_list_add(&run->flags, text_string(&flag));
}

int format_read(const struct import_source *source, struct run_record *run, struct import_reading *ret_reading,
		struct error *err)
{
	CLEANUP(clean_lines_release) struct clean_lines lines = {0};
	const struct import_format *format = NULL;
	struct crash_finding crash = {0};
	CLEANUP(findings_release) struct findings findings = {.status = RUN_OK};

	*ret_reading = (struct import_reading){0};
	unmess(source->bytes, source->n, &lines);
	crash_classify(&lines, &crash);
	int r = choose(source, &lines, &format, err);
	if (r < 0)
		return r;
	if (format) {
		r = format->read(format, source, &lines, &crash, run, &findings, err);
		if (r < 0)
			return r;
	}
	if (findings.rows == 0 && !findings.says_why && crash.status == RUN_OK && !source->status_given)
		return refuse(source, &lines, format, err);
	set_status(&crash, &findings, run);
	facts_fill(source, &lines, run);
	flag_steering(&lines, run);
	ret_reading->format = format ? format->name : "nothing";
	ret_reading->matched = findings.matched;
	count_lines(&lines, ret_reading);
	find_example(&lines, &findings, ret_reading, run->reason);
	return 0;
}

void import_reading_release(struct import_reading *reading)
{
	free(reading->skipped_example);
	*reading = (struct import_reading){0};
}
