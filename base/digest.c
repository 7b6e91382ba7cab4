#include "base/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct digest {
	EVP_MD_CTX *context;
};

struct digest *digest_new(void)
{
	struct digest *digest = mem_new(1, sizeof(*digest));

	digest->context = EVP_MD_CTX_new();
	if (!digest->context || EVP_DigestInit_ex(digest->context, EVP_sha256(), NULL) != 1)
		abort();
	return digest;
}

void digest_add(struct digest *digest, const void *bytes, size_t n)
{
	if (n > 0 && EVP_DigestUpdate(digest->context, bytes, n) != 1)
		abort();
}

void digest_finish(struct digest *digest, char ret_hex[DIGEST_HEX])
{
	unsigned char raw[EVP_MAX_MD_SIZE];
	unsigned n = 0;

	if (EVP_DigestFinal_ex(digest->context, raw, &n) != 1 || n != 32)
		abort();
	for (unsigned i = 0; i < n; i++) {
		ret_hex[2 * i] = "0123456789abcdef"[raw[i] >> 4];
		ret_hex[2 * i + 1] = "0123456789abcdef"[raw[i] & 15];
	}
	ret_hex[DIGEST_HEX - 1] = '\0';
}

void digest_free(struct digest *digest)
{
	if (!digest)
		return;
	EVP_MD_CTX_free(digest->context);
	free(digest);
}

void digest_sha256(const void *bytes, size_t n, char ret_hex[DIGEST_HEX])
{
	CLEANUP(digest_free) struct digest *digest = digest_new();

	digest_add(digest, bytes, n);
	digest_finish(digest, ret_hex);
}

int digest_file(const char *path, char ret_hex[DIGEST_HEX], struct error *err)
{
	CLEANUP(digest_free) struct digest *digest = digest_new();
	char buffer[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot open '%s': %s", path, strerror(errno));
	for (;;) {
		ssize_t got = read(fd, buffer, sizeof(buffer));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int r = error_set(err, ERROR_ENVIRONMENT, "cannot read '%s': %s", path, strerror(errno));

			close(fd);
			return r;
		}
		if (got == 0)
			break;
		digest_add(digest, buffer, (size_t)got);
	}
	close(fd);
	digest_finish(digest, ret_hex);
	return 0;
}
