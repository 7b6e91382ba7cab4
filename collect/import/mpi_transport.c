#include "collect/import/mpi_transport.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Components of the byte transfer layer, the matching layer and the messaging layer. UCX chooses its own way below. */
static const struct {
	const char *component, *kind;
} kinds[] = {
	{"tcp", "tcp"},   {"vader", "shm"},     {"sm", "shm"}, {"smcuda", "shm"},
	{"openib", "ib"}, {"ofi", "libfabric"}, {"uct", "ib"},
};

static const char *kind_of(const char *component)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(component, kinds[i].component) == 0)
			return kinds[i].kind;
	return "other";
}

struct transport_log {
	struct string_list components, interfaces;
	struct string_list processes;   /* "host:pid" of those that named a component */
	struct string_list selected[2]; /* the layers above, by whoever chose them: PML, MTL */
	struct string_list selecting;   /* "host:pid" of those */
	bool between_nodes;
};
enum { LAYER_PML, LAYER_MTL };

static void transport_log_release(struct transport_log *log)
{
	string_list_release(&log->components);
	string_list_release(&log->interfaces);
	string_list_release(&log->processes);
	string_list_release(&log->selected[LAYER_PML]);
	string_list_release(&log->selected[LAYER_MTL]);
	string_list_release(&log->selecting);
}
CLEANUP_VALUE(struct transport_log, transport_log_release)

static void add_once(struct string_list *list, const char *start, size_t n)
{
	CLEANUP(mem_free) char *item = mem_dup_bytes(start, n);

	if (n > 0)
		string_list_add_once(list, item);
}

/* "host:pid" of "[host:pid] words": where it starts and its length; 0 when the words have no such label. */
static size_t find_process(const char *raw, const char *words, const char **ret_start)
{
	const char *end = words;

	while (end > raw && end[-1] == ' ')
		end--;
	if (end == raw || end[-1] != ']')
		return 0;
	const char *start = --end;
	while (start > raw && start[-1] != '[')
		start--;
	*ret_start = start;
	return start > raw ? (size_t)(end - start) : 0;
}

/* The words after a phrase in a line, and the process that said it. */
static const char *find_said(const char *raw, const char *phrase, const char **ret_process, size_t *ret_n)
{
	const char *words = strstr(raw, phrase);

	if (!words)
		return NULL;
	*ret_n = find_process(raw, words, ret_process);
	return *ret_n > 0 ? words + strlen(phrase) : NULL;
}

static bool is_on_host(const char *node, const char *process, size_t n)
{
	const char *colon = memrchr(process, ':', n);
	size_t length = colon ? (size_t)(colon - process) : n;

	return strncmp(node, process, length) == 0 && strspn(node + length, " ") == strlen(node + length);
}

/* "mca: bml: Using tcp btl for send to [[25443,1],0] on node b" */
static void read_send(const char *raw, struct transport_log *log)
{
	const char *process = NULL;
	size_t n = 0;
	const char *component = find_said(raw, "mca: bml: Using ", &process, &n);
	const char *rest = component ? strstr(component, " btl for send to ") : NULL;

	if (!rest)
		return;
	CLEANUP(mem_free) char *name = mem_dup_bytes(component, (size_t)(rest - component));
	if (strcmp(name, "self") == 0)
		return;
	add_once(&log->components, name, strlen(name));
	add_once(&log->processes, process, n);
	const char *node = strstr(rest, " on node ");
	if (node && strcmp(kind_of(name), "shm") != 0 && !is_on_host(node + strlen(" on node "), process, n))
		log->between_nodes = true;
}

static void read_interface(const char *raw, struct transport_log *log)
{
	const char *process = NULL;
	size_t n = 0;
	const char *name = find_said(raw, "btl: tcp: Using interface: ", &process, &n);

	if (name)
		add_once(&log->interfaces, name, strcspn(name, " "));
}

/* "select: component ucx selected", "mca:base:select:(  mtl) Selected component [ofi]" */
static void read_selection(const char *raw, struct transport_log *log)
{
	const char *process = NULL;
	size_t n = 0;
	const char *name = find_said(raw, "mca:base:select:(  mtl) Selected component [", &process, &n);

	if (name) {
		add_once(&log->selected[LAYER_MTL], name, strcspn(name, "]"));
		return;
	}
	name = find_said(raw, "select: component ", &process, &n);
	size_t length = name ? strcspn(name, " ") : 0;
	if (!name || strcmp(name + length, " selected") != 0)
		return;
	if (strncmp(name, "ucx ", 4) != 0 && strncmp(name, "cm ", 3) != 0)
		return;
	add_once(&log->selected[LAYER_PML], name, length);
	add_once(&log->selecting, process, n);
}

/* A matching layer that does without byte transfer layers says nothing of them. */
static void use_selection(struct transport_log *log)
{
	const struct string_list *pml = &log->selected[LAYER_PML], *mtl = &log->selected[LAYER_MTL];

	for (size_t i = 0; i < pml->n; i++) {
		bool through_mtl = strcmp(pml->items[i], "cm") == 0 && mtl->n > 0;
		for (size_t k = 0; through_mtl && k < mtl->n; k++)
			add_once(&log->components, mtl->items[k], strlen(mtl->items[k]));
		if (!through_mtl)
			add_once(&log->components, pml->items[i], strlen(pml->items[i]));
	}
	for (size_t i = 0; i < log->selecting.n; i++)
		add_once(&log->processes, log->selecting.items[i], strlen(log->selecting.items[i]));
}

static const char *joint_kind(const struct transport_log *log)
{
	const char *joint = NULL;

	for (size_t i = 0; i < log->components.n; i++) {
		const char *kind = kind_of(log->components.items[i]);
		if (log->between_nodes && strcmp(kind, "shm") == 0)
			continue;
		if (joint && strcmp(joint, kind) != 0)
			return "mixed";
		joint = kind;
	}
	return joint;
}

void mpi_transport_fill(const struct clean_lines *lines, struct run_factors *factors)
{
	CLEANUP(transport_log_release) struct transport_log log = {0};
	struct run_net *net = &factors->net;

	for (size_t i = 0; i < lines->n; i++) {
		if (lines->items[i].nccl || !strchr(lines->items[i].raw, '['))
			continue;
		read_send(lines->items[i].raw, &log);
		read_interface(lines->items[i].raw, &log);
		read_selection(lines->items[i].raw, &log);
	}
	use_selection(&log);
	const char *kind = joint_kind(&log);
	if (!kind || net->raw)
		return;
	free(net->kind);
	net->kind = mem_dup_string(kind);
	net->raw = string_list_join(&log.components);
	net->ranks_reporting = (int64_t)log.processes.n;
	if (log.interfaces.n > 0 && string_list_has(&log.components, "tcp")) {
		CLEANUP(mem_free) char *interfaces = string_list_join(&log.interfaces);
		string_map_set(&factors->more, "tcp_interface", interfaces);
	}
}
