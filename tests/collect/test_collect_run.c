#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "tests/collect/collect_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* An outside cause. */
#define NO_SLOTS SH("echo not enough slots available >&2; exit 1")

static void test_a_campaign(void **state)
{
	(void)state;
	CLEANUP(plan_free) struct plan *plan = slice(DESIGN("2"), SH(STEPS));
	CLEANUP(seen_release) struct seen seen = {0};
	CLEANUP(seen_release) struct seen again = {0};
	CLEANUP(schedule_release) struct schedule schedule = {0};
	CLEANUP(mem_free) char *runs = path_join(folder, "runs");
	CLEANUP(mem_free) enum planned_state *states = NULL;
	struct collect_result result;

	collect_ok(plan, &seen, &result);
	assert_string_equal(
		text_string(&seen.runs),
		"b1/1.1:settle:c:ok b1/2.1:sentinel:c:ok b1/3.1:arm:c:ok b1/4.1:arm:s:ok b1/5.1:sentinel:c:ok "
		"b2/1.1:settle:c:ok b2/2.1:sentinel:c:ok b2/3.1:arm:c:ok b2/4.1:arm:s:ok b2/5.1:sentinel:c:ok ");
	assert_string_equal(text_string(&seen.events), "BrErErErErEeBrErErErErEe");
	assert_true(seen.remaining_known);
	assert_int_equal(seen.hosts, 20);
	assert_int_equal(seen.blocks, 2);
	assert_int_equal(seen.planned, 5);
	assert_int_equal(seen.ends, 2);
	assert_int_equal(seen.flags, 0);
	assert_int_equal(result.planned, 10);
	assert_int_equal(result.already, 0);
	assert_int_equal(result.recorded, 10);
	assert_int_equal(result.lost, 0);
	assert_false(result.cancelled);
	assert_false(file_exists(runs)); /* the runs left nothing in their folders */

	assert_int_equal(schedule_plan(plan, &schedule, NULL), 0);
	assert_int_equal(schedule_recorded(folder, plan, &schedule, &states, NULL), 0);
	assert_int_equal(schedule.n, 2);
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(states[i], PLANNED_RECORDED);
	assert_int_equal(schedule.blocks[0].n + schedule.blocks[1].n, 10);
	assert_int_equal(seen.timed, 10);

	collect_ok(plan, &again, &result);
	assert_string_equal(text_string(&again.events), "");
	assert_string_equal(text_string(&again.runs), text_string(&seen.runs));
	assert_int_equal(result.already, 10);
	assert_int_equal(result.recorded, 0);
}

static void test_one_block_alone(void **state)
{
	(void)state;
	CLEANUP(plan_free) struct plan *plan = slice(DESIGN("3"), SH(STEPS));
	CLEANUP(seen_release) struct seen seen = {0};
	struct collect_options options = {.directory = folder, .block = "b2"};
	struct collect_result result;
	struct error err = {0};

	assert_int_equal(collect_run(plan, &options, &result, &err), 0);
	read_log(&seen);
	assert_int_equal(strncmp(text_string(&seen.runs), "b2/1.1:", 7), 0);
	assert_int_equal(result.planned, 5);
	assert_int_equal(seen.ends, 1);
	options.block = "b4";
	assert_int_equal(collect_run(plan, &options, &result, &err), ERROR_DATA);
	assert_non_null(strstr(err.message, "block 'b4' is not in the plan, which has b1 to b3"));
}

/* A launch that failed from outside is tried again by the next call, in front of it the settle run. */
static void test_resume(void **state)
{
	(void)state;
	CLEANUP(mem_free) char *gate = path_join(folder, "open");
	CLEANUP(text_release) struct text script = {0};
	CLEANUP(seen_release) struct seen first = {0};
	CLEANUP(seen_release) struct seen second = {0};
	struct collect_result result;

	text_format(&script,
		    SH("if [ -n \\\"$TRY\\\" ] && [ ! -e %s ]; then echo not enough slots available >&2; exit 1; "
		       "fi; " STEPS),
		    gate);
	CLEANUP(plan_free) struct plan *plan = slice(DESIGN("1"), text_string(&script));
	collect_ok(plan, &first, &result);
	assert_string_equal(text_string(&first.runs),
			    "b1/1.1:settle:c:ok b1/2.1:sentinel:c:ok b1/3.1:arm:c:ok b1/4.1:arm:s:launch_failed "
			    "b1/5.1:sentinel:c:ok ");
	assert_int_equal(first.ends, 0);
	assert_int_equal(file_replace(gate, "", 0, NULL), 0);
	collect_ok(plan, &second, &result);
	assert_string_equal(text_string(&second.runs),
			    "b1/1.1:settle:c:ok b1/2.1:sentinel:c:ok b1/3.1:arm:c:ok b1/4.1:arm:s:launch_failed "
			    "b1/5.1:sentinel:c:ok b1/1.2:settle:c:ok b1/4.2:arm:s:ok ");
	assert_string_equal(text_string(&second.events), "BrErEe");
	assert_int_equal(second.ends, 1);
	assert_int_equal(result.already, 4);
	assert_int_equal(result.recorded, 2);
}

