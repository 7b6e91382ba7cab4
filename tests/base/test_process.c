#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "base/process.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Far beyond what any of it takes: a bound for a hang, not a measurement. */
#define PATIENCE_S 60.0
#define FULL_PATIENCE_MS 10000

#define WIDE_BYTES 1048576

/* Every process of a tree carries it in its environment, so that /proc tells who is left. */
static char mark[64];

static void mark_renew(void)
{
	static int number;

	snprintf(mark, sizeof(mark), "TEST_PROCESS_MARK=%ld.%d", (long)getpid(), number++);
}

static bool holds_mark(const char *environment, size_t n)
{
	for (const char *at = environment; at < environment + n; at += strlen(at) + 1)
		if (strcmp(at, mark) == 0)
			return true;
	return false;
}

static size_t count_marked(void)
{
	DIR *folder = opendir("/proc");
	size_t count = 0;

	assert_non_null(folder);
	for (const struct dirent *item; (item = readdir(folder));) {
		CLEANUP(mem_free) char *bytes = NULL;
		char path[300];
		size_t n;

		snprintf(path, sizeof(path), "/proc/%s/environ", item->d_name);
		if (item->d_name[0] >= '1' && item->d_name[0] <= '9' && file_read(path, &bytes, &n, NULL) == 0)
			count += holds_mark(bytes, n);
	}
	closedir(folder);
	return count;
}

static bool wait_for_marked(size_t expected)
{
	for (int ms = 0; ms < FULL_PATIENCE_MS; ms += 20) {
		if (count_marked() == expected)
			return true;
		poll(NULL, 0, 20);
	}
	return false;
}

struct capture {
	struct text out, err;
};

static void capture_release(struct capture *capture)
{
	text_release(&capture->out);
	text_release(&capture->err);
}
CLEANUP_VALUE(struct capture, capture_release)

static enum process_wish capture_output(void *context, enum process_stream stream, const char *bytes, size_t n)
{
	struct capture *capture = context;

	text_add_bytes(stream == PROCESS_OUT ? &capture->out : &capture->err, bytes, n);
	return PROCESS_GO_ON;
}

/* `script` in a marked sh; what differs from the defaults is in `spec`. */
static struct process_result run_marked(struct process_spec spec, const char *script)
{
	const char *argv[] = {"sh", "-c", script, NULL};
	const char *env[] = {mark, NULL};
	struct process_result result = {.code = -1};
	struct error err = {0};

