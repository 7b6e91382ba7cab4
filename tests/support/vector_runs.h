/*
 * Which routine answers which reference vector: reads a case's input, calls the routine, gives its answer as a JSON
 * object in the names of the vectors (NaN and infinities as numbers).
 */
#ifndef SUPPORT_VECTOR_RUNS_H
#define SUPPORT_VECTOR_RUNS_H

#include <cjson/cJSON.h>

#include <stddef.h>

#include "base/error.h"
#include "base/mem.h"

/* Fills got; a negative result is a refusal. */
typedef int vector_run_fn(const cJSON *input, cJSON *got, struct error *err);

struct vector_run {
	const char *file; /* stem of the file name */
	const char *kind; /* NULL: cases have no kind */
	vector_run_fn *run;
};

/** The run for a file's stem and a case's kind (may be NULL); NULL when nobody implements it yet. */
const struct vector_run *vector_run_find(const char *file, const char *kind);

/** A number, or one of "NaN", "Inf", "-Inf" and null; NaN for anything else. */
double vector_number(const cJSON *item);

struct vector_numbers {
	double *v;
	size_t n;
};

static inline void vector_numbers_release(struct vector_numbers *numbers)
{
	mem_free_pointer(&numbers->v);
}

CLEANUP_VALUE(struct vector_numbers, vector_numbers_release)

#define NUMBERS CLEANUP(vector_numbers_release) struct vector_numbers

/** The numbers of an array, of the array in a field; empty when there is none. */
struct vector_numbers vector_numbers_of(const cJSON *array);
struct vector_numbers vector_numbers(const cJSON *input, const char *key);

/** Adds a field; cJSON keeps NaN and infinities in memory. */
void vector_put(cJSON *got, const char *key, double value);
void vector_put_array(cJSON *got, const char *key, const double *v, size_t n);

/** The number in a field. */
double vector_field(const cJSON *input, const char *key);

/* Tables of vector_runs_line.c (lines, series, limits) and vector_runs_tests.c (two samples); end with a NULL file. */
extern const struct vector_run vector_runs_line[];
extern const struct vector_run vector_runs_tests[];

#endif
