/*
 * The collectives that a worker measures: how large their buffers are, what goes in and what must come out. Knows no
 * transport.
 *
 * Values are small integers, exact in every element type, and so is every partial sum of a reduction in any order and
 * for any number of ranks: at most 128 ranks add to an element, one of them up to 127, the others 1. Periods are
 * prime, so that data moved by a power of two, a piece or a block is seen.
 */
#ifndef COLLECT_WORKER_COLLECTIVE_H
#define COLLECT_WORKER_COLLECTIVE_H

#include "base/error.h"
#include "collect/worker/element.h"

#include <stdint.h>

enum collective_op {
	COLLECTIVE_ALLREDUCE,
	COLLECTIVE_ALLGATHER,
	COLLECTIVE_REDUCESCATTER,
	COLLECTIVE_BROADCAST,
	COLLECTIVE_ALLTOALL,
	COLLECTIVE_SENDRECV,
	COLLECTIVE_REDUCE,
	COLLECTIVE_N
};

enum placement { PLACEMENT_OUT_OF_PLACE, PLACEMENT_IN_PLACE };

/* The part of BYTES that a buffer holds. */
enum collective_share { SHARE_WHOLE, SHARE_OF_A_RANK };

/* Which placements exist. */
enum collective_buffers {
	BUFFERS_EITHER, /* two buffers, or one in place */
	BUFFERS_TWO,    /* no form in place */
	BUFFERS_ONE,    /* one buffer whichever placement is asked: the calls are the same */
};

enum collective_ranks { RANKS_ALL, RANKS_ROOT /* rank 0 */ };

/* A collective between certain ranks at a certain size, as one rank sees it. */
struct collective_view {
	int rank, ranks;
	size_t block; /* elements: the whole buffer, or a rank's share where a buffer is made of shares */
};

struct collective {
	const char *name; /* as the plan writes it */
	enum collective_op op;
	enum collective_share send, recv;
	enum collective_buffers buffers;
	enum collective_ranks gives, gets; /* who has input, who has a result */
	int (*input)(const struct collective_view *view, size_t index);
	size_t (*period)(int ranks); /* of input, in elements */
	/** The result's element: `from` is the block of the receive buffer, `index` lies in the block. */
	int (*result)(const struct collective_view *view, int from, size_t index);
};

extern const struct collective collectives[COLLECTIVE_N];

/** NULL: no such collective. */
const struct collective *collective_find(const char *name);

/* Sizes in elements. */
struct collective_layout {
	size_t send, recv, block;
	size_t buffer;   /* of the receive buffer, which in place also holds the input */
	size_t input_at; /* where in the receive buffer the input lies in place */
	int blocks;      /* of the receive buffer */
	int one_buffer;  /* nonzero: there is no send buffer */
};

/**
 * @param bytes  the size as worker_protocol.h counts it
 * @return 0; ERROR_USAGE: not in whole elements for every rank, or no such placement
 */
int collective_lay_out(const struct collective *collective, const struct element *element, enum placement placement,
		       int64_t bytes, int rank, int ranks, struct collective_layout *ret_layout, struct error *err);

/** Write the input, and -1, which no result is, everywhere else. send: NULL when there is one buffer. */
void collective_fill(const struct collective *collective, const struct element *element,
		     const struct collective_layout *layout, const struct collective_view *view, unsigned char *send,
		     unsigned char *recv);

struct collective_check {
	int64_t wrong;      /* elements */
	int64_t index;      /* of the first wrong one in the receive buffer */
	double got, wanted; /* its value; both 0 when none is wrong */
};

void collective_check(const struct collective *collective, const struct element *element,
		      const struct collective_layout *layout, const struct collective_view *view,
		      const unsigned char *recv, struct collective_check *ret_check);

#endif
