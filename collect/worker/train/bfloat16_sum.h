/*
 * The sum of bfloat16 values as an MPI operation on MPI_UINT16_T: added in float32, rounded after every addition, as a
 * network of ranks that exchange bfloat16 does it.
 */
#ifndef COLLECT_WORKER_TRAIN_BFLOAT16_SUM_H
#define COLLECT_WORKER_TRAIN_BFLOAT16_SUM_H

#include <mpi.h>

/** For MPI_Op_create, commutative. */
void bfloat16_sum_op(void *terms, void *sums, int *n, MPI_Datatype *type);

#endif
