/*
 * A fault injector for tests, preloaded into an MPI program: rank 1's N-th large MPI_Allreduce goes wrong.
 *
 *     ASSAY_FAULT=wrong     its result has one bit flipped, in the middle element; so have all later ones
 *     ASSAY_FAULT=die       the rank aborts
 *     ASSAY_FAULT=hang      the rank sleeps for ever
 *     ASSAY_FAULT_AT=N      from 1, the default
 *
 * Calls of fewer than 256 bytes are not counted: with those a program arranges itself.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE_BYTES = 256, VICTIM = 1 };

static void flip(void *result, int count, int size)
{
	unsigned char *element = (unsigned char *)result + (size_t)(count / 2) * (size_t)size;

	element[0] ^= 1;
}

int MPI_Allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	static long calls;
	const char *fault = getenv("ASSAY_FAULT"), *at = getenv("ASSAY_FAULT_AT");
	int size = 0, rank = 0;

	PMPI_Type_size(type, &size);
	PMPI_Comm_rank(comm, &rank);
	if (!fault || rank != VICTIM || (long)count * size < LARGE_BYTES || ++calls < (at ? atol(at) : 1))
		return PMPI_Allreduce(send, recv, count, type, op, comm);
	if (strcmp(fault, "die") == 0)
		abort();
	while (strcmp(fault, "hang") == 0)
		pause();
	int r = PMPI_Allreduce(send, recv, count, type, op, comm);
	if (strcmp(fault, "wrong") == 0)
		flip(recv, count, size);
	return r;
}
