#include "collect/import/nccl_debug.h"

#include "base/mem.h"
#include "collect/import/token.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const algorithms[] = {"tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"};
static const char *const protocols[] = {"ll", "ll128", "simple"};
#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

static char *trimmed(const char *s, size_t n)
{
	while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '.'))
		n--;
	return mem_dup_bytes(s, n);
}

static char *word_at(const char *s)
{
	s += strspn(s, " ");
	return mem_dup_bytes(s, strcspn(s, " \t,("));
}

static void set_once(char **field, char *value)
{
	if (*field || !*value)
		free(value);
	else
		*field = value;
}

static void merge_name(char **field, char *value)
{
	for (char *c = value; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (*field && strcmp(*field, value) != 0) {
		free(*field);
		*field = mem_dup_string("mixed");
		free(value);
	} else {
		set_once(field, value);
	}
}

static void parse_version(struct nccl_debug_log *log, const char *s)
{
	const char *place = strstr(s, "RCCL version");

	if (place) {
		place += strlen("RCCL version");
		place += strspn(place, " :");
		set_once(&log->rccl, word_at(place));
		return;
	}
	place = strstr(s, "NCCL version");
	if (place && (isdigit((unsigned char)place[13]))) {
		set_once(&log->nccl, word_at(place + 13));
		if (log->nccl)
			log->nccl[strcspn(log->nccl, " ")] = '\0';
	}
}

static void parse_network(struct nccl_debug_log *log, const char *name, const char *rank)
{
	char *raw = trimmed(name, strlen(name));

	string_list_add_once(&log->networks, raw);
	string_list_add_once(&log->reporting, rank);
	log->using_network_lines++;
	free(raw);
}

/* "NET/OFI Using aws-ofi-nccl 1.6.0", "NET/OFI Initializing aws-ofi-nccl 1.9.1-aws". */
static bool parse_plugin(struct nccl_debug_log *log, const char *s)
{
	const char *place = strstr(s, "aws-ofi-nccl ");

	if (!place || !strstr(s, "NET/OFI"))
		return false;
	place += strlen("aws-ofi-nccl ");
	if (!isdigit((unsigned char)*place) && strncmp(place, "git", 3) != 0)
		return false;
	set_once(&log->plugin, mem_dup_string("aws-ofi-nccl"));
	char *version = word_at(place);
	if (log->plugin_version && strcmp(log->plugin_version, version) != 0) {
		log->plugin_mixed = true;
		free(version);
	} else {
		set_once(&log->plugin_version, version);
	}
	return true;
}

static bool parse_provider(struct nccl_debug_log *log, const char *s)
{
	double number = 0;
	const char *place = strstr(s, "elected ");

	if (place)
		place = strstr(place, "rovider is ");
	if (!place)
		return false;
	set_once(&log->provider, word_at(place + strlen("rovider is ")));
	if (log->nics < 0 && token_number_after(place, "found ", &number))
		log->nics = (int64_t)number;
	return true;
}

static bool parse_environment(struct nccl_debug_log *log, const char *s)
{
	const char *set = strstr(s, " set by environment to ");
	const char *name = set;

	if (!set)
		return false;
	while (name > s && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
		name--;
	const char *value = set + strlen(" set by environment to ");
	char *key = mem_dup_bytes(name, (size_t)(set - name));
	char *held = trimmed(value, strlen(value));
	string_map_set(&log->env, key, held);
	free(key);
	free(held);
	return true;
}

static char *named(const char *s, const char *const *names, size_t n)
{
	if (!isdigit((unsigned char)*s))
		return word_at(s);
	size_t i = (size_t)strtoul(s, NULL, 10);
	return mem_dup_string(i < n ? names[i] : "");
}

/* "AllReduce: 8 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..23}", "… Bytes -> Algo 1 proto 2 time 33.1". */
static bool parse_call(struct nccl_debug_log *log, const char *s)
{
	const char *algo = strstr(s, " Bytes -> Algo ");

	if (!algo)
		return false;
	const char *proto = strstr(algo, " proto ");
	merge_name(&log->algo, named(algo + strlen(" Bytes -> Algo "), algorithms, LENGTH(algorithms)));
	if (proto)
		merge_name(&log->proto, named(proto + strlen(" proto "), protocols, LENGTH(protocols)));
	const char *range = strstr(algo, "channel{Lo..Hi}={");
	if (range) {
		const char *dots = strstr(range + 17, "..");
		int64_t high = dots ? strtoll(dots + 2, NULL, 10) + 1 : RECORD_UNSET;
		if (high > log->channels)
			log->channels = high;
	}
	return true;
}

static void parse_collective(struct nccl_debug_log *log, const char *s)
{
	static const struct {
		const char *printed, *name;
	} collectives[] = {
		{"AllReduce: ", "allreduce"}, {"AllGather: ", "allgather"}, {"ReduceScatter: ", "reducescatter"},
		{"Broadcast: ", "broadcast"}, {"Reduce: ", "reduce"},       {"AlltoAll: ", "alltoall"},
		{"Send: ", "sendrecv"},       {"Recv: ", "sendrecv"}};

	for (size_t i = 0; i < LENGTH(collectives); i++)
		if (strncmp(s, collectives[i].printed, strlen(collectives[i].printed)) == 0 &&
		    (strstr(s, "Bytes") || strstr(s, "opCount")))
			string_list_add_once(&log->collectives, collectives[i].name);
}

static void parse_communicator(struct nccl_debug_log *log, const char *s)
{
	double number = 0;

	if ((token_number_after(s, " nranks ", &number) || token_number_after(s, " nRanks ", &number)) &&
	    (int64_t)number > log->nranks)
		log->nranks = (int64_t)number;
	if (token_number_after(s, " nNodes ", &number) && (int64_t)number > log->n_nodes)
		log->n_nodes = (int64_t)number;
	if (strstr(s, "Init COMPLETE"))
		log->init_complete++;
	if (strstr(s, "Connected all rings"))
		log->rings_connected++;
	const char *channel = strncmp(s, "Channel ", 8) == 0 ? s + 8 : NULL;
	const char *slash = channel ? strchr(channel, '/') : NULL;
	if (slash && slash - channel < 5 && isdigit((unsigned char)slash[1])) {
		char *end = NULL;
		int64_t total = strtoll(slash + 1, &end, 10);
		if (strncmp(end, " :", 2) == 0 && total > 1 && !strstr(end, "->") && total > log->channels)
			log->channels = total;
	}
}

static void parse_tuner(struct nccl_debug_log *log, const char *s)
{
	const char *place = strstr(s, "Using tuner plugin ");

	if (place && !log->tuner)
		set_once(&log->tuner, word_at(place + strlen("Using tuner plugin ")));
}

static void parse_line(struct nccl_debug_log *log, const struct clean_line *line)
{
	char rank[300];
	const char *s = line->nccl;

	snprintf(rank, sizeof(rank), "%s:%lld", line->host, (long long)line->pid);
	string_list_add_once(&log->hosts, line->host);
	string_list_add_once(&log->ranks_seen, rank);
	log->info_lines += strncmp(s, "NCCL INFO", 9) == 0;
	log->warn_lines += strncmp(s, "NCCL WARN", 9) == 0;
	if (strncmp(s, "NCCL TRACE", 10) == 0) {
		free(log->level);
		log->level = mem_dup_string("TRACE");
	} else if (!log->level && strncmp(s, "NCCL INFO", 9) == 0) {
		log->level = mem_dup_string("INFO");
	}
	s += strlen("NCCL ");
	s += strcspn(s, " ");
	s += strspn(s, " ");
	const char *network = strstr(s, "Using network ");
	if (network)
		parse_network(log, network + strlen("Using network "), rank);
	else if (parse_environment(log, s) || parse_plugin(log, s) || parse_provider(log, s))
		;
	else {
		parse_call(log, s);
		parse_collective(log, s);
		parse_communicator(log, s);
		parse_tuner(log, s);
		parse_version(log, s);
		const char *loaded = strstr(s, "Loaded net plugin ");
		if (loaded) {
			loaded += strlen("Loaded net plugin ");
			const char *api = strrchr(loaded, '(');
			size_t n = api ? (size_t)(api - loaded) : strlen(loaded);
			set_once(&log->net_plugin, trimmed(loaded, n));
			if (api)
				set_once(&log->plugin_api, mem_dup_bytes(api + 1, strcspn(api + 1, ")")));
		}
	}
	log->matched++;
}

/* Ranks that write over each other leave pieces of host names; a piece stands in a line or two where a host stands in
 * many. */
#define FRAGMENT_LINES_PER_HOST_LINE 20

static void drop_fragments(struct nccl_debug_log *log, const struct clean_lines *lines)
{
	CLEANUP(mem_free) size_t *counts = mem_new(log->hosts.n, sizeof(*counts));
	size_t most = 0, kept = 0;

	for (size_t i = 0; i < lines->n; i++)
		for (size_t h = 0; lines->items[i].nccl && h < log->hosts.n; h++)
			if (strcmp(lines->items[i].host, log->hosts.items[h]) == 0) {
				counts[h]++;
				most = counts[h] > most ? counts[h] : most;
				break;
			}
	for (size_t h = 0; h < log->hosts.n; h++) {
		if (counts[h] * FRAGMENT_LINES_PER_HOST_LINE >= most)
			log->hosts.items[kept++] = log->hosts.items[h];
		else
			free(log->hosts.items[h]);
	}
	log->hosts.n = kept;
}

void nccl_debug_parse(const struct clean_lines *lines, struct nccl_debug_log *ret_log)
{
	*ret_log = (struct nccl_debug_log){.channels = RECORD_UNSET, .nics = RECORD_UNSET};
	for (size_t i = 0; i < lines->n; i++) {
		const struct clean_line *line = &lines->items[i];
		if (line->nccl) {
			parse_line(ret_log, line);
		} else if (strstr(line->text, "CCL version")) {
			parse_version(ret_log, line->text);
			ret_log->matched++;
		}
	}
	drop_fragments(ret_log, lines);
	if (ret_log->plugin_mixed) {
		free(ret_log->plugin_version);
		ret_log->plugin_version = mem_dup_string("mixed");
	}
}

void nccl_debug_log_release(struct nccl_debug_log *log)
{
	struct string_list *lists[] = {&log->networks, &log->reporting, &log->hosts, &log->ranks_seen,
				       &log->collectives};
	char *strings[] = {log->nccl,       log->rccl,     log->plugin, log->plugin_version,
			   log->plugin_api, log->provider, log->tuner,  log->net_plugin,
			   log->algo,       log->proto,    log->level};

	for (size_t i = 0; i < LENGTH(lists); i++)
		string_list_release(lists[i]);
	for (size_t i = 0; i < LENGTH(strings); i++)
		free(strings[i]);
	for (size_t i = 0; i < log->env.n; i++) {
		free(log->env.names[i]);
		free(log->env.values[i]);
	}
	free(log->env.names);
	free(log->env.values);
	*log = (struct nccl_debug_log){0};
}
