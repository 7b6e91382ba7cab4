/*
 * A campaign folder with a plan whose trainer is a shell script, and what its log and the collector's events say.
 */
#ifndef TESTS_COLLECT_FIXTURE_H
#define TESTS_COLLECT_FIXTURE_H

#include "assay/collect.h"
#include "tests/support/temporary_folder.h"

/* Three steps as a trainer prints them. */
#define STEPS "for i in 1 2 3; do echo \\\"step $i time 0.5\\\"; done"
#define PATTERN "\"pattern\":\"step (?<step>[0-9]+) time (?<time>[0-9.]+)\",\"units\":{\"time\":\"s\"}"
#define SH(script) "[\"sh\",\"-c\",\"" script "\",\"sh\",\"{args}\"]"
#define TWO_SETTINGS "[{\"name\":\"c\"},{\"name\":\"s\",\"env\":{\"TRY\":\"1\"},\"args\":[\"-a\",\"b c\"]}]"
#define DESIGN(blocks) "{\"blocks\":" blocks ",\"order\":\"as_listed\"}"

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_set_up, folder_tear_down)

/** A plan with one harness, "h", and control "c". */
struct plan *read_plan(const char *design, const char *harness, const char *settings);
struct plan *slice(const char *design, const char *script);

struct seen {
	struct text runs;   /* "b1/1.1:settle:c:ok " ... */
	struct text events; /* a letter each */
	struct text words;  /* of events that carry some */
	struct text reason; /* of the last lost run */
	size_t hosts, blocks, planned, ends, external, flags;
	size_t timed; /* runs that say how long they took */
	bool remaining_known;
	int64_t tick_step; /* of the last tick with a step */
	double tick_loss;
};

void seen_release(struct seen *seen);
CLEANUP_VALUE(struct seen, seen_release)

void read_log(struct seen *seen);
void see_event(void *context, const struct collect_event *event);
int collect(const struct plan *plan, const volatile sig_atomic_t *cancel, struct seen *seen,
	    struct collect_result *ret_result, struct error *err);
/** Collects without an error, then reads the log. */
void collect_ok(const struct plan *plan, struct seen *seen, struct collect_result *ret_result);

#endif
