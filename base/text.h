/*
 * A growing string of bytes, always terminated.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *bytes; /* NULL while nothing was added: use text_string() */
	size_t length;
	size_t capacity;
};

void text_release(struct text *text);
CLEANUP_VALUE(struct text, text_release)

void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const char *bytes, size_t n);
void text_add_char(struct text *text, char c);
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_clear(struct text *text);

/** The terminated string, "" when empty; valid until the next change. */
const char *text_string(const struct text *text);

/** Whether both strings are there and the same. */
bool text_equal(const char *a, const char *b);

/** Hands the heap string over and empties the text; never NULL. */
char *text_take(struct text *text);

#endif
