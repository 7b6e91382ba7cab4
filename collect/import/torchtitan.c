#include "collect/import/torchtitan.h"

#include "base/text.h"
#include "collect/import/step_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct step_key keys[] = {
	{"step", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"tps", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "tokens/s/GPU"},
	{"wps", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "tokens/s/GPU"},
	{"tflops", ITERATION_TFLOPS, 1, STEP_KEY_FIRST, NULL},
	{"loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"global_avg_loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"lr", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
};

/* "step: 10  loss: …" with a rate; "validate step: 10  loss: …" is an evaluation. */
static const char *find(const char *text)
{
	for (const char *s = step_numbered(text, "step"); s; s = step_numbered(s + 1, "step")) {
		const char *before = s;
		while (before > text && (before[-1] == ' ' || before[-1] == 'm'))
			before--;
		bool evaluation = before - text >= 8 && strncmp(before - 8, "validate", 8) == 0;
		bool loss = step_word(s, "loss") || step_word(s, "global_avg_loss");
		if (!evaluation && s[4] == ':' && loss && (step_word(s, "tps") || step_word(s, "wps")))
			return s;
	}
	return NULL;
}

static const struct step_format format = {find, NULL, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_RANKS};

/* Days since 1970-01-01 of a date of the Gregorian calendar (months counted from March, 400 years a cycle). */
static double days_of(int year, int month, int day)
{
	int shifted = month > 2 ? year : year - 1;
	int cycle = shifted / 400, rest = shifted % 400;
	int in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return cycle * 146097.0 + rest * 365 + rest / 4 - rest / 100 + in_year - 719468;
}

/* "2025-02-13 11:33:29,156" before a record: seconds, or NAN. */
static double stamp_of(const char *raw)
{
	for (const char *s = raw; *s; s++) {
		int year, month, day, hour, minute, second, milli, n = 0;
		if (s[0] != '2' || !strchr("0123456789", s[1]) || (s > raw && strchr("0123456789", s[-1])))
			continue;
		if (sscanf(s, "%4d-%2d-%2d %2d:%2d:%2d%*1[,.]%3d%n", &year, &month, &day, &hour, &minute, &second,
			   &milli, &n) == 7 &&
		    n == 23)
			return days_of(year, month, day) * 86400 + hour * 3600.0 + minute * 60.0 + second +
			       milli * 1e-3;
	}
	return NAN;
}

/* A clock that was set shows as a step back or none at all between two steps. */
static void flag_clock(const struct clean_lines *lines, struct iterations *iterations)
{
	double before = NAN;
	size_t i = 0;

	for (size_t k = 0; k < iterations->n; k++) {
		while (i < lines->n && (lines->items[i].line < iterations->rows[k].line || !find(lines->items[i].text)))
			i++;
		double stamp = i < lines->n ? stamp_of(lines->items[i].raw) : NAN;
		if (stamp - before <= 0) {
			CLEANUP(text_release) struct text flag = {0};
			text_format(&flag, "clock step: the time stamp on line %zu is %.3f s after the step before",
				    iterations->rows[k].line, stamp - before);
			string_list_add(&iterations->flags, text_string(&flag));
		}
		before = isnan(stamp) ? before : stamp;
		i += i < lines->n;
	}
}

void torchtitan_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	step_lines_read(lines, &format, ret_iterations);
	flag_clock(lines, ret_iterations);
	for (size_t i = 0; i < lines->n && ret_iterations->total == 0; i++) {
		double total = NAN;
		if (step_value(lines->items[i].raw, "total steps", &total) && total >= 1 && total < 1e15)
			ret_iterations->total = (int64_t)total;
	}
}

bool torchtitan_detect(const struct clean_lines *lines)
{
	return step_lines_detect(lines, &format);
}