	spec.argv = argv;
	spec.env = env;
	if (spec.deadline_s <= 0)
		spec.deadline_s = PATIENCE_S;
	int r = process_run(&spec, &result, &err);
	assert_string_equal(err.message, "");
	assert_int_equal(r, 0);
	/* Each of the tests is one of this too. */
	assert_int_equal(count_marked(), 0);
	/* The guard was reaped. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	return result;
}

static struct process_result run_script(struct process_spec spec, const char *script)
{
	mark_renew();
	return run_marked(spec, script);
}

static void assert_end(struct process_result result, enum process_end end, int code)
{
	assert_int_equal(result.end, end);
	assert_int_equal(result.code, code);
	assert_true(result.elapsed_s > 0);
}

static void test_ends(void **state)
{
	(void)state;
	assert_end(run_script((struct process_spec){0}, "exit 0"), PROCESS_EXITED, 0);
	assert_end(run_script((struct process_spec){0}, "exit 7"), PROCESS_EXITED, 7);
	assert_end(run_script((struct process_spec){0}, "kill -USR1 $$"), PROCESS_SIGNALLED, SIGUSR1);
	assert_end(run_script((struct process_spec){0}, "kill -KILL $$"), PROCESS_SIGNALLED, SIGKILL);
}

static void test_not_started(void **state)
{
	const char *missing[] = {"no-such-program-of-ours", NULL};
	const char *no_program[] = {"/etc/passwd", NULL};
	const char *there[] = {"true", NULL};
	struct process_spec spec = {.argv = missing, .deadline_s = PATIENCE_S};
	struct process_result result;
	struct error err;

	(void)state;
	assert_int_equal(process_run(&spec, &result, &err), 0);
	assert_end(result, PROCESS_NOT_STARTED, ENOENT);
	spec.argv = no_program;
	assert_int_equal(process_run(&spec, &result, &err), 0);
	assert_end(result, PROCESS_NOT_STARTED, EACCES);
	spec.argv = there;
	spec.folder = "/no/such/folder";
	assert_int_equal(process_run(&spec, &result, &err), ERROR_ENVIRONMENT);
	assert_non_null(strstr(err.message, "/no/such/folder"));
	assert_non_null(strstr(err.message, "true"));
}

static void test_surroundings(void **state)
{
	CLEANUP(capture_release) struct capture capture = {0};
	const char *argv[] = {"sh", "-c", "echo $KEPT $CHANGED $ADDED; pwd; wc -c; echo late >&2", NULL};
	const char *env[] = {"CHANGED=new", "ADDED=a=b", NULL};
	struct process_spec spec = {.argv = argv,
				    .env = env,
				    .folder = "/",
				    .deadline_s = PATIENCE_S,
				    .output = capture_output,
				    .context = &capture};
	struct process_result result;
	struct error err;

	(void)state;
	setenv("KEPT", "kept", 1);
	setenv("CHANGED", "old", 1);
	assert_int_equal(process_run(&spec, &result, &err), 0);
	assert_end(result, PROCESS_EXITED, 0);
	assert_string_equal(text_string(&capture.out), "kept new a=b\n/\n0\n");
	assert_string_equal(text_string(&capture.err), "late\n");
	assert_string_equal(getenv("CHANGED"), "old");
}

/* Descriptors: those of ours that close on exec are not in the program, nor are the pipes around it. */
static void test_descriptors(void **state)
{
	CLEANUP(capture_release) struct capture capture = {0};
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int ours = fcntl(null, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	(void)state;
	assert_true(ours > STDERR_FILENO);
	close(null);
	run_script((struct process_spec){.output = capture_output, .context = &capture},
		   "echo; for f in /proc/$$/fd/*; do [ -e $f ] && echo ${f##*/}; done");
	for (int fd = 0; fd < 100; fd++) {
		int flags = fcntl(fd, F_GETFD);
		char line[32];

		snprintf(line, sizeof(line), "\n%d\n", fd);
		bool expected = fd <= STDERR_FILENO || (flags >= 0 && !(flags & FD_CLOEXEC));
		assert_int_equal(strstr(text_string(&capture.out), line) != NULL, expected);
	}
	close(ours);
}

/* The pipes then take the standard numbers first. */
static void run_with_closed(unsigned closed)
{
	CLEANUP(capture_release) struct capture capture = {0};
	struct process_spec spec = {.output = capture_output, .context = &capture};
	int kept[3];

	for (int fd = 0; fd < 3; fd++) {
		kept[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 10);
		if (closed & 1U << fd)
			close(fd);
	}
	struct process_result result = run_script(spec, "echo out; echo err >&2; wc -c");

	for (int fd = 0; fd < 3; fd++) {
		if (kept[fd] < 0)
			continue;
		dup2(kept[fd], fd);
		close(kept[fd]);
	}
	assert_end(result, PROCESS_EXITED, 0);
	assert_string_equal(text_string(&capture.out), "out\n0\n");
	assert_string_equal(text_string(&capture.err), "err\n");
}

static void test_standard_descriptors_closed(void **state)
{
	(void)state;
	for (unsigned closed = 1; closed < 8; closed++)
		run_with_closed(closed);
}

static void test_signals_are_default(void **state)
{
	CLEANUP(capture_release) struct capture capture = {0};
	struct process_spec spec = {.output = capture_output, .context = &capture};
	sigset_t blocked, before;

	(void)state;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR2);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	signal(SIGUSR1, SIG_IGN);
	run_script(spec, "grep -E '^Sig(Blk|Ign)' /proc/self/status");
	signal(SIGUSR1, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	assert_string_equal(text_string(&capture.out), "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

static void test_deadline(void **state)
{
	static const char *const scripts[] = {
		"sleep 300",
		"trap '' TERM; while :; do sleep 1; done",
		"trap '' TERM; (trap '' TERM; setsid sh -c 'sleep 300; :' &) ; sleep 300; sleep 300",
		"kill -STOP $$",
		"setsid sh -c 'kill -STOP $$' & sleep 300",
		"exec >&- 2>&-; sleep 300",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
		struct process_spec spec = {.deadline_s = 0.3, .grace_s = 0.2};
		struct process_result result = run_script(spec, scripts[i]);

		assert_int_equal(result.end, PROCESS_DEADLINE);
		assert_true(result.elapsed_s >= 0.3);
	}
}

/* What the program does with its grace is part of its output. */
static void test_grace(void **state)
{
	CLEANUP(capture_release) struct capture capture = {0};
	struct process_spec spec = {
		.deadline_s = 0.5, .grace_s = PATIENCE_S, .output = capture_output, .context = &capture};

	(void)state;
	struct process_result result = run_script(spec, "trap 'echo tidy; exit 0' TERM; sleep 300 & wait");
	assert_int_equal(result.end, PROCESS_DEADLINE);
	assert_string_equal(text_string(&capture.out), "tidy\n");
}

/* Orphaned twice, in a session of its own: still found when the program ends by itself. */
static void test_daemon_dies_with_program(void **state)
{
	CLEANUP(capture_release) struct capture capture = {0};
	struct process_spec spec = {.output = capture_output, .context = &capture};

	(void)state;
	assert_end(run_script(spec, "trap 'exit 3' USR1; (setsid sh -c \"trap '' TERM; kill -USR1 $$; echo up; sleep "
				    "300; sleep 300\" &); "
				    "while :; do sleep 0.05; done"),
		   PROCESS_EXITED, 3);
	assert_string_equal(text_string(&capture.out), "up\n");
}

/* A helper at the end of a pipe may finish what it has. */
static void test_helper_finishes(void **state)
{
	CLEANUP(capture_release) struct capture capture = {0};
	struct process_spec spec = {.output = capture_output, .context = &capture};

	(void)state;
	assert_end(run_script(spec, "(sleep 0.02; echo last) & exit 0"), PROCESS_EXITED, 0);
	assert_string_equal(text_string(&capture.out), "last\n");
}

static volatile sig_atomic_t cancelled;

static void on_alarm(int number)
{
	(void)number;
	cancelled++;
}

static void alarm_every(long us)
{
	struct sigaction action = {.sa_handler = on_alarm};
	struct itimerval every = {.it_interval.tv_usec = us, .it_value.tv_usec = us};

	cancelled = 0;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

static void test_cancel(void **state)
{
	(void)state;
	alarm_every(300000);
	struct process_result result = run_script((struct process_spec){.cancel = &cancelled}, "sleep 300");
	alarm_every(0);
	assert_int_equal(result.end, PROCESS_CANCELLED);
}

static enum process_wish stop_at_output(void *context, enum process_stream stream, const char *bytes, size_t n)
{
	(void)stream, (void)bytes, (void)n;
	++*(int *)context;
	return PROCESS_STOP;
}

static enum process_wish stop_at_third_tick(void *context, double elapsed_s)
{
	int *ticks = context;

	assert_true(elapsed_s > 0.1 * *ticks);
	return ++*ticks >= 3 ? PROCESS_STOP : PROCESS_GO_ON;
}

static void test_stop(void **state)
{
	int calls = 0;

	(void)state;
	struct process_spec spec = {.output = stop_at_output, .context = &calls};
	assert_int_equal(run_script(spec, "trap 'exit 0' TERM; yes").end, PROCESS_STOPPED);
	assert_int_equal(calls, 1);
	calls = 0;
	assert_int_equal(run_script(spec, "echo short").end, PROCESS_STOPPED);
	assert_int_equal(calls, 1);
	calls = 0;
	spec = (struct process_spec){.tick = stop_at_third_tick, .context = &calls};
	assert_int_equal(run_script(spec, "sleep 300").end, PROCESS_STOPPED);
	assert_true(calls >= 3);
}

static void test_output_is_complete(void **state)
{
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(text_release) struct text expected = {0};
	struct process_spec spec = {.output = capture_output, .context = &capture};

	(void)state;
	for (int i = 1; i <= 300000; i++)
		text_format(&expected, "%d\n", i);
	assert_end(run_script(spec, "seq 1 300000 >&2 & seq 1 300000; wait"), PROCESS_EXITED, 0);
	assert_int_equal(capture.out.length, expected.length);
	assert_int_equal(capture.err.length, expected.length);
	assert_memory_equal(capture.out.bytes, expected.bytes, expected.length);
	assert_memory_equal(capture.err.bytes, expected.bytes, expected.length);
}

static enum process_wish count_output(void *context, enum process_stream stream, const char *bytes, size_t n)
{
	(void)bytes;
	((size_t *)context)[stream] += n;
	return PROCESS_GO_ON;
}

/* The program's side of the next test: fills a pipe larger than any one read, and is gone. */
static int write_wide(void)
{
	CLEANUP(mem_free) char *bytes = mem_new(WIDE_BYTES, 1);

	return fcntl(STDOUT_FILENO, F_SETPIPE_SZ, WIDE_BYTES) >= WIDE_BYTES &&
			       file_write_all(STDOUT_FILENO, "output", bytes, WIDE_BYTES, NULL) == 0
		       ? 0
		       : 1;
}

static enum process_wish count_when_dead(void *context, enum process_stream stream, const char *bytes, size_t n)
{
	assert_true(wait_for_marked(0));
	return count_output(context, stream, bytes, n);
}

static void test_rest_after_end(void **state)
{
	size_t counts[2] = {0};
	const char *argv[] = {"/proc/self/exe", "write-wide", NULL};
	const char *env[] = {mark, NULL};
	struct process_spec spec = {
		.argv = argv, .env = env, .deadline_s = PATIENCE_S, .output = count_when_dead, .context = counts};
	struct process_result result;
	struct error err;

	(void)state;
	mark_renew();
	assert_int_equal(process_run(&spec, &result, &err), 0);
	assert_end(result, PROCESS_EXITED, 0);
	assert_int_equal(counts[PROCESS_OUT], WIDE_BYTES);
}

/* Much of it, while a timer interrupts every call. */
static void test_interrupted_flood(void **state)
{
	size_t counts[2] = {0};
	struct process_spec spec = {.output = count_output, .context = counts};

	(void)state;
	alarm_every(1000);
	struct process_result result =
		run_script(spec, "head -c 100000000 /dev/zero & head -c 5000000 /dev/zero >&2; wait; sleep 0.1");
	int alarms = cancelled;

	alarm_every(0);
	assert_end(result, PROCESS_EXITED, 0);
	assert_true(alarms > 10);
	assert_int_equal(counts[PROCESS_OUT], 100000000);
	assert_int_equal(counts[PROCESS_ERR], 5000000);
}

static enum process_wish kill_named(void *context, enum process_stream stream, const char *bytes, size_t n)
{
	int64_t pid;

	(void)context, (void)stream;
	assert_true(number_parse_int(bytes, n - 1, &pid));
	assert_int_equal(kill((pid_t)pid, SIGKILL), 0);
	return PROCESS_GO_ON;
}

static void test_guard_killed(void **state)
{
	struct process_spec spec = {.output = kill_named};

	(void)state;
	assert_end(run_script(spec, "(sleep 300 &); sleep 300 & echo $PPID; sleep 300"), PROCESS_SIGNALLED, SIGKILL);
}

/*
 * This process stands for one that dies in mid-run: `held` is a descriptor of the caller's, as a lock would be, that
 * only the guard still has then.
 */
static pid_t fork_victim(const char *script, const int held[2])
{
	pid_t victim = fork();

	assert_true(victim >= 0);
	if (victim > 0)
		return victim;
	close(held[0]);
	run_marked((struct process_spec){.grace_s = PATIENCE_S}, script);
	_exit(0);
}

static void test_nothing_survives_us(void **state)
{
	static const struct {
		const char *script;
		size_t processes;
	} cases[] = {
		{"setsid sh -c 'sleep 300; :' & sleep 300; :", 4},
		{"trap '' TERM; (setsid sh -c \"sleep 300; :\" &); sleep 300; :", 4},
		{"setsid sh -c 'kill -STOP $$; :' & exec sleep 300", 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int held[2];

		assert_int_equal(pipe2(held, O_CLOEXEC), 0);
		mark_renew();
		pid_t victim = fork_victim(cases[i].script, held);

		close(held[1]);
		assert_true(wait_for_marked(cases[i].processes));
		assert_int_equal(kill(victim, SIGKILL), 0);
		assert_int_equal(waitpid(victim, NULL, 0), victim);

		struct pollfd polled = {.fd = held[0], .events = POLLIN};

		assert_int_equal(poll(&polled, 1, FULL_PATIENCE_MS), 1);
		assert_true(polled.revents & POLLHUP);
		/* At once: the guard let go of what it held only after the last of them. */
		assert_int_equal(count_marked(), 0);
		close(held[0]);
	}
}

static void test_find(void **state)
{
	CLEANUP(mem_free) char *path = mem_dup_string(getenv("PATH"));
	CLEANUP(mem_free) char *same = process_find("/bin/sh");

	(void)state;
	setenv("PATH", "/no/such/folder:/bin", 1);
	CLEANUP(mem_free) char *sh = process_find("sh");
	assert_null(process_find("no-such-program-of-ours"));
	assert_null(process_find(""));
	setenv("PATH", "/etc:/", 1);
	assert_null(process_find("passwd"));
	assert_null(process_find("bin"));
	assert_null(process_find("sh"));
	setenv("PATH", path, 1);
	assert_string_equal(sh, "/bin/sh");
	assert_string_equal(same, "/bin/sh");
	assert_null(process_find("/etc/passwd"));
	assert_null(process_find("/bin"));
	assert_null(process_find("/no/such/program"));
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "write-wide") == 0)
		return write_wide();

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_not_started),
		cmocka_unit_test(test_surroundings),
		cmocka_unit_test(test_descriptors),
		cmocka_unit_test(test_standard_descriptors_closed),
		cmocka_unit_test(test_signals_are_default),
		cmocka_unit_test(test_deadline),
		cmocka_unit_test(test_grace),
		cmocka_unit_test(test_daemon_dies_with_program),
		cmocka_unit_test(test_helper_finishes),
		cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_output_is_complete),
		cmocka_unit_test(test_rest_after_end),
		cmocka_unit_test(test_interrupted_flood),
		cmocka_unit_test(test_guard_killed),
		cmocka_unit_test(test_nothing_survives_us),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
