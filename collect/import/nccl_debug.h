/*
 * Takes clean lines, gives what NCCL_DEBUG lines say: versions, network by rank, plugin, environment, algorithms,
 * warnings. A rank is a host and process. Knows nothing of plans or runs.
 */
#ifndef COLLECT_IMPORT_NCCL_DEBUG_H
#define COLLECT_IMPORT_NCCL_DEBUG_H

#include "assay/record.h"
#include "collect/import/unmess.h"

struct nccl_debug_log {
	char *nccl, *rccl;                    /* as printed, "2.20.5+cuda12.4" */
	struct string_list networks;          /* distinct raw names */
	struct string_list reporting;         /* "host:pid" of ranks with a network line */
	struct string_list hosts, ranks_seen; /* of NCCL lines; ranks_seen "host:pid" */
	int64_t using_network_lines, nranks, n_nodes, init_complete, info_lines, warn_lines, rings_connected;
	int64_t channels; /* RECORD_UNSET when not logged */
	char *plugin, *plugin_version, *plugin_api, *provider, *tuner;
	bool plugin_mixed; /* ranks report different versions */
	int64_t nics;
	char *net_plugin;      /* "Loaded net plugin X" */
	struct string_map env; /* everything set by environment; the importer chooses */
	char *algo, *proto;    /* lower case, "mixed" */
	struct string_list collectives;
	char *level; /* "INFO", "TRACE" */
	size_t matched;
};

void nccl_debug_parse(const struct clean_lines *lines, struct nccl_debug_log *ret_log);
void nccl_debug_log_release(struct nccl_debug_log *log);

#endif
