/*
 * What assay's workers print on the standard output of rank 0, and assay reads. One fact a line:
 *
 *     assay-worker 1 <key> <values, separated by one space>
 *
 * The number is the version; a reader refuses another. Lines of others in between are left alone. Keys, in this order:
 *
 *     begin mpi                          backend
 *     library Open MPI v4.1.4            the rest of the line, as the library names itself
 *     test allreduce float32 out_of_place
 *     shape RANKS WARMUP ITERATIONS
 *     host RANK NAME                     one a rank
 *     clock RANK OFFSET_NS RTT_NS        its clock against rank 0's and the round trip it was measured with
 * then, one size after the other:
 *     times BYTES ITERATION T0 T1 ...    ns of every rank from its entry to its return; warm-up iterations come first
 *     arrivals BYTES ITERATION A0 A1 ... ns of every rank's entry after the first one's
 *     check BYTES WRONG                  elements that differ from the expected result, over all ranks
 *     wrong BYTES RANK INDEX GOT WANTED  the first of them, when there are any
 * and last, or instead of all that follows:
 *     error TEXT
 *     end LINES                          lines printed before this one: fewer were read means output was lost
 *
 * BYTES is the size as nccl-tests counts it: the whole buffer of all-reduce and broadcast, the gathered buffer of
 * all-gather, the buffer before reduction of reduce-scatter, a rank's send buffer of all-to-all, a message of
 * send/recv.
 */
#ifndef COLLECT_IMPORT_WORKER_PROTOCOL_H
#define COLLECT_IMPORT_WORKER_PROTOCOL_H

#define WORKER_PROTOCOL_NAME "assay-worker"
#define WORKER_PROTOCOL_VERSION 1

#endif
