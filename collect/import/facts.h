/*
 * Fills the factors of a run from the verbose lines of NCCL and Open MPI, and what no log says from the plan.
 */
#ifndef COLLECT_IMPORT_FACTS_H
#define COLLECT_IMPORT_FACTS_H

#include "collect/import/format.h"
#include "collect/import/unmess.h"

void facts_fill(const struct import_source *source, const struct clean_lines *lines, struct run_record *run);

#endif
