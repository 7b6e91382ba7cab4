/*
 * The element types of a test: their names, sizes, and small integers in them.
 */
#ifndef COLLECT_WORKER_ELEMENT_H
#define COLLECT_WORKER_ELEMENT_H

#include <stddef.h>

enum element_type { ELEMENT_FLOAT32, ELEMENT_FLOAT64, ELEMENT_BFLOAT16, ELEMENT_N };

struct element {
	const char *name; /* as the plan writes it */
	enum element_type type;
	size_t bytes;
	void (*store)(void *at, int value); /* |value| <= 256 is exact in every type */
	double (*load)(const void *at);
};

extern const struct element elements[ELEMENT_N];

/** NULL: no such type. */
const struct element *element_find(const char *name);

/** Repeat the first `pattern` bytes of a buffer up to its end. */
void element_tile(unsigned char *buffer, size_t bytes, size_t pattern);

#endif
