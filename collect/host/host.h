/*
 * The state of this host at a moment, for the record: what it is, how loaded, what its network interfaces have carried.
 * Reads /proc, /sys and, once a process, the version that mpirun prints.
 */
#ifndef COLLECT_HOST_H
#define COLLECT_HOST_H

#include "assay/record.h"

/**
 * What cannot be read stays unset.
 *
 * @param when    "before", "after"
 * @param run_id  may be NULL
 * @return 0; ERROR_ENVIRONMENT when no process can be started to ask mpirun
 */
int host_gather(const char *when, const char *run_id, struct host_record **ret_host, struct error *err);

#endif
