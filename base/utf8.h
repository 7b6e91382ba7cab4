/*
 * UTF-8: check, clean, measure. The cleaned text of a log reaches terminals and pages safely.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/** Whether the bytes are valid UTF-8. */
bool utf8_check(const char *bytes, size_t n);

/**
 * Valid UTF-8 on the heap, terminated: each invalid sequence and each control character (below U+0020 except \n and \t,
 * U+007F, U+0080 to U+009F) becomes U+FFFD.
 */
char *utf8_clean(const char *bytes, size_t n);

/** Columns on a terminal; the string is valid UTF-8. Control characters count 0. */
size_t utf8_width_columns(const char *string);

#endif
