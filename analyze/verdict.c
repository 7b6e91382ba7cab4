#include "analyze/verdict.h"

#include "analyze/stats/power.h"

#include <math.h>
#include <string.h>

const char *verdict_of(const struct verdict_input *input, const char **ret_reason)
{
	const char *ignored;
	const char **reason = ret_reason ? ret_reason : &ignored;
	double up = log1p(input->margin_percent / 100), down = log1p(-input->margin_percent / 100);
	bool significant = input->p_holm < 0.05;
	bool excludes_zero = input->lo95 > 0 || input->hi95 < 0;

	*reason = "";
	switch (input->verdict_case) {
	case VERDICT_VOID:
		*reason = "a validity check failed";
		return "void";
	case VERDICT_NO_NUMBER:
		return "no_number";
	case VERDICT_BARE:
		return "unreadable";
	case VERDICT_MEASURED:
		break;
	}
	if (input->lo90 > down && input->hi90 < up) {
		*reason = excludes_zero ? "90 % interval inside the margin, 95 % interval excludes 0"
					: "90 % interval inside the margin, 95 % interval holds 0";
		return excludes_zero ? "immaterial" : "null";
	}
	if (significant && input->lo95 > up) {
		*reason = "95 % interval beyond the margin, p_holm below 0.05";
		return "win";
	}
	if (significant && input->hi95 < down) {
		*reason = "95 % interval beyond the margin, p_holm below 0.05";
		return "harm";
	}
	if (significant && excludes_zero) {
		*reason = "95 % interval excludes 0 but holds the margin, p_holm below 0.05";
		return input->lo95 > 0 ? "win_size_open" : "harm_size_open";
	}
	*reason = excludes_zero ? "95 % interval excludes 0 but p_holm is not below 0.05"
				: "95 % interval holds 0 and the 90 % interval reaches beyond the margin";
	return "unreadable";
}

bool verdict_adoptable(const char *verdict, const struct string_list *qualifiers, enum plan_nature nature)
{
	if (strcmp(verdict, "win") != 0)
		return false;
	if (qualifiers->n == 0)
		return true;
	return nature == PLAN_DEFECT && qualifiers->n == 1 && strcmp(qualifiers->items[0], "not_the_target") == 0;
}

const char *verdict_hypothesis(enum plan_direction hypothesis, const char *verdict)
{
	bool win = strncmp(verdict, "win", 3) == 0, harm = strncmp(verdict, "harm", 4) == 0;
	bool none = strcmp(verdict, "null") == 0 || strcmp(verdict, "immaterial") == 0;

	if (hypothesis == PLAN_NO_HYPOTHESIS)
		return NULL;
	if (!win && !harm && !none)
		return "undecided";
	bool held = hypothesis == PLAN_FASTER ? win : hypothesis == PLAN_SLOWER ? harm : none;
	return held ? "held" : "refuted";
}

double verdict_blocks_to_settle(double sd_log, double margin_percent)
{
	struct power_test test = {.design = POWER_PAIRED, .sd = sd_log, .alpha = 0.05};
	double n;

	if (!(sd_log > 0) || !(margin_percent > 0))
		return NAN;
	if (power_sample_size(&test, log1p(margin_percent / 100), 0.80, &n, NULL, NULL) < 0)
		return NAN;
	return n;
}
