/*
 * Turns what nccl-tests printed into tables, factors and status of a run.
 */
#ifndef COLLECT_IMPORT_BENCH_RUN_H
#define COLLECT_IMPORT_BENCH_RUN_H

#include "assay/record.h"
#include "collect/import/unmess.h"

/**
 * @param ret_matched  lines used
 * @param ret_rows     table rows read
 * @param ret_status   ok, wrong or truncated, with its proof (heap, or NULL)
 */
void bench_run_read(const struct plan_harness *harness, const struct clean_lines *lines, struct run_record *run,
		    size_t *ret_matched, size_t *ret_rows, enum run_status *ret_status, char **ret_proof);

#endif
