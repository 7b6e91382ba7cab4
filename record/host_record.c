/* The state of a host: its table, its life. */
#include "record/fields.h"

#include <stdlib.h>

static const struct json_field interface_fields[] = {
	FIELD(host_interface, "name", JSON_STRING, name, .flags = JSON_REQUIRED),
	FIELD(host_interface, "speed_bytes_per_s", JSON_NUMBER, speed_bytes_per_s, .flags = 0),
	FIELD(host_interface, "mtu", JSON_INTEGER, mtu, .flags = 0),
	FIELD(host_interface, "rx_bytes", JSON_INTEGER, rx_bytes, .flags = 0),
	FIELD(host_interface, "tx_bytes", JSON_INTEGER, tx_bytes, .flags = 0),
};
static const struct json_map interface_map = MAP_OPEN(host_interface, interface_fields);

static const struct json_field host_fields[] = {
	FIELD(host_record, "host", JSON_STRING, host, .flags = JSON_REQUIRED),
	FIELD(host_record, "run", JSON_STRING, run, .flags = 0),
	FIELD(host_record, "when", JSON_STRING, when, .flags = JSON_REQUIRED),
	FIELD(host_record, "time", JSON_STRING, time, .flags = 0),
	FIELD(host_record, "kernel", JSON_STRING, kernel, .flags = 0),
	FIELD(host_record, "cpu", JSON_STRING, cpu, .flags = 0),
	FIELD(host_record, "cores", JSON_INTEGER, cores, .flags = 0),
	FIELD(host_record, "numa_nodes", JSON_INTEGER, numa_nodes, .flags = 0),
	FIELD(host_record, "memory_bytes", JSON_INTEGER, memory_bytes, .flags = 0),
	FIELD(host_record, "memory_available_bytes", JSON_INTEGER, memory_available_bytes, .flags = 0),
	FIELD(host_record, "load_1min", JSON_NUMBER, load_1min, .flags = 0),
	FIELD(host_record, "mpi", JSON_STRING, mpi, .flags = 0),
	FIELD_ROWS(host_record, "interfaces", JSON_OBJECTS, interfaces, n_interfaces, .map = &interface_map,
		   .flags = JSON_OMIT_EMPTY),
};
const struct json_map host_record_map = MAP_OPEN(host_record, host_fields);

struct host_record *host_record_new(void)
{
	struct host_record *host = mem_new(1, sizeof(*host));

	json_init_struct(&host_record_map, host);
	return host;
}

void host_record_free(struct host_record *host)
{
	if (!host)
		return;
	json_release_struct(&host_record_map, host);
	free(host);
}

struct host_interface *host_record_add_interface(struct host_record *host)
{
	struct host_interface *interface = record_add_row(&host->interfaces, &host->n_interfaces, sizeof(*interface));

	json_init_struct(&interface_map, interface);
	return interface;
}
