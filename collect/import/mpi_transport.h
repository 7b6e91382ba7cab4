/*
 * What Open MPI's verbose lines (btl_base_verbose, pml_base_verbose, mtl_base_verbose at 20) say of the transport that
 * carried the messages. Takes clean lines, fills the network of a run.
 */
#ifndef COLLECT_IMPORT_MPI_TRANSPORT_H
#define COLLECT_IMPORT_MPI_TRANSPORT_H

#include "assay/record.h"
#include "collect/import/unmess.h"

/**
 * Fill factors->net (kind, raw, ranks_reporting) when no network is known yet, and "tcp_interface" among the further
 * factors when TCP carried messages. Shared memory inside a node is no network beside one between nodes: it is kept in
 * `raw` and left out of `kind`. Without such lines nothing changes.
 */
void mpi_transport_fill(const struct clean_lines *lines, struct run_factors *factors);

#endif