static void test_cancelled_before_the_first_run(void **state)
{
	(void)state;
	CLEANUP(plan_free) struct plan *plan = slice(DESIGN("2"), SH(STEPS));
	CLEANUP(seen_release) struct seen seen = {0};
	volatile sig_atomic_t cancel = 1;
	struct collect_result result;
	struct error err;

	assert_int_equal(collect(plan, &cancel, &seen, &result, &err), 0);
	assert_true(result.cancelled);
	assert_int_equal(result.planned, 10);
	assert_int_equal(result.recorded, 0);
	read_log(&seen);
	assert_string_equal(text_string(&seen.runs), "");
}

static volatile sig_atomic_t stop;

static void see_stop(void *context, const struct collect_event *event)
{
	see_event(context, event);
	if (event->kind == COLLECT_TICK && event->step == 3)
		stop = 1;
}

/* The run under way is ended and recorded; the next call runs it again. */
static void test_cancel_in_a_run(void **state)
{
	(void)state;
	CLEANUP(mem_free) char *gate = path_join(folder, "open");
	CLEANUP(text_release) struct text script = {0};
	CLEANUP(plan_free) struct plan *plan = NULL;
	CLEANUP(plan_free) struct plan *shorter = NULL;
	CLEANUP(seen_release) struct seen seen = {0};
	CLEANUP(seen_release) struct seen later = {0};
	struct collect_options options = {.directory = folder, .cancel = &stop, .report = see_stop, .context = &seen};
	struct collect_result result;

	text_format(&script, SH(STEPS "; [ -n \\\"$TRY\\\" ] && [ ! -e %s ] && sleep 60; true"), gate);
	plan = slice(DESIGN("2"), text_string(&script));
	stop = 0;
	assert_int_equal(collect_run(plan, &options, &result, NULL), 0);
	assert_true(result.cancelled);
	read_log(&seen);
	assert_string_equal(text_string(&seen.runs),
			    "b1/1.1:settle:c:ok b1/2.1:sentinel:c:ok b1/3.1:arm:c:ok b1/4.1:arm:s:cancelled ");
	assert_int_equal(seen.external, 1);
	assert_int_equal(seen.ends, 0);
	assert_int_equal(file_replace(gate, "", 0, NULL), 0);
	shorter = slice(DESIGN("1"), text_string(&script));
	collect_ok(shorter, &later, &result);
	assert_non_null(strstr(text_string(&later.runs), "b1/1.2:settle:c:ok b1/4.2:arm:s:ok b1/5.1:sentinel:c:ok "));
	assert_int_equal(later.ends, 1);
}

/* Half a line, as a full disk or a power cut leaves it, is moved aside and the block goes on. */
static void test_torn_tail_is_repaired(void **state)
{
	(void)state;
	CLEANUP(plan_free) struct plan *plan = slice(DESIGN("1"), NO_SLOTS);
	CLEANUP(plan_free) struct plan *better = NULL;
	CLEANUP(mem_free) char *segment = path_join(folder, "log/b1.1.jsonl");
	CLEANUP(mem_free) char *torn = path_join(folder, "log/b1.1.torn");
	CLEANUP(seen_release) struct seen seen = {0};
	CLEANUP(seen_release) struct seen later = {0};
	struct collect_result result;

	collect_ok(plan, &seen, &result);
	FILE *file = fopen(segment, "a");
	assert_non_null(file);
	fputs("{\"kind\":\"run\"", file);
	assert_int_equal(fclose(file), 0);
	better = slice(DESIGN("1"), SH(STEPS));
	collect_ok(better, &later, &result);
	assert_string_equal(text_string(&later.events), "RBrErErErErEe");
	assert_non_null(strstr(text_string(&later.words), "b1.1; "));
	assert_int_equal(result.recorded, 5);
	assert_true(file_exists(torn));
}

