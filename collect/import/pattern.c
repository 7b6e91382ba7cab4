#include "collect/import/pattern.h"

#include "collect/import/token.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#define MATCH_LIMIT 20000

static const struct {
	const char *name;
	enum iteration_field field;
} groups[] = {
	{"step", ITERATION_STEP},       {"time", ITERATION_TIME},   {"throughput", ITERATION_THROUGHPUT},
	{"loss", ITERATION_LOSS},       {"lr", ITERATION_LR},       {"tokens", ITERATION_TOKENS},
	{"samples", ITERATION_SAMPLES}, {"batch", ITERATION_BATCH},
};
#define N_GROUPS (sizeof(groups) / sizeof(*groups))

struct matcher {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	int group[N_GROUPS]; /* its number, 0 when the pattern has none */
	double time_scale;
};

static void matcher_release(struct matcher *matcher)
{
	pcre2_match_context_free(matcher->context);
	pcre2_match_data_free(matcher->data);
	pcre2_code_free(matcher->code);
}
CLEANUP_VALUE(struct matcher, matcher_release)

static int find_groups(struct matcher *matcher, const struct plan_harness *harness, struct error *err)
{
	bool response = false;

	for (size_t i = 0; i < N_GROUPS; i++) {
		int number = pcre2_substring_number_from_name(matcher->code, (PCRE2_SPTR)groups[i].name);
		matcher->group[i] = number > 0 ? number : 0;
		if (number > 0 && (groups[i].field == ITERATION_TIME || groups[i].field == ITERATION_THROUGHPUT))
			response = true;
	}
	if (!response)
		return error_set(err, ERROR_DATA, "harness '%s': pattern has neither a group 'time' nor 'throughput'",
				 harness->name);
	return 0;
}

static int set_units(struct matcher *matcher, const struct plan_harness *harness, struct iterations *iterations,
		     struct error *err)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}};
	const char *unit = string_map_get(&harness->units, "time");

	matcher->time_scale = unit ? NAN : 1;
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(unit, units[i].unit) == 0)
			matcher->time_scale = units[i].seconds;
	if (isnan(matcher->time_scale))
		return error_set(err, ERROR_DATA, "harness '%s': units.time is '%s', not one of s ms us", harness->name,
				 unit);
	iterations->throughput_unit = mem_dup_string(string_map_get(&harness->units, "throughput"));
	return 0;
}

static int matcher_init(struct matcher *matcher, const struct plan_harness *harness, struct iterations *iterations,
			struct error *err)
{
	int code = 0;
	PCRE2_SIZE offset = 0;

	*matcher = (struct matcher){0};
	if (!harness->pattern)
		return error_set(err, ERROR_DATA, "harness '%s': format 'pattern' needs a pattern", harness->name);
	matcher->code = pcre2_compile((PCRE2_SPTR)harness->pattern, PCRE2_ZERO_TERMINATED, 0, &code, &offset, NULL);
	if (!matcher->code) {
		char message[128];
		pcre2_get_error_message(code, (PCRE2_UCHAR *)message, sizeof(message));
		return error_set(err, ERROR_DATA, "harness '%s': pattern, at character %zu: %s", harness->name,
				 (size_t)offset + 1, message);
	}
	pcre2_jit_compile(matcher->code, PCRE2_JIT_COMPLETE);
	matcher->data = pcre2_match_data_create_from_pattern(matcher->code, NULL);
	matcher->context = pcre2_match_context_create(NULL);
	pcre2_set_match_limit(matcher->context, MATCH_LIMIT);
	int r = find_groups(matcher, harness, err);
	return r < 0 ? r : set_units(matcher, harness, iterations, err);
}

static bool non_finite_word(const char *bytes, size_t n)
{
	return (n == 3 && (strncasecmp(bytes, "inf", 3) == 0 || strncasecmp(bytes, "nan", 3) == 0)) ||
	       (n == 4 && (strncasecmp(bytes, "-inf", 4) == 0 || strncasecmp(bytes, "-nan", 4) == 0));
}

static int take_match(const struct matcher *matcher, const char *file, const struct clean_line *line,
		      const char *subject, struct iterations *iterations, struct error *err)
{
	const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(matcher->data);
	struct iteration *row = iterations_add(iterations, line->line);

	for (size_t i = 0; i < N_GROUPS; i++) {
		size_t k = (size_t)matcher->group[i];
		if (k == 0 || offsets[2 * k] == PCRE2_UNSET)
			continue;
		const char *start = subject + offsets[2 * k];
		size_t n = offsets[2 * k + 1] - offsets[2 * k];
		double value = NAN;
		if (!non_finite_word(start, n) && !token_number_bytes(start, n, &value))
			return error_set(err, ERROR_DATA, "%s:%zu:%zu: '%.*s' (group '%s') is not a number", file,
					 line->line, (size_t)(start - line->raw) + 1, (int)(n > 40 ? 40 : n), start,
					 groups[i].name);
		if (groups[i].field == ITERATION_TIME)
			value *= matcher->time_scale;
		iterations_set(iterations, row, groups[i].field, value);
	}
	return 0;
}

/* 1: matched, 0: not, or an error. */
static int try_subject(const struct matcher *matcher, const char *file, const struct clean_line *line,
		       const char *subject, struct iterations *iterations, struct error *err)
{
	int r = pcre2_match(matcher->code, (PCRE2_SPTR)subject, strlen(subject), 0, 0, matcher->data, matcher->context);

	if (r == PCRE2_ERROR_NOMATCH)
		return 0;
	if (r < 0)
		return error_set(err, ERROR_DATA,
				 "%s:%zu: the pattern needs too many steps on this line (limit %d): make it stricter",
				 file, line->line, MATCH_LIMIT);
	r = take_match(matcher, file, line, subject, iterations, err);
	return r < 0 ? r : 1;
}

int pattern_read(const struct clean_lines *lines, const char *file, const struct plan_harness *harness,
		 struct iterations *ret_iterations, struct error *err)
{
	CLEANUP(matcher_release) struct matcher matcher;

	*ret_iterations = (struct iterations){0};
	int r = matcher_init(&matcher, harness, ret_iterations, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < lines->n; i++) {
		const struct clean_line *line = &lines->items[i];
		if (line->nccl)
			continue;
		/* What looks like a rank's label may be the step itself: as printed first. */
		const char *subjects[] = {line->raw, line->text, line->text + strspn(line->text, " \t")};
		const char *last = NULL;
		for (size_t k = 0; k < 3; k++) {
			if (subjects[k] == last)
				continue;
			last = subjects[k];
			r = try_subject(&matcher, file, line, last, ret_iterations, err);
			if (r < 0)
				return r;
			if (r > 0)
				break;
		}
	}
	return 0;
}
