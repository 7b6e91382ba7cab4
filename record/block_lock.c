/* One process works on a block: a lock that the kernel drops when its holder and the holder's children are gone. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "record/segment.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define HOLDER_MAX 320

struct block_lock {
	/*
	 * A lock of the open file, not of the process: a forked child that executes nothing, such as the guard of a
	 * running program, keeps the block taken until it has cleaned up after a killed collector. Programs that are
	 * executed lose it (O_CLOEXEC), so that a stray daemon of theirs holds no block.
	 */
	int fd;
	char *path;
};

/* What the holder wrote; it may be a moment behind its lock. */
static char *read_holder(int fd)
{
	char bytes[HOLDER_MAX + 1];
	ssize_t n = pread(fd, bytes, HOLDER_MAX, 0);

	bytes[n > 0 ? n : 0] = '\0';
	bytes[strcspn(bytes, "\n")] = '\0';
	return mem_dup_string(*bytes ? bytes : "another process");
}

static int write_holder(const struct block_lock *lock, struct error *err)
{
	CLEANUP(text_release) struct text holder = {0};
	char host[256] = "";

	if (gethostname(host, sizeof(host) - 1) < 0)
		strcpy(host, "unknown");
	text_format(&holder, "%s, pid %ld\n", host, (long)getpid());
	if (ftruncate(lock->fd, 0) < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot write '%s': %s", lock->path, strerror(errno));
	return file_write_all(lock->fd, lock->path, holder.bytes, holder.length, err);
}

/* Whether a segment is "<block>.<attempt>". */
static bool is_of_block(const char *segment, const char *block)
{
	size_t n = strlen(block);

	if (strncmp(segment, block, n) != 0 || segment[n] != '.' || segment[n + 1] == '\0')
		return false;
	return segment[n + 1 + strspn(segment + n + 1, "0123456789")] == '\0';
}

static int repair_segments(const char *directory, const char *block, struct string_list *ret_repaired,
			   struct error *err)
{
	struct campaign_input *inputs = NULL;
	size_t n = 0;

	int r = segment_list(directory, &inputs, &n, err);
	for (size_t i = 0; r == 0 && i < n; i++) {
		size_t moved = 0;

		if (!is_of_block(inputs[i].segment, block))
			continue;
		r = segment_repair(directory, inputs[i].segment, &moved, err);
		if (moved > 0 && ret_repaired)
			string_list_add(ret_repaired, inputs[i].segment);
	}
	campaign_inputs_free(inputs, n);
	return r;
}

int block_lock_claim(const char *directory, const char *block, struct block_lock **ret_lock, char **ret_holder,
		     struct string_list *ret_repaired, struct error *err)
{
	CLEANUP(mem_free) char *folder = path_join(directory, "log");
	CLEANUP(block_lock_release) struct block_lock *lock = NULL;

	if (!segment_name_ok(block))
		return error_set(err, ERROR_ENVIRONMENT,
				 "block name '%s' may hold only letters, digits, '.', '_' and '-'", block);
	int r = file_make_folder(folder, err);
	if (r < 0)
		return r;
	lock = mem_new(1, sizeof(*lock));
	lock->path = segment_path(directory, block, ".lock");
	lock->fd = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (lock->fd < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot open '%s': %s", lock->path, strerror(errno));
	if (flock(lock->fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			return error_set(err, ERROR_ENVIRONMENT, "cannot lock '%s': %s", lock->path, strerror(errno));
		*ret_holder = read_holder(lock->fd);
		return BLOCK_BUSY;
	}
	r = write_holder(lock, err);
	if (r == 0)
		r = repair_segments(directory, block, ret_repaired, err);
	if (r < 0)
		return r;
	*ret_lock = TAKE(lock);
	return BLOCK_CLAIMED;
}

void block_lock_release(struct block_lock *lock)
{
	if (!lock)
		return;
	if (lock->fd >= 0)
		close(lock->fd);
	free(lock->path);
	free(lock);
}
