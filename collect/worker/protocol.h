/*
 * The lines of collect/import/worker_protocol.h, written and counted.
 */
#ifndef COLLECT_WORKER_PROTOCOL_H
#define COLLECT_WORKER_PROTOCOL_H

#include "base/text.h"

#include <stdint.h>
#include <stdio.h>

struct protocol {
	FILE *out; /* NULL: this rank prints nothing */
	int64_t lines;
};

/** One fact; `format` starts with the key. */
void protocol_line(struct protocol *protocol, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** "KEY BYTES ITERATION V0 V1 ...". */
void protocol_values(struct protocol *protocol, const char *key, int64_t bytes, int iteration, const int64_t *values,
		     int n);

/** The last line. */
void protocol_end(struct protocol *protocol);

void protocol_flush(struct protocol *protocol);

#endif
