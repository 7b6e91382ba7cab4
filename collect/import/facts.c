#include "collect/import/facts.h"

#include "base/text.h"
#include "collect/import/env_names.h"
#include "collect/import/mpi_transport.h"
#include "collect/import/nccl_debug.h"

#include <stdlib.h>
#include <string.h>

CLEANUP_VALUE(struct nccl_debug_log, nccl_debug_log_release)

static void set(char **field, const char *value)
{
	if (!value)
		return;
	free(*field);
	*field = mem_dup_string(value);
}

static void fill_net(const struct nccl_debug_log *log, struct run_net *net)
{
	struct text raw = {0};

	net->ranks_reporting = (int64_t)log->reporting.n;
	set(&net->plugin, log->plugin);
	set(&net->plugin_version, log->plugin_version);
	if (log->networks.n == 0) {
		set(&net->kind, "unknown");
		return;
	}
	set(&net->kind, log->networks.n > 1 ? "mixed" : run_net_kind(log->networks.items[0]));
	for (size_t i = 0; i < log->networks.n; i++)
		text_format(&raw, "%s%s", i > 0 ? ", " : "", log->networks.items[i]);
	set(&net->raw, text_string(&raw));
	text_release(&raw);
}

static void fill_version(const struct nccl_debug_log *log, struct run_factors *factors)
{
	const char *printed = log->rccl ? log->rccl : log->nccl;
	struct text version = {0};

	if (!printed)
		return;
	if (log->rccl)
		text_add(&version, "rccl ");
	text_add_bytes(&version, printed, strcspn(printed, "+-"));
	free(factors->nccl);
	factors->nccl = text_take(&version);
}

/* What the log says; else, when fewer spoke than the plan has (only some ranks log), the plan. */
static int64_t choose_count(int64_t said, size_t seen, int64_t planned)
{
	if (said > 0)
		return said;
	if (planned > 0 && (int64_t)seen < planned)
		return planned;
	return seen > 0 ? (int64_t)seen : RECORD_UNSET;
}

static void fill_shape(const struct import_source *source, const struct nccl_debug_log *log,
		       struct run_factors *factors)
{
	const struct plan_harness *harness = source->harness;

	factors->ranks =
		choose_count(factors->ranks > 0 ? factors->ranks : log->nranks, log->ranks_seen.n, harness->ranks);
	factors->nodes = choose_count(factors->nodes > 0 ? factors->nodes : log->n_nodes, log->hosts.n, harness->nodes);
	for (size_t i = 0; i < log->hosts.n; i++)
		string_list_add_once(&factors->hosts, log->hosts.items[i]);
	if (harness->kind != PLAN_SLICE)
		return;
	if (factors->global_batch < 0)
		factors->global_batch = harness->global_batch;
	if (factors->micro_batch < 0)
		factors->micro_batch = harness->micro_batch;
	int64_t step = factors->ranks > 0 && factors->micro_batch > 0 ? factors->ranks * factors->micro_batch : 0;
	if (factors->micro_steps < 0 && step > 0 && factors->global_batch > 0 && factors->global_batch % step == 0)
		factors->micro_steps = factors->global_batch / step;
	if (factors->micro_steps < 0)
		factors->micro_steps = harness->micro_steps;
}

static void fill_env(const struct import_source *source, const struct nccl_debug_log *log, struct run_factors *factors)
{
	for (size_t i = 0; i < log->env.n; i++)
		if (env_name_known(log->env.names[i]) ||
		    (source->setting && string_map_get(&source->setting->env, log->env.names[i])))
			string_map_set(&factors->env, log->env.names[i], log->env.values[i]);
}

void facts_fill(const struct import_source *source, const struct clean_lines *lines, struct run_record *run)
{
	CLEANUP(nccl_debug_log_release) struct nccl_debug_log log = {0};
	struct run_factors *factors = &run->factors;

	nccl_debug_parse(lines, &log);
	fill_net(&log, &factors->net);
	mpi_transport_fill(lines, factors);
	fill_version(&log, factors);
	fill_shape(source, &log, factors);
	fill_env(source, &log, factors);
	set(&factors->algo, log.algo);
	set(&factors->proto, log.proto);
	set(&factors->debug, log.level);
	if (log.channels > 0)
		factors->channels = log.channels;
	for (size_t i = 0; i < log.collectives.n; i++)
		string_list_add_once(&factors->collectives, log.collectives.items[i]);
	if (log.provider)
		string_map_set(&factors->more, "provider", log.provider);
	if (log.tuner)
		string_map_set(&factors->more, "tuner", log.tuner);
	if (log.plugin_api)
		string_map_set(&factors->more, "plugin_api", log.plugin_api);
}
