/*
 * Tokens of a line: split at blanks, read as numbers. Knows nothing of any format.
 */
#ifndef COLLECT_IMPORT_TOKEN_H
#define COLLECT_IMPORT_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

struct token {
	const char *start;
	size_t length;
};

/** Split at spaces and tabs; at most max tokens. Returns how many. */
size_t token_split(const char *line, struct token *ret_tokens, size_t max);
bool token_is(struct token token, const char *word);
/** The whole of n bytes as a number (thousands commas taken, "nan" taken as NAN). */
bool token_number_bytes(const char *bytes, size_t n, double *ret_number);
bool token_number(struct token token, double *ret_number);
/** Digits only. */
bool token_integer(struct token token, double *ret_number);
/** The number that begins at a place, after blanks; false when none does. */
bool token_number_at(const char *place, double *ret_number);
/** The number after a key in a line, or false. */
bool token_number_after(const char *line, const char *key, double *ret_number);

#endif
