/*
 * Memory: allocation that aborts when there is none, owners that release themselves at the end of their scope.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/** Zeroed memory for n objects of size bytes; never NULL (aborts when exhausted or when n * size overflows). */
void *mem_new(size_t n, size_t size);

/** Room for `needed` objects: doubles *capacity as necessary; new memory is not zeroed. Returns the (moved) array. */
void *mem_grow(void *array, size_t *capacity, size_t needed, size_t size);

/** Copies; NULL gives NULL. */
char *mem_dup_string(const char *string);
char *mem_dup_bytes(const char *bytes, size_t n);

void mem_free_pointer(void *pointer_to_pointer);

/* One owner: `CLEANUP(sample_free) struct sample *s` frees at scope end; for embedded structs use the release function.
 */
#define CLEANUP(function) __attribute__((cleanup(function##_cleanup)))

/* Defines the scope-end function for `free`-style functions taking the pointer itself. */
#define CLEANUP_POINTER(type, function)                                             \
	static inline __attribute__((unused)) void function##_cleanup(type **owner) \
	{                                                                           \
		if (*owner)                                                         \
			function(*owner);                                           \
	}

/* Defines the scope-end function for `release`-style functions of embedded structs. */
#define CLEANUP_VALUE(type, function)                                              \
	static inline __attribute__((unused)) void function##_cleanup(type *owner) \
	{                                                                          \
		function(owner);                                                   \
	}

/* Hands ownership over: the value moves out, the owner is left empty. */
#define TAKE(owner)                                 \
	__extension__({                             \
		__typeof__(owner) taken_ = (owner); \
		(owner) = NULL;                     \
		taken_;                             \
	})

static inline __attribute__((unused)) void mem_free_cleanup(void *owner)
{
	mem_free_pointer(owner);
}

#endif
