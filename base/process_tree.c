#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "base/process_tree.h"

#include "base/mem.h"
#include "base/number.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct entry {
	pid_t pid, parent, session;
	char state;
	bool found;
};

struct table {
	struct entry *entries;
	size_t n, capacity;
};

static void table_release(struct table *table)
{
	mem_free_pointer(&table->entries);
}
CLEANUP_VALUE(struct table, table_release)

static bool take_pid(const char **at, pid_t *ret_pid)
{
	size_t n = strcspn(*at, " ");
	int64_t value;

	if (!number_parse_int(*at, n, &value))
		return false;
	*ret_pid = (pid_t)value;
	*at += n + ((*at)[n] == ' ');
	return true;
}

/* proc(5): "pid (name) state parent group session ..."; the name may hold blanks and parentheses. */
static bool entry_read(const char *name, struct entry *ret_entry)
{
	char path[64], line[512];
	pid_t group;

	if (snprintf(path, sizeof(path), "/proc/%.20s/stat", name) < 0)
		return false;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (n <= 0)
		return false;
	line[n] = '\0';

	const char *at = line;
	const char *close_of_name = strrchr(line, ')');

	if (!close_of_name || strlen(close_of_name) < 4 || !take_pid(&at, &ret_entry->pid))
		return false;
	ret_entry->state = close_of_name[2];
	ret_entry->found = false;
	at = close_of_name + 4;
	return take_pid(&at, &ret_entry->parent) && take_pid(&at, &group) && take_pid(&at, &ret_entry->session);
}

static void table_read(struct table *table)
{
	DIR *folder = opendir("/proc");
	struct entry entry;

	if (!folder)
		return;
	for (const struct dirent *item; (item = readdir(folder));) {
		if (item->d_name[0] < '1' || item->d_name[0] > '9' || !entry_read(item->d_name, &entry))
			continue;
		table->entries = mem_grow(table->entries, &table->capacity, table->n + 1, sizeof(*table->entries));
		table->entries[table->n++] = entry;
	}
	closedir(folder);
}

/* Marks the children of each found process, until the queue of found ones is through. */
static void table_find(struct table *table, pid_t guard, pid_t *queue)
{
	size_t n = 0;

	for (size_t i = 0; i < table->n; i++) {
		struct entry *entry = &table->entries[i];

		if (entry->pid != guard && (entry->parent == guard || entry->session == guard)) {
			entry->found = true;
			queue[n++] = entry->pid;
		}
	}
	for (size_t done = 0; done < n; done++)
		for (size_t i = 0; i < table->n; i++) {
			struct entry *entry = &table->entries[i];

			if (!entry->found && entry->parent == queue[done] && entry->pid != guard) {
				entry->found = true;
				queue[n++] = entry->pid;
			}
		}
}

size_t process_tree_signal(pid_t guard, int signal)
{
	CLEANUP(table_release) struct table table = {0};
	size_t alive = 0;

	table_read(&table);
	CLEANUP(mem_free) pid_t *queue = mem_new(table.n + 1, sizeof(*queue));
	table_find(&table, guard, queue);
	for (size_t i = 0; i < table.n; i++)
		if (table.entries[i].found && table.entries[i].state != 'Z' && table.entries[i].state != 'X') {
			kill(table.entries[i].pid, signal);
			alive++;
		}
	return alive;
}
