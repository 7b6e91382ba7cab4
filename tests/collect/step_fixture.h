/*
 * Reads a text with a format of step lines and compares what came out.
 */
#ifndef TESTS_STEP_FIXTURE_H
#define TESTS_STEP_FIXTURE_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

typedef void step_reader(const struct clean_lines *lines, struct iterations *ret_iterations);
typedef bool step_detector(const struct clean_lines *lines);

void steps_of(const char *bytes, step_reader *read, struct iterations *ret_iterations);
bool detected(const char *bytes, step_detector *detect);
double value_of(const struct iterations *iterations, size_t row, enum iteration_field field);
/** To 1e-9 of itself; NAN equals NAN. */
bool near(double value, double expected);
/** Whether a flag holds the words. */
bool flagged(const struct iterations *iterations, const char *words);
/** The closing number of a name, or NAN. */
double closing_of(const struct iterations *iterations, const char *name);

#endif
