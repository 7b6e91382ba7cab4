/*
 * What the sampler needs of a library that moves data between ranks. One sampler, and a table of these calls a library.
 *
 * A library that fails ends the job by itself, on all ranks and with a message on standard error: these calls return
 * only when they succeeded.
 */
#ifndef COLLECT_WORKER_TRANSPORT_H
#define COLLECT_WORKER_TRANSPORT_H

#include "base/text.h"
#include "collect/worker/collective.h"

#include <stddef.h>
#include <stdint.h>

struct transport_place {
	int rank, ranks;
};

/* One execution of a collective. */
struct exchange {
	const struct collective *collective;
	const struct element *element;
	enum placement placement;
	size_t block;     /* elements, as in struct collective_layout */
	size_t max_count; /* elements that one call of the library may be given as its count */
	const void *send; /* NULL when there is one buffer */
	void *recv;
};

struct transport {
	const char *backend;
	size_t max_count; /* of its calls, in elements; larger blocks are moved in pieces */
	void (*begin)(int *argc, char ***argv, struct transport_place *ret_place);
	void (*library)(struct text *ret_name);
	/** Returns when this rank's result is there. */
	void (*run)(const struct exchange *exchange);
	void (*barrier)(void);
	/** Every rank's bytes to rank 0, by rank; ret_all is written there only. */
	void (*gather)(const void *mine, size_t bytes, void *ret_all);
	/** The highest of all ranks' values, on all ranks. */
	int64_t (*highest)(int64_t mine);
	void (*send)(int to, int64_t value);
	int64_t (*receive)(int from);
	void (*finish)(void);
};

extern const struct transport transport_mpi;

#endif
