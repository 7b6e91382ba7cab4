/*
 * What the log holds already of the blocks of a schedule. Takes the log, gives per position whether it needs a run.
 */
#ifndef COLLECT_BLOCK_STATE_H
#define COLLECT_BLOCK_STATE_H

#include "assay/collect.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct position_state {
	enum planned_state state;
	int64_t attempts; /* the highest number */
	size_t alike;     /* recorded runs of this kind, kept at the first position that plans it */
};

struct block_state {
	bool ended;                       /* has its block_end: never to be touched again */
	bool begun;                       /* holds a run */
	struct position_state *positions; /* as the planned block's runs */
	size_t n;
	int64_t *seen; /* recorded positions, each once, planned still or not */
	size_t n_seen, seen_capacity;
	char *misfit; /* a recorded run that the plan no longer asks for, in words, or NULL */
};

struct block_states {
	struct block_state *items; /* as the schedule's blocks */
	size_t n;
};

/**
 * @return 0; ERROR_DATA: of the log, or a recorded run of any block is of another recipe than the plan's for its
 * harness and setting; ERROR_ENVIRONMENT of the log
 */
int block_states_read(const char *directory, const struct plan *plan, const struct schedule *schedule,
		      struct block_states *ret_states, struct error *err);
void block_states_release(struct block_states *states);
CLEANUP_VALUE(struct block_states, block_states_release)

/** Positions in a state. */
size_t block_state_count(const struct block_state *state, enum planned_state which);

/** ERROR_DATA when the plan was changed under a block that is not finished. */
int block_state_check(const struct block_state *state, struct error *err);

#endif
