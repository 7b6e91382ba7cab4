/*
 * MPI. Counts of its calls are int: a block of more elements is moved in pieces, one call after the other within the
 * timed iteration. Pieces of a buffer made of every rank's block lie apart, so there a strided type describes them.
 */
#include "collect/worker/bfloat16.h"
#include "collect/worker/transport.h"

#include <limits.h>
#include <mpi.h>
#include <string.h>

enum { TAG_STAMP = 1, TAG_RING = 2, ROOT = 0 };

static struct {
	int rank, ranks;
	MPI_Op bfloat16_sum;
} mpi;

static void add_bfloat16(void *term, void *sum, int *n, MPI_Datatype *type)
{
	(void)type;
	bfloat16_add(term, sum, (size_t)*n);
}

static MPI_Datatype type_of(const struct element *element)
{
	switch (element->type) {
	case ELEMENT_FLOAT64:
		return MPI_DOUBLE;
	case ELEMENT_BFLOAT16:
		return MPI_UINT16_T;
	default:
		return MPI_FLOAT;
	}
}

static MPI_Op sum_of(const struct element *element)
{
	return element->type == ELEMENT_BFLOAT16 ? mpi.bfloat16_sum : MPI_SUM;
}

/* ---- the collectives ---- */

/* n elements of a block, at most what a call can count. */
struct piece {
	const struct exchange *exchange;
	size_t at;
	int n;
	MPI_Datatype type;
	const void *send; /* MPI_IN_PLACE where one buffer is used */
	void *recv;
};

static void run_allreduce(const struct piece *piece)
{
	MPI_Allreduce(piece->send, piece->recv, piece->n, piece->type, sum_of(piece->exchange->element),
		      MPI_COMM_WORLD);
}

static void run_reducescatter(const struct piece *piece)
{
	MPI_Reduce_scatter_block(piece->send, piece->recv, piece->n, piece->type, sum_of(piece->exchange->element),
				 MPI_COMM_WORLD);
}

static void run_broadcast(const struct piece *piece)
{
	MPI_Bcast(piece->recv, piece->n, piece->type, ROOT, MPI_COMM_WORLD);
}

static void run_reduce(const struct piece *piece)
{
	const void *send = piece->send;

	/* In place is a matter of the root; the others give their buffer. */
	if (send == MPI_IN_PLACE && mpi.rank != ROOT)
		send = piece->recv;
	MPI_Reduce(send, mpi.rank == ROOT ? piece->recv : NULL, piece->n, piece->type, sum_of(piece->exchange->element),
		   ROOT, MPI_COMM_WORLD);
}

static void run_sendrecv(const struct piece *piece)
{
	MPI_Sendrecv(piece->send, piece->n, piece->type, (mpi.rank + 1) % mpi.ranks, TAG_RING, piece->recv, piece->n,
		     piece->type, (mpi.rank + mpi.ranks - 1) % mpi.ranks, TAG_RING, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* n elements whose successor in an array lies one block further on. */
static MPI_Datatype strided_type(const struct piece *piece)
{
	MPI_Datatype together, strided;

	MPI_Type_contiguous(piece->n, piece->type, &together);
	MPI_Type_create_resized(together, 0, (MPI_Aint)(piece->exchange->block * piece->exchange->element->bytes),
				&strided);
	MPI_Type_commit(&strided);
	MPI_Type_free(&together);
	return strided;
}

static void run_allgather(const struct piece *piece)
{
	if ((size_t)piece->n == piece->exchange->block) {
		MPI_Allgather(piece->send, piece->n, piece->type, piece->recv, piece->n, piece->type, MPI_COMM_WORLD);
		return;
	}
	MPI_Datatype strided = strided_type(piece);
	MPI_Allgather(piece->send, piece->n, piece->type, piece->recv, 1, strided, MPI_COMM_WORLD);
	MPI_Type_free(&strided);
}

static void run_alltoall(const struct piece *piece)
{
	if ((size_t)piece->n == piece->exchange->block) {
		MPI_Alltoall(piece->send, piece->n, piece->type, piece->recv, piece->n, piece->type, MPI_COMM_WORLD);
		return;
	}
	MPI_Datatype strided = strided_type(piece);
	MPI_Alltoall(piece->send, 1, strided, piece->recv, 1, strided, MPI_COMM_WORLD);
	MPI_Type_free(&strided);
}

static void (*const runners[COLLECTIVE_N])(const struct piece *piece) = {
	[COLLECTIVE_ALLREDUCE] = run_allreduce,
	[COLLECTIVE_ALLGATHER] = run_allgather,
	[COLLECTIVE_REDUCESCATTER] = run_reducescatter,
	[COLLECTIVE_BROADCAST] = run_broadcast,
	[COLLECTIVE_ALLTOALL] = run_alltoall,
	[COLLECTIVE_SENDRECV] = run_sendrecv,
	[COLLECTIVE_REDUCE] = run_reduce,
};

static void mpi_run(const struct exchange *exchange)
{
	struct piece piece = {.exchange = exchange, .type = type_of(exchange->element)};

	for (size_t at = 0; at < exchange->block; at += (size_t)piece.n) {
		size_t left = exchange->block - at, offset = at * exchange->element->bytes;
		piece.n = (int)(left < exchange->max_count ? left : exchange->max_count);
		piece.send = exchange->send ? (const unsigned char *)exchange->send + offset : MPI_IN_PLACE;
		piece.recv = (unsigned char *)exchange->recv + offset;
		runners[exchange->collective->op](&piece);
	}
}

/* ---- the rest ---- */

static void mpi_begin(int *argc, char ***argv, struct transport_place *ret_place)
{
	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &mpi.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &mpi.ranks);
	MPI_Op_create(add_bfloat16, 1, &mpi.bfloat16_sum);
	*ret_place = (struct transport_place){mpi.rank, mpi.ranks};
}

static void mpi_library(struct text *ret_name)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING];
	int n;

	/* Name and version come first; the builder and the date after the comma, or lines of options, tell nothing. */
	MPI_Get_library_version(version, &n);
	version[strcspn(version, ",\r\n")] = '\0';
	for (char *c = version; *c; c++)
		if (*c == '\t')
			*c = ' ';
	text_add(ret_name, version);
}

static void mpi_barrier(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

static void mpi_gather(const void *mine, size_t bytes, void *ret_all)
{
	MPI_Gather(mine, (int)bytes, MPI_BYTE, ret_all, (int)bytes, MPI_BYTE, ROOT, MPI_COMM_WORLD);
}

static int64_t mpi_highest(int64_t mine)
{
	int64_t highest = 0;

	MPI_Allreduce(&mine, &highest, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
	return highest;
}

static void mpi_send(int to, int64_t value)
{
	MPI_Send(&value, 1, MPI_INT64_T, to, TAG_STAMP, MPI_COMM_WORLD);
}

static int64_t mpi_receive(int from)
{
	int64_t value = 0;

	MPI_Recv(&value, 1, MPI_INT64_T, from, TAG_STAMP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return value;
}

static void mpi_finish(void)
{
	MPI_Op_free(&mpi.bfloat16_sum);
	MPI_Finalize();
}

const struct transport transport_mpi = {
	.backend = "mpi",
	.max_count = INT_MAX,
	.begin = mpi_begin,
	.library = mpi_library,
	.run = mpi_run,
	.barrier = mpi_barrier,
	.gather = mpi_gather,
	.highest = mpi_highest,
	.send = mpi_send,
	.receive = mpi_receive,
	.finish = mpi_finish,
};
