#include "step_fixture.h"

#include <math.h>
#include <string.h>

void steps_of(const char *bytes, step_reader *read, struct iterations *ret_iterations)
{
	struct clean_lines lines;

	unmess(bytes, strlen(bytes), &lines);
	read(&lines, ret_iterations);
	iterations_flag_gaps(ret_iterations);
	clean_lines_release(&lines);
}

bool detected(const char *bytes, step_detector *detect)
{
	struct clean_lines lines;

	unmess(bytes, strlen(bytes), &lines);
	bool found = detect(&lines);
	clean_lines_release(&lines);
	return found;
}

double value_of(const struct iterations *iterations, size_t row, enum iteration_field field)
{
	return row < iterations->n ? iterations->rows[row].values[field] : -INFINITY;
}

bool near(double value, double expected)
{
	if (isnan(expected))
		return isnan(value);
	return fabs(value - expected) <= 1e-9 * fabs(expected);
}

bool flagged(const struct iterations *iterations, const char *words)
{
	for (size_t i = 0; i < iterations->flags.n; i++)
		if (strstr(iterations->flags.items[i], words))
			return true;
	return false;
}

double closing_of(const struct iterations *iterations, const char *name)
{
	for (size_t i = 0; i < iterations->n_closings; i++)
		if (strcmp(iterations->closings[i].name, name) == 0)
			return iterations->closings[i].value;
	return NAN;
}
