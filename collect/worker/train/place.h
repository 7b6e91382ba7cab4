/*
 * Where this rank runs, and how its communication thread should wait there.
 */
#ifndef COLLECT_WORKER_TRAIN_PLACE_H
#define COLLECT_WORKER_TRAIN_PLACE_H

/*
 * MPI makes progress only when it is called, so somebody must ask until a transfer ends. Asking without a pause is
 * quickest, but takes a core: with fewer cores than threads it takes the one that computes, and what overlaps is no
 * longer the network.
 */
enum place_wait { PLACE_WAIT_SLEEP, PLACE_WAIT_SPIN };

enum { PLACE_SLEEP_NS = 50000 };

struct place {
	int rank, n_ranks;
	int host_ranks; /* ranks on this host */
	int cores;      /* that this rank may use, alone or with others of the host */
	enum place_wait wait;
};

/** Between MPI_Init and the start of the communication thread. The answer is the same on every rank. */
void place_find(struct place *ret_place);

/** Spin only where the cores suffice for two threads of each rank. */
enum place_wait place_wait_for(int cores, int host_ranks);

const char *place_wait_name(enum place_wait wait);

#endif
