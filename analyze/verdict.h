/*
 * The verdict of one effect from its intervals, the first row of the table that holds, and what adoptable means. Takes
 * logs; knows nothing of runs.
 */
#ifndef ANALYZE_VERDICT_H
#define ANALYZE_VERDICT_H

#include "assay/record.h"

enum verdict_case {
	VERDICT_VOID,      /* no usable pair, and a validity check failed */
	VERDICT_NO_NUMBER, /* no usable arm */
	VERDICT_BARE,      /* a number without interval */
	VERDICT_MEASURED,
};

struct verdict_input {
	enum verdict_case verdict_case;
	double lo95, hi95, lo90, hi90; /* log gain */
	double p_holm;
	double margin_percent;
};

/** The verdict's name and, when ret_reason is not NULL, the row that held in words (static strings). */
const char *verdict_of(const struct verdict_input *input, const char **ret_reason);

/** A win without qualifier, or of a defect whose only qualifier is not_the_target. */
bool verdict_adoptable(const char *verdict, const struct string_list *qualifiers, enum plan_nature nature);

/** Whether a hypothesis held: "held", "refuted", "undecided"; NULL without one. */
const char *verdict_hypothesis(enum plan_direction hypothesis, const char *verdict);

/** Blocks that would settle a paired comparison (power 0.80 at ln(1+delta)); NAN when there is none. */
double verdict_blocks_to_settle(double sd_log, double margin_percent);

#endif
