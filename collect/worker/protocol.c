#include "collect/worker/protocol.h"

#include "collect/import/worker_protocol.h"

#include <inttypes.h>
#include <stdarg.h>

static void write_line(struct protocol *protocol, const char *facts)
{
	fprintf(protocol->out, "%s %d %s\n", WORKER_PROTOCOL_NAME, WORKER_PROTOCOL_VERSION, facts);
	protocol->lines++;
}

void protocol_line(struct protocol *protocol, const char *format, ...)
{
	CLEANUP(mem_free) char *facts = NULL;
	va_list args;

	if (!protocol->out)
		return;
	va_start(args, format);
	int n = vasprintf(&facts, format, args);
	va_end(args);
	if (n >= 0)
		write_line(protocol, facts);
	else
		facts = NULL;
}

void protocol_values(struct protocol *protocol, const char *key, int64_t bytes, int iteration, const int64_t *values,
		     int n)
{
	CLEANUP(text_release) struct text facts = {0};

	if (!protocol->out)
		return;
	text_format(&facts, "%s %" PRId64 " %d", key, bytes, iteration);
	for (int i = 0; i < n; i++)
		text_format(&facts, " %" PRId64, values[i]);
	write_line(protocol, text_string(&facts));
}

void protocol_end(struct protocol *protocol)
{
	protocol_line(protocol, "end %" PRId64, protocol->lines);
	protocol_flush(protocol);
}

void protocol_flush(struct protocol *protocol)
{
	if (protocol->out)
		fflush(protocol->out);
}
