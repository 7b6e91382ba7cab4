#include "collect/worker/train/place.h"

#include <mpi.h>
#include <sched.h>

enum place_wait place_wait_for(int cores, int host_ranks)
{
	return cores >= 2 * host_ranks ? PLACE_WAIT_SPIN : PLACE_WAIT_SLEEP;
}

const char *place_wait_name(enum place_wait wait)
{
	return wait == PLACE_WAIT_SPIN ? "asks without a pause" : "asks every 50 us";
}

void place_find(struct place *ret_place)
{
	struct place place = {.cores = 1};
	cpu_set_t cores;
	MPI_Comm host;

	MPI_Comm_rank(MPI_COMM_WORLD, &place.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &place.n_ranks);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, place.rank, MPI_INFO_NULL, &host);
	MPI_Comm_size(host, &place.host_ranks);
	MPI_Comm_free(&host);
	if (sched_getaffinity(0, sizeof(cores), &cores) == 0)
		place.cores = CPU_COUNT(&cores);
	int wait = (int)place_wait_for(place.cores, place.host_ranks), least = wait;
	MPI_Allreduce(&wait, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	place.wait = (enum place_wait)least;
	*ret_place = place;
}
