#include "base/clock.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void clock_now_rfc3339(char ret_text[CLOCK_RFC3339])
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	int64_t fixed = 0;
	time_t now = time(NULL);
	struct tm parts;

	if (epoch && number_parse_int(epoch, strlen(epoch), &fixed))
		now = (time_t)fixed;
	if (!gmtime_r(&now, &parts) || strftime(ret_text, CLOCK_RFC3339, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
		strcpy(ret_text, "1970-01-01T00:00:00Z");
}

double clock_monotonic_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
