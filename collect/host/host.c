#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "collect/host/host.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "collect/host/host_text.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define INTERFACES "/sys/class/net"
#define NUMA_NODES "/sys/devices/system/node"
#define MPIRUN_DEADLINE_S 10
#define VERSION_MAX 4096

/* A file's text, "" when it cannot be read. */
static char *read_text(const char *path)
{
	char *bytes = NULL;
	size_t n = 0;

	return file_read(path, &bytes, &n, NULL) == 0 ? bytes : mem_dup_string("");
}

static enum process_wish keep_output(void *context, enum process_stream stream, const char *bytes, size_t n)
{
	struct text *printed = context;

	if (stream == PROCESS_OUT && printed->length < VERSION_MAX)
		text_add_bytes(printed, bytes, n);
	return PROCESS_GO_ON;
}

/* The same for the whole process: the launcher does not change under a campaign, and asking takes a while. */
static int find_mpi(const char **ret_mpi, struct error *err)
{
	static char *mpi;
	static bool asked;
	static const char *const argv[] = {"mpirun", "--version", NULL};
	CLEANUP(text_release) struct text printed = {0};
	CLEANUP(mem_free) char *program = asked ? NULL : process_find(argv[0]);
	struct process_spec spec = {
		.argv = argv, .deadline_s = MPIRUN_DEADLINE_S, .output = keep_output, .context = &printed};
	struct process_result result;

	if (program) {
		int r = process_run(&spec, &result, err);
		if (r < 0)
			return r;
		if (result.end == PROCESS_EXITED && result.code == 0)
			mpi = host_text_mpi(text_string(&printed));
	}
	asked = true;
	*ret_mpi = mpi;
	return 0;
}

static void name_host(struct host_record *host)
{
	CLEANUP(text_release) struct text kernel = {0};
	struct utsname names;

	if (uname(&names) < 0) {
		host->host = mem_dup_string("unknown");
		return;
	}
	host->host = mem_dup_string(names.nodename);
	text_format(&kernel, "%s %s", names.sysname, names.release);
	host->kernel = text_take(&kernel);
}

static bool is_numa_node(const char *name)
{
	return strncmp(name, "node", 4) == 0 && isdigit((unsigned char)name[4]);
}

static bool is_interface(const char *name)
{
	return name[0] != '.';
}

/* The names of a folder that pass, sorted; none when it cannot be read. */
static void list_folder(const char *path, bool (*passes)(const char *name), struct string_list *ret)
{
	struct dirent **entries = NULL;
	int n = scandir(path, &entries, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		if (passes(entries[i]->d_name))
			string_list_add(ret, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

static char *read_interface(const char *name, const char *what)
{
	CLEANUP(text_release) struct text path = {0};

	text_format(&path, INTERFACES "/%s/%s", name, what);
	return read_text(text_string(&path));
}

static int64_t read_counter(const char *name, const char *what)
{
	CLEANUP(mem_free) char *text = read_interface(name, what);

	return host_text_integer(text);
}

static void add_interfaces(struct host_record *host)
{
	CLEANUP(string_list_release) struct string_list names = {0};

	list_folder(INTERFACES, is_interface, &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(mem_free) char *speed = read_interface(names.items[i], "speed");
		struct host_interface *interface = host_record_add_interface(host);
		interface->name = mem_dup_string(names.items[i]);
		interface->speed_bytes_per_s = host_text_speed(speed);
		interface->mtu = read_counter(names.items[i], "mtu");
		interface->rx_bytes = read_counter(names.items[i], "statistics/rx_bytes");
		interface->tx_bytes = read_counter(names.items[i], "statistics/tx_bytes");
	}
}

static void add_machine(struct host_record *host)
{
	CLEANUP(mem_free) char *cpuinfo = read_text("/proc/cpuinfo");
	CLEANUP(mem_free) char *meminfo = read_text("/proc/meminfo");
	CLEANUP(mem_free) char *loadavg = read_text("/proc/loadavg");
	CLEANUP(string_list_release) struct string_list nodes = {0};
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	host->cpu = host_text_cpu(cpuinfo);
	host->cores = cores > 0 ? cores : RECORD_UNSET;
	list_folder(NUMA_NODES, is_numa_node, &nodes);
	host->numa_nodes = nodes.n > 0 ? (int64_t)nodes.n : RECORD_UNSET;
	host->memory_bytes = host_text_memory(meminfo, "MemTotal");
	host->memory_available_bytes = host_text_memory(meminfo, "MemAvailable");
	host->load_1min = host_text_load(loadavg);
}

int host_gather(const char *when, const char *run_id, struct host_record **ret_host, struct error *err)
{
	CLEANUP(host_record_free) struct host_record *host = host_record_new();
	char now[CLOCK_RFC3339];
	const char *mpi = NULL;

	int r = find_mpi(&mpi, err);
	if (r < 0)
		return r;
	clock_now_rfc3339(now);
	host->when = mem_dup_string(when);
	host->run = mem_dup_string(run_id);
	host->time = mem_dup_string(now);
	host->mpi = mem_dup_string(mpi);
	name_host(host);
	add_machine(host);
	add_interfaces(host);
	*ret_host = TAKE(host);
	return 0;
}