/* A collector that is killed in a run leaves that run to the next one; its folder is not mistaken for a fresh one. */
static void test_killed_collector(void **state)
{
	(void)state;
	CLEANUP(mem_free) char *gate = path_join(folder, "open");
	CLEANUP(text_release) struct text script = {0};
	CLEANUP(mem_free) char *at = path_join(folder, "runs/b1-4.1/at");
	CLEANUP(seen_release) struct seen seen = {0};
	struct collect_options options = {.directory = folder};
	struct collect_result result;
	struct error err;

	text_format(&script,
		    SH("[ ! -e at ] || exit 1; if [ -n \\\"$TRY\\\" ] && [ ! -e %s ]; then echo > at; sleep 60; "
		       "fi; " STEPS),
		    gate);
	CLEANUP(plan_free) struct plan *plan = slice(DESIGN("1"), text_string(&script));
	pid_t child = fork();
	if (child == 0) {
		collect_run(plan, &options, &result, NULL);
		_exit(0);
	}
	for (int i = 0; i < 3000 && !file_exists(at); i++)
		usleep(10000);
	assert_true(file_exists(at));
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(file_replace(gate, "", 0, NULL), 0);
	int r = collect_run(plan, &options, &result, &err);
	/* Held until the killed one's children are gone. */
	for (int i = 0; i < 3000 && r < 0 && strstr(err.message, "is held by"); i++) {
		usleep(10000);
		r = collect_run(plan, &options, &result, &err);
	}
	assert_int_equal(r, 0);
	read_log(&seen);
	assert_string_equal(text_string(&seen.runs), "b1/1.1:settle:c:ok b1/2.1:sentinel:c:ok b1/3.1:arm:c:ok "
						     "b1/1.2:settle:c:ok b1/4.1:arm:s:ok b1/5.1:sentinel:c:ok ");
	assert_int_equal(seen.ends, 1);
	assert_true(file_exists(at));
}

