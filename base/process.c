#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "base/process.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/process_guard.h"
#include "base/process_tree.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_S 0.2
#define READ_BYTES 65536

/* More than a pipe holds. */
#define DRAIN_ROUNDS 1024

/* An orphan that the guard left behind dies within a few of these, or hangs in the kernel and cannot be waited for. */
#define ORPHAN_ROUND_MS 10
#define ORPHAN_ROUNDS 200

enum report_state { REPORT_AWAITED, REPORT_IN, REPORT_LOST };

struct run {
	const struct process_spec *spec;
	struct guard_ends ends; /* closed ones are -1 */
	pid_t guard;
	double started_s, tick_at_s;
	enum process_end wish; /* why we asked for the end; PROCESS_EXITED: we did not */
	bool muted;            /* the output callback wished to stop: it gets no more */
	enum report_state report_state;
	struct guard_report report;
	char bytes[READ_BYTES];
};

static void end_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void run_release(struct run *run)
{
	for (size_t i = 0; i < 2; i++) {
		end_close(&run->ends.wire[i]);
		end_close(&run->ends.output[PROCESS_OUT][i]);
		end_close(&run->ends.output[PROCESS_ERR][i]);
	}
}
CLEANUP_VALUE(struct run, run_release)

static int run_start(struct run *run, struct error *err)
{
	const char *program = run->spec->argv[0];

	/* In this order: should we have no standard descriptors, their numbers go to ends that the program never holds.
	 */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, run->ends.wire) < 0 ||
	    pipe2(run->ends.output[PROCESS_OUT], O_CLOEXEC) < 0 || pipe2(run->ends.output[PROCESS_ERR], O_CLOEXEC) < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot run '%s': no pipe: %s", program, strerror(errno));
	run->started_s = clock_monotonic_s();
	run->tick_at_s = run->started_s + TICK_S;
	run->guard = fork();
	if (run->guard < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot run '%s': no process: %s", program, strerror(errno));
	if (run->guard == 0)
		guard_run(run->spec, &run->ends);
	end_close(&run->ends.wire[1]);
	end_close(&run->ends.output[PROCESS_OUT][1]);
	end_close(&run->ends.output[PROCESS_ERR][1]);
	return 0;
}

/* The first wish counts; a guard that is gone already needs none. */
static void ask_for_end(struct run *run, enum process_end why)
{
	if (run->wish != PROCESS_EXITED)
		return;
	run->wish = why;
	while (send(run->ends.wire[0], "", 1, MSG_NOSIGNAL) < 0 && errno == EINTR)
		continue;
}

static void read_output(struct run *run, enum process_stream stream)
{
	const struct process_spec *spec = run->spec;
	ssize_t n = read(run->ends.output[stream][0], run->bytes, sizeof(run->bytes));

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		end_close(&run->ends.output[stream][0]);
		return;
	}
	if (!spec->output || run->muted)
		return;
	if (spec->output(spec->context, stream, run->bytes, (size_t)n) == PROCESS_STOP) {
		run->muted = true;
		ask_for_end(run, PROCESS_STOPPED);
	}
}

static void read_report(struct run *run)
{
	ssize_t n = recv(run->ends.wire[0], &run->report, sizeof(run->report), MSG_WAITALL);

	if (n < 0 && errno == EINTR)
		return;
	run->report_state = n == (ssize_t)sizeof(run->report) ? REPORT_IN : REPORT_LOST;
}

static void look_at_clock(struct run *run)
{
	const struct process_spec *spec = run->spec;
	double now_s = clock_monotonic_s();

	if (spec->cancel && *spec->cancel)
		ask_for_end(run, PROCESS_CANCELLED);
	if (now_s - run->started_s >= spec->deadline_s)
		ask_for_end(run, PROCESS_DEADLINE);
	if (now_s < run->tick_at_s)
		return;
	run->tick_at_s = now_s + TICK_S;
	if (spec->tick && spec->tick(spec->context, now_s - run->started_s) == PROCESS_STOP)
		ask_for_end(run, PROCESS_STOPPED);
}

static int sleep_ms(const struct run *run)
{
	double until_s = run->tick_at_s;

	if (run->wish == PROCESS_EXITED)
		until_s = fmin(until_s, run->started_s + run->spec->deadline_s);
	return (int)ceil(fmax(until_s - clock_monotonic_s(), 0) * 1e3);
}

enum run_event { RUN_EVENT, RUN_QUIET };

