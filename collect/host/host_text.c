#include "collect/host/host_text.h"

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

#define BLANKS " \t"
#define BYTES_PER_KB 1024 /* as the kernel means it */
#define BYTES_PER_S_OF_MBIT (1000000.0 / 8)

/* The value of "key<blanks>:<blanks>value" on a line of its own; NULL. */
static const char *find_value(const char *text, const char *key, size_t *ret_n)
{
	size_t length = strlen(key);

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		if (strncmp(line, key, length) != 0)
			continue;
		const char *colon = line + length + strspn(line + length, BLANKS);
		if (*colon != ':')
			continue;
		const char *value = colon + 1 + strspn(colon + 1, BLANKS);
		*ret_n = strcspn(value, "\n");
		while (*ret_n > 0 && strchr(BLANKS "\r", value[*ret_n - 1]))
			(*ret_n)--;
		if (*ret_n > 0)
			return value;
	}
	return NULL;
}

char *host_text_cpu(const char *cpuinfo)
{
	static const char *const keys[] = {"model name", "Model", "cpu"};
	size_t n;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *value = find_value(cpuinfo, keys[i], &n);
		if (value)
			return mem_dup_bytes(value, n);
	}
	return NULL;
}

int64_t host_text_memory(const char *meminfo, const char *key)
{
	size_t n = 0;
	int64_t kb;
	const char *value = find_value(meminfo, key, &n);
	size_t digits = value ? strspn(value, "0123456789") : 0;

	if (digits == 0 || n != digits + 3 || strncmp(value + digits, " kB", 3) != 0 ||
	    !number_parse_int(value, digits, &kb) || kb > INT64_MAX / BYTES_PER_KB)
		return -1;
	return kb * BYTES_PER_KB;
}

double host_text_load(const char *loadavg)
{
	double load;

	return number_parse_double(loadavg, strcspn(loadavg, " \n"), &load) && load >= 0 ? load : (double)NAN;
}

char *host_text_mpi(const char *printed)
{
	CLEANUP(text_release) struct text name = {0};
	size_t n = strcspn(printed, "\r\n");
	const char *open = memchr(printed, '(', n), *close = memchr(printed, ')', n);

	if (open && close && open < close && strncmp(printed, "mpirun ", 7) == 0) {
		text_add_bytes(&name, open + 1, (size_t)(close - open - 1));
		text_add_bytes(&name, close + 1, (size_t)(printed + n - close - 1));
	} else {
		text_add_bytes(&name, printed, n);
	}
	return name.length > 0 ? text_take(&name) : NULL;
}

int64_t host_text_integer(const char *text)
{
	int64_t number;
	size_t n = strcspn(text, " \n");

	return number_parse_int(text, n, &number) && number >= 0 ? number : -1;
}

double host_text_speed(const char *speed)
{
	int64_t mbit = host_text_integer(speed);

	return mbit > 0 ? (double)mbit * BYTES_PER_S_OF_MBIT : (double)NAN;
}
