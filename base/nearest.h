/*
 * The known name nearest to a mistyped one, for messages.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/** By edit distance; NULL when nothing is near (more than a third of the letters wrong, at least 2 allowed). */
const char *nearest_name(const char *name, const char *const *known, size_t n);

#endif
