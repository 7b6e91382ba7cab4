#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *mem_new(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);
	if (!p)
		abort();
	return p;
}

void *mem_grow(void *array, size_t *capacity, size_t needed, size_t size)
{
	if (needed <= *capacity)
		return array;
	size_t next = *capacity ? *capacity : 8;
	while (next < needed) {
		if (next > SIZE_MAX / 2)
			abort();
		next *= 2;
	}
	if (next > SIZE_MAX / size)
		abort();
	void *p = realloc(array, next * size);
	if (!p)
		abort();
	*capacity = next;
	return p;
}

char *mem_dup_bytes(const char *bytes, size_t n)
{
	char *copy = mem_new(n + 1, 1);
	memcpy(copy, bytes, n);
	return copy;
}

char *mem_dup_string(const char *string)
{
	return string ? mem_dup_bytes(string, strlen(string)) : NULL;
}

void mem_free_pointer(void *pointer_to_pointer)
{
	void *p;
	memcpy(&p, pointer_to_pointer, sizeof(p));
	free(p);
}
