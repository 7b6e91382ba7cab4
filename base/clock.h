/*
 * Time: the date for records, a monotonic clock for durations.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#define CLOCK_RFC3339 32

/** Now in UTC, "2026-11-29T17:00:00Z"; SOURCE_DATE_EPOCH, when set, is now. */
void clock_now_rfc3339(char ret_text[CLOCK_RFC3339]);

double clock_monotonic_s(void);

#endif
