/*
 * Numbers from text, whatever the locale: the whole token or nothing.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number_allow { NUMBER_FINITE, NUMBER_NON_FINITE };

/** Decimal token (sign, digits, point, exponent), no blanks; false when it is not one or overflows. */
bool number_parse_double(const char *bytes, size_t n, double *ret_value);

/** The same; with NUMBER_NON_FINITE also inf, infinity and nan in any case, signed. */
bool number_parse_double_allow(const char *bytes, size_t n, enum number_allow allow, double *ret_value);

/** Decimal integer with optional sign; false when it is not one or does not fit. */
bool number_parse_int(const char *bytes, size_t n, int64_t *ret_value);

#endif