static enum run_event run_poll(struct run *run, int timeout_ms)
{
	struct pollfd polled[] = {
		{.fd = run->ends.output[PROCESS_OUT][0], .events = POLLIN},
		{.fd = run->ends.output[PROCESS_ERR][0], .events = POLLIN},
		{.fd = run->report_state == REPORT_AWAITED ? run->ends.wire[0] : -1, .events = POLLIN},
	};
	int n = poll(polled, 3, timeout_ms);

	if (n < 0 && errno == EINTR)
		return RUN_EVENT;
	if (n <= 0)
		return RUN_QUIET;
	if (polled[0].revents)
		read_output(run, PROCESS_OUT);
	if (polled[1].revents)
		read_output(run, PROCESS_ERR);
	if (polled[2].revents)
		read_report(run);
	return RUN_EVENT;
}

/* A guard that was killed cannot clear up: what kept its session is found by it while its number is not reaped. */
static void clear_up_after_guard(const struct run *run)
{
	kill(run->guard, SIGKILL);
	for (int round = 0; round < ORPHAN_ROUNDS && process_tree_signal(run->guard, SIGKILL) > 0; round++)
		poll(NULL, 0, ORPHAN_ROUND_MS);
}

static void run_watch(struct run *run)
{
	while (run->report_state == REPORT_AWAITED) {
		look_at_clock(run);
		run_poll(run, sleep_ms(run));
	}
	if (run->report_state == REPORT_LOST)
		clear_up_after_guard(run);
	while (waitpid(run->guard, NULL, 0) < 0 && errno == EINTR)
		continue;
	/* The writers are dead, so all they wrote is there already. A stranger who was handed the pipe may hold the end
	 * of file back, or even write on: neither may keep us. */
	for (int round = 0; round < DRAIN_ROUNDS && run_poll(run, 0) == RUN_EVENT; round++)
		continue;
}

static void result_of_status(int status, struct process_result *ret_result)
{
	bool signalled = WIFSIGNALED(status);

	ret_result->end = signalled ? PROCESS_SIGNALLED : PROCESS_EXITED;
	ret_result->code = signalled ? WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_result(const struct run *run, struct process_result *ret_result, struct error *err)
{
	const struct process_spec *spec = run->spec;
	const struct guard_report *report = &run->report;

	*ret_result = (struct process_result){.end = run->wish};
	if (run->report_state == REPORT_LOST) {
		ret_result->elapsed_s = clock_monotonic_s() - run->started_s;
		ret_result->end = PROCESS_SIGNALLED;
		ret_result->code = SIGKILL;
		return 0;
	}
	ret_result->elapsed_s = report->ended_s - run->started_s;
	switch (report->outcome) {
	case GUARD_NO_FOLDER:
		return error_set(err, ERROR_ENVIRONMENT, "cannot run '%s' in folder '%s': %s", spec->argv[0],
				 spec->folder, strerror(report->code));
	case GUARD_NO_PROCESS:
		return error_set(err, ERROR_ENVIRONMENT, "cannot run '%s': no process: %s", spec->argv[0],
				 strerror(report->code));
	case GUARD_NO_PROGRAM:
		ret_result->end = PROCESS_NOT_STARTED;
		ret_result->code = report->code;
		return 0;
	case GUARD_ENDED:
		/* A callback's wish is told even when the program was faster; a deadline that did nothing is not. */
		if (run->wish != PROCESS_STOPPED)
			result_of_status(report->code, ret_result);
		return 0;
	case GUARD_STOPPED:
		return 0;
	}
	return 0;
}

int process_run(const struct process_spec *spec, struct process_result *ret_result, struct error *err)
{
	CLEANUP(run_release)
	struct run run = {
		.spec = spec,
		.ends = {.wire = {-1, -1}, .output = {{-1, -1}, {-1, -1}}},
		.wish = PROCESS_EXITED,
		.report_state = REPORT_AWAITED,
	};

	int r = run_start(&run, err);
	if (r < 0)
		return r;
	run_watch(&run);
	return run_result(&run, ret_result, err);
}

static bool is_program(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *process_find(const char *name)
{
	/* What execvp() takes when there is no PATH. */
	const char *folders = getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin";

	if (strchr(name, '/'))
		return is_program(name) ? mem_dup_string(name) : NULL;
	for (const char *at = folders; *name; at++) {
		CLEANUP(text_release) struct text path = {0};
		size_t n = strcspn(at, ":");

		/* An empty element is the working folder. */
		text_add_bytes(&path, n > 0 ? at : ".", n > 0 ? n : 1);
		text_format(&path, "/%s", name);
		if (is_program(path.bytes))
			return text_take(&path);
		at += n;
		if (*at == '\0')
			break;
	}
	return NULL;
}
