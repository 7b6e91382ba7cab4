#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "base/file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void fd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

int file_read(const char *path, char **ret_bytes, size_t *ret_n, struct error *err)
{
	__attribute__((cleanup(fd_close))) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot open '%s': %s", path, strerror(errno));
	if (fstat(fd, &status) < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot read '%s': %s", path, strerror(errno));
	if (S_ISDIR(status.st_mode))
		return error_set(err, ERROR_ENVIRONMENT, "cannot read '%s': it is a folder", path);

	/* The size is a hint: pipes and /proc say 0. */
	size_t capacity = 0, n = 0;
	char *bytes = mem_grow(NULL, &capacity, (size_t)status.st_size + 2, 1);

	for (;;) {
		bytes = mem_grow(bytes, &capacity, n + 2, 1);
		ssize_t got = read(fd, bytes + n, capacity - n - 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			free(bytes);
			return error_set(err, ERROR_ENVIRONMENT, "cannot read '%s': %s", path, strerror(errno));
		}
		if (got == 0)
			break;
		n += (size_t)got;
	}
	bytes[n] = '\0';
	*ret_bytes = bytes;
	*ret_n = n;
	return 0;
}

int file_write_all(int fd, const char *path, const void *bytes, size_t n, struct error *err)
{
	const char *at = bytes;

	while (n > 0) {
		ssize_t put = write(fd, at, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return error_set(err, ERROR_ENVIRONMENT, "cannot write '%s': %s", path, strerror(errno));
		at += put;
		n -= (size_t)put;
	}
	return 0;
}

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return mem_dup_string(".");
	return slash == path ? mem_dup_string("/") : mem_dup_bytes(path, (size_t)(slash - path));
}

int file_sync_folder_of(const char *path, struct error *err)
{
	CLEANUP(mem_free) char *folder = folder_of(path);
	__attribute__((cleanup(fd_close))) int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot open '%s': %s", folder, strerror(errno));
	/* Some network filesystems refuse to sync a folder; the file itself is safe by then. */
	if (fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP)
		return error_set(err, ERROR_ENVIRONMENT, "cannot sync '%s': %s", folder, strerror(errno));
	return 0;
}

static int write_and_sync(int fd, const char *path, const void *bytes, size_t n, struct error *err)
{
	mode_t mask = umask(0);

	umask(mask);
	int r = file_write_all(fd, path, bytes, n, err);
	if (r < 0)
		return r;
	if (fchmod(fd, 0666 & ~mask) < 0 || fsync(fd) < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot write '%s': %s", path, strerror(errno));
	return 0;
}

int file_replace(const char *path, const void *bytes, size_t n, struct error *err)
{
	CLEANUP(text_release) struct text temporary = {0};

	text_format(&temporary, "%s.XXXXXX", path);
	int fd = mkostemp(temporary.bytes, O_CLOEXEC);
	if (fd < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot write '%s': %s", path, strerror(errno));

	int r = write_and_sync(fd, path, bytes, n, err);
	if (close(fd) < 0 && r == 0)
		r = error_set(err, ERROR_ENVIRONMENT, "cannot write '%s': %s", path, strerror(errno));
	if (r == 0 && rename(temporary.bytes, path) < 0)
		r = error_set(err, ERROR_ENVIRONMENT, "cannot replace '%s': %s", path, strerror(errno));
	if (r < 0) {
		unlink(temporary.bytes);
		return r;
	}
	return file_sync_folder_of(path, err);
}

bool file_exists(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0;
}

int file_make_folder(const char *path, struct error *err)
{
	CLEANUP(mem_free) char *part = mem_dup_string(path);
	struct stat status;

	for (char *at = part;;) {
		at = strchr(at + (*at == '/'), '/');
		if (at)
			*at = '\0';
		if (*part && mkdir(part, 0777) < 0 && errno != EEXIST)
			return error_set(err, ERROR_ENVIRONMENT, "cannot make folder '%s': %s", part, strerror(errno));
		if (!at)
			break;
		*at = '/';
	}
	if (stat(path, &status) < 0 || !S_ISDIR(status.st_mode))
		return error_set(err, ERROR_ENVIRONMENT, "cannot make folder '%s': a file is in its place", path);
	return 0;
}

char *path_join(const char *a, const char *b)
{
	struct text path = {0};

	if (b[0] != '/' && a[0] != '\0') {
		text_add(&path, a);
		if (a[strlen(a) - 1] != '/')
			text_add_char(&path, '/');
	}
	text_add(&path, b);
	return text_take(&path);
}
