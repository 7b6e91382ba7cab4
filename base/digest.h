/*
 * SHA-256, as lower-case hex.
 */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include "base/error.h"
#include "base/mem.h"

#include <stddef.h>

#define DIGEST_HEX 65

void digest_sha256(const void *bytes, size_t n, char ret_hex[DIGEST_HEX]);

struct digest;

struct digest *digest_new(void);
void digest_add(struct digest *digest, const void *bytes, size_t n);
/** The digest of what was added; nothing may be added after. */
void digest_finish(struct digest *digest, char ret_hex[DIGEST_HEX]);
void digest_free(struct digest *digest);
CLEANUP_POINTER(struct digest, digest_free)

/** @return 0; ERROR_ENVIRONMENT when the file cannot be read */
int digest_file(const char *path, char ret_hex[DIGEST_HEX], struct error *err);

#endif