/* A plan that changed under a block is refused while the block is open, and left alone once it is finished. */
static void test_plan_changed(void **state)
{
	(void)state;
	CLEANUP(plan_free) struct plan *plan = slice(DESIGN("1"), NO_SLOTS);
	CLEANUP(plan_free) struct plan *changed = NULL;
	CLEANUP(plan_free) struct plan *grown = NULL;
	CLEANUP(seen_release) struct seen seen = {0};
	struct collect_result result;
	struct error err;

	collect_ok(plan, &seen, &result);
	changed = slice("{\"blocks\":1,\"order\":\"as_listed\",\"sentinels\":false}", SH(STEPS));
	assert_int_equal(collect(changed, NULL, &seen, &result, &err), ERROR_DATA);
	assert_non_null(strstr(err.message,
			       "run 'b1/2.1' was sentinel of harness 'h', setting 'c'; the plan now has arm "
			       "of harness 'h', setting 'c' there; restore campaign.json, or use a new "
			       "campaign folder"));
	grown = slice(DESIGN("1"), SH(STEPS));
	collect_ok(grown, &seen, &result);
	assert_int_equal(result.recorded, 5);
	text_clear(&seen.events);
	if (collect(changed, NULL, &seen, &result, &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(result.recorded, 0);
}

static void test_nothing_is_written_when_nothing_can_run(void **state)
{
	static const struct {
		const char *harness, *message;
		int kind;
	} cases[] = {
		{"\"kind\":\"bench\",\"backend\":\"nccl\",\"op\":\"allreduce\",\"bytes\":[8],\"headline_bytes\":8",
		 "no worker for backend 'nccl'", ERROR_ENVIRONMENT},
		{"\"kind\":\"bench\",\"backend\":\"mpi\",\"op\":\"allreduce\",\"bytes\":[8],\"headline_bytes\":8",
		 "no program 'assay-worker-mpi' in '/nonexistent'", ERROR_ENVIRONMENT},
		{"\"kind\":\"slice\",\"command\":[\"true\",\"{steps}\"]", "asks for {steps}", ERROR_DATA},
		{"\"kind\":\"slice\",\"command\":[\"true\"],\"pattern\":\"(\"", "harness 'h': pattern", ERROR_DATA},
		{"\"kind\":\"slice\",\"command\":[\"true\"],\"format\":\"megatrom\"", "did you mean 'megatron'",
		 ERROR_DATA},
	};
	CLEANUP(mem_free) char *log = path_join(folder, "log");

	(void)state;
	setenv("ASSAY_LIBEXEC", "/nonexistent", 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CLEANUP(plan_free) struct plan *plan = read_plan(DESIGN("1"), cases[i].harness, "[{\"name\":\"c\"}]");
		struct collect_result result;
		struct seen seen = {0};
		struct error err;

		int r = collect(plan, NULL, &seen, &result, &err);
		/* Where there is no mpirun, that is said instead. */
		if (!strstr(err.message, cases[i].message) && !strstr(err.message, "no mpirun in PATH"))
			fail_msg("case %zu: '%s' does not say '%s'", i, err.message, cases[i].message);
		assert_int_equal(r, cases[i].kind);
		assert_false(file_exists(log));
	}
	unsetenv("ASSAY_LIBEXEC");
}

static void test_busy_block(void **state)
{
	(void)state;
	CLEANUP(plan_free) struct plan *plan = slice(DESIGN("2"), SH(STEPS));
	CLEANUP(seen_release) struct seen seen = {0};
	CLEANUP(seen_release) struct seen alone = {0};
	CLEANUP(mem_free) char *log = path_join(folder, "log");
	struct collect_result result;
	struct error err;
	int held[2], done[2];
	char byte;

	assert_int_equal(file_make_folder(log, NULL), 0);
	assert_int_equal(pipe(held), 0);
	assert_int_equal(pipe(done), 0);
	pid_t child = fork();
	if (child == 0) {
		struct block_lock *lock = NULL;
		char *holder = NULL;

		close(done[1]);
		int r = block_lock_claim(folder, "b1", &lock, &holder, NULL, NULL);
		if (r != BLOCK_CLAIMED || write(held[1], "", 1) != 1)
			_exit(1);
		_exit(read(done[0], &byte, 1) < 0);
	}
	close(held[1]);
	close(done[0]);
	assert_int_equal(read(held[0], &byte, 1), 1);
	assert_int_equal(collect(plan, NULL, &seen, &result, &err), 0);
	assert_string_equal(text_string(&seen.events), "XBrErErErErEe");
	assert_int_equal(result.busy, 1);
	assert_int_equal(result.recorded, 5);
	assert_int_equal(result.planned, 10);
	/* Nothing else is left to do: now the held block is the answer. */
	assert_int_equal(collect(plan, NULL, &alone, &result, &err), ERROR_ENVIRONMENT);
	assert_non_null(strstr(err.message, "block 'b1' is held by another collector ("));
	close(done[1]);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(held[0]);
	assert_int_equal(collect(plan, NULL, &alone, &result, &err), 0);
	assert_int_equal(result.recorded, 5);
	assert_int_equal(result.already, 5);
}

static void test_ticks_carry_step_and_loss(void **state)
{
	(void)state;
	CLEANUP(plan_free)
	struct plan *plan =
		read_plan("{\"blocks\":1,\"settle_runs\":0,\"sentinels\":false}",
			  "\"kind\":\"slice\",\"ranks\":2,\"deadline_s\":30,\"pattern\":\"step (?<step>[0-9]+) time "
			  "(?<time>[0-9.]+) loss (?<loss>[0-9.]+)\",\"units\":{\"time\":\"s\"},\"command\":" SH(
				  "for i in 1 2 3; do echo step $i time 0.5 loss $i.25; done; sleep 0.7"),
			  "[{\"name\":\"c\"}]");
	CLEANUP(seen_release) struct seen seen = {0};
	struct collect_result result;

	collect_ok(plan, &seen, &result);
	assert_int_equal(result.lost, 0);
	assert_int_equal(seen.tick_step, 3);
	assert_true(fabs(seen.tick_loss - 3.25) < 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_ticks_carry_step_and_loss),
		TEST(test_a_campaign),
		TEST(test_one_block_alone),
		TEST(test_resume),
		TEST(test_cancelled_before_the_first_run),
		TEST(test_cancel_in_a_run),
		TEST(test_torn_tail_is_repaired),
		TEST(test_killed_collector),
		TEST(test_plan_changed),
		TEST(test_nothing_is_written_when_nothing_can_run),
		TEST(test_busy_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
