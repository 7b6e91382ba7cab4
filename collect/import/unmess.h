/*
 * Takes the bytes of a captured log, gives clean logical lines with the number of the physical line each began on.
 * Terminal escapes, launcher tags, rank prefixes, progress overwrites and NCCL lines glued into other output are undone
 * here, once, before any format looks. Knows no format but the shape of an NCCL log line.
 */
#ifndef COLLECT_IMPORT_UNMESS_H
#define COLLECT_IMPORT_UNMESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct clean_line {
	char *raw;        /* escapes and tags removed, prefixes kept */
	const char *text; /* inside raw: after rank prefixes and indentation of a page */
	size_t line;      /* physical, from 1 */
	int64_t stream;   /* rank in the launcher's tag that was taken out, -1 when there was none */
	/* of an NCCL log line, else NULL and -1 */
	char *host;
	int64_t pid, device;
	const char *nccl; /* inside raw: from "NCCL INFO" (or WARN, TRACE) on */
};

struct clean_lines {
	struct clean_line *items;
	size_t n, capacity;
	size_t physical;      /* physical lines of the file */
	bool ends_with_line;  /* the last byte was a newline */
	size_t steering;      /* escape sequences removed that are neither colour nor erasure of a line */
	size_t steering_line; /* of the first one */
};

void unmess(const char *bytes, size_t n, struct clean_lines *ret_lines);
void clean_lines_release(struct clean_lines *lines);

#endif
