/*
 * Whole files: read, atomic replacement, folders, paths.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/error.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>

/** The bytes of a file, with a terminating 0 after them. ERROR_ENVIRONMENT when it cannot be read. */
int file_read(const char *path, char **ret_bytes, size_t *ret_n, struct error *err);

/** Atomic replacement: a temporary file beside it, fsync, rename, fsync of the folder. ERROR_ENVIRONMENT. */
int file_replace(const char *path, const void *bytes, size_t n, struct error *err);

/** Write all bytes to a descriptor; `path` is for the message. ERROR_ENVIRONMENT. */
int file_write_all(int fd, const char *path, const void *bytes, size_t n, struct error *err);

/** fsync of the folder that holds `path`. ERROR_ENVIRONMENT. */
int file_sync_folder_of(const char *path, struct error *err);

bool file_exists(const char *path);

/** Make a folder and its parents; one that is there already is no error. ERROR_ENVIRONMENT. */
int file_make_folder(const char *path, struct error *err);

/** "a/b" on the heap; b alone when b is absolute or a is empty. */
char *path_join(const char *a, const char *b);

#endif
