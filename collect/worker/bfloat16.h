/*
 * bfloat16: the upper half of a float32. MPI has no such type, so values travel as uint16_t and are added here.
 */
#ifndef COLLECT_WORKER_BFLOAT16_H
#define COLLECT_WORKER_BFLOAT16_H

#include <stddef.h>
#include <stdint.h>

float bfloat16_to_float(uint16_t bits);

/** Rounded to nearest, ties to even; past the largest finite value to infinity; a NaN stays one, made quiet. */
uint16_t bfloat16_from_float(float value);

/** sum[i] += term[i], each added in float32 and rounded once. */
void bfloat16_add(const uint16_t *term, uint16_t *sum, size_t n);

#endif
