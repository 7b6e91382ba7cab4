#include "base/nearest.h"

#include "base/mem.h"

#include <string.h>

/* Levenshtein, one row. */
static size_t distance(const char *a, const char *b)
{
	size_t n = strlen(b);
	CLEANUP(mem_free) size_t *row = mem_new(n + 1, sizeof(*row));

	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 1; j <= n; j++) {
			size_t replaced = diagonal + (a[i] != b[j - 1]);
			size_t least = row[j] + 1 < row[j - 1] + 1 ? row[j] + 1 : row[j - 1] + 1;

			diagonal = row[j];
			row[j] = replaced < least ? replaced : least;
		}
	}
	return row[n];
}

const char *nearest_name(const char *name, const char *const *known, size_t n)
{
	size_t length = strlen(name), allowed = length / 3 > 2 ? length / 3 : 2;
	const char *best = NULL;

	if (length > 256)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t d = distance(name, known[i]);

		if (d <= allowed && d < strlen(known[i]) && (d < allowed || !best)) {
			best = known[i];
			allowed = d;
		}
	}
	return best;
}
