#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "base/process_guard.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/process_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE_DEFAULT_S 2.0

/* A program that is through leaves helpers that are about to end (a tee at the end of its pipe): wait, then ask, then
 * kill. */
#define LINGER_QUIET_S 0.1
#define LINGER_ASKED_S 0.2

/* Nobody waits for the grace of an orphaned tree: it is in the way of whoever comes next. */
#define ORPHAN_GRACE_S 0.2

/* Between two rounds of SIGKILL: for what was forked during the last one. */
#define KILL_AGAIN_MS 10

enum program_state { PROGRAM_RUNS, PROGRAM_ENDED };

struct guard {
	double grace_s;
	int wire;    /* -1 once nobody is there */
	int death;   /* signalfd of SIGCHLD */
	int trouble; /* read end: what kept the program from starting, nothing when exec worked */
	pid_t program;
	double ask_at_s, kill_at_s; /* monotonic; INFINITY: not planned */
	struct guard_report report;
	enum program_state program_state;
};

/* What the program's process writes when it cannot become the program. */
struct trouble {
	enum guard_outcome outcome;
	int code;
};

static void signals_to_default(void)
{
	/* The C library refuses to touch the two that it keeps for itself. */
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
}

static _Noreturn void program_fail(int fd, enum guard_outcome outcome)
{
	struct trouble trouble = {.outcome = outcome, .code = errno};

	/* Smaller than a pipe's buffer: all or nothing, and nothing cannot be helped. */
	if (write(fd, &trouble, sizeof(trouble)) < 0)
		_exit(126);
	_exit(127);
}

static _Noreturn void program_exec(const struct process_spec *spec, const struct guard_ends *ends, pid_t guard,
				   int trouble)
{
	sigset_t none;
	int null = open("/dev/null", O_RDONLY);

	/* The guard may be killed too: then at least the program goes with it. */
	if (null < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || setpgid(0, 0) < 0)
		program_fail(trouble, GUARD_NO_PROCESS);
	if (getppid() != guard)
		_exit(127);
	if (dup2(null, STDIN_FILENO) < 0 || dup2(ends->output[PROCESS_OUT][1], STDOUT_FILENO) < 0 ||
	    dup2(ends->output[PROCESS_ERR][1], STDERR_FILENO) < 0)
		program_fail(trouble, GUARD_NO_PROCESS);
	if (null > STDERR_FILENO)
		close(null);
	if (spec->folder && chdir(spec->folder) < 0)
		program_fail(trouble, GUARD_NO_FOLDER);
	for (size_t i = 0; spec->env && spec->env[i]; i++)
		if (putenv(mem_dup_string(spec->env[i])) != 0)
			program_fail(trouble, GUARD_NO_PROCESS);
	signals_to_default();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvp(spec->argv[0], (char *const *)spec->argv);
	program_fail(trouble, GUARD_NO_PROGRAM);
}

static void program_ended(struct guard *guard, int status)
{
	struct trouble trouble;
	double now_s = clock_monotonic_s();

	guard->program_state = PROGRAM_ENDED;
	guard->report.ended_s = now_s;
	/* The other end was in the program's process alone: this cannot block. */
	if (read(guard->trouble, &trouble, sizeof(trouble)) == (ssize_t)sizeof(trouble)) {
		guard->report.outcome = trouble.outcome;
		guard->report.code = trouble.code;
	} else if (guard->report.outcome == GUARD_ENDED) {
		guard->report.code = status;
	}
	if (guard->kill_at_s < INFINITY)
		return;
	guard->ask_at_s = now_s + LINGER_QUIET_S;
	guard->kill_at_s = guard->ask_at_s + LINGER_ASKED_S;
}

enum reaped { REAPED_SOME, REAPED_ALL };

static enum reaped reap(struct guard *guard)
{
	struct signalfd_siginfo told;
	int status;

	/* Before the reaping, so that a death after it is told anew. */
	while (read(guard->death, &told, sizeof(told)) > 0)
		continue;
	for (;;) {
		pid_t pid = waitpid(-1, &status, WNOHANG | __WALL);

		if (pid == 0 || (pid < 0 && errno != ECHILD))
			return REAPED_SOME;
		if (pid < 0)
			return REAPED_ALL;
		if (pid == guard->program && guard->program_state == PROGRAM_RUNS)
			program_ended(guard, status);
	}
}

static void hear(struct guard *guard)
{
	char wish;
	ssize_t n = recv(guard->wire, &wish, 1, MSG_DONTWAIT);
	double now_s = clock_monotonic_s();

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n > 0 && guard->program_state == PROGRAM_RUNS && guard->kill_at_s == INFINITY) {
		guard->report.outcome = GUARD_STOPPED;
		guard->ask_at_s = now_s;
		guard->kill_at_s = now_s + guard->grace_s;
	}
	if (n <= 0) {
		close(guard->wire);
		guard->wire = -1;
		if (guard->kill_at_s == INFINITY)
			guard->ask_at_s = now_s;
		guard->kill_at_s = fmin(guard->kill_at_s, now_s + ORPHAN_GRACE_S);
	}
}

/* Signals that are due; how long may be slept until the next, as poll() takes it. */
static int act(struct guard *guard)
{
	double now_s = clock_monotonic_s();

	if (now_s >= guard->kill_at_s) {
		process_tree_signal(getpid(), SIGKILL);
		return KILL_AGAIN_MS;
	}
	if (now_s >= guard->ask_at_s) {
		process_tree_signal(getpid(), SIGTERM);
		guard->ask_at_s = INFINITY;
	}
	double next_s = fmin(guard->ask_at_s, guard->kill_at_s) - now_s;

	return next_s == INFINITY ? -1 : (int)fmin(ceil(next_s * 1e3), 60e3);
}

static void watch(struct guard *guard)
{
	while (reap(guard) == REAPED_SOME) {
		struct pollfd polled[] = {{.fd = guard->death, .events = POLLIN},
					  {.fd = guard->wire, .events = POLLIN}};

		/* No poll in short steps: a guard that wakes up would be noise in what the program measures. */
		if (poll(polled, 2, act(guard)) > 0 && polled[1].revents)
			hear(guard);
	}
}

/* The session comes first: from then on the terminal's signals no longer reach the guard. */
static int guard_settle(struct guard *guard)
{
	static const int ignored[] = {SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
	sigset_t children;

	setsid();
	signals_to_default();
	/* Whoever wants the guard gone ends the process that it serves; by name both may be meant. */
	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	prctl(PR_SET_NAME, "process-guard");
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0 || sigprocmask(SIG_SETMASK, &children, NULL) < 0)
		return -1;
	guard->death = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
	return guard->death < 0 ? -1 : 0;
}

static int guard_start(struct guard *guard, const struct process_spec *spec, const struct guard_ends *ends)
{
	int trouble[2];
	pid_t self = getpid();

	if (guard_settle(guard) < 0 || pipe2(trouble, O_CLOEXEC) < 0)
		return -1;
	guard->program = fork();
	if (guard->program < 0)
		return -1;
	if (guard->program == 0)
		program_exec(spec, ends, self, trouble[1]);
	close(trouble[1]);
	close(ends->output[PROCESS_OUT][1]);
	close(ends->output[PROCESS_ERR][1]);
	guard->trouble = trouble[0];
	return 0;
}

void guard_run(const struct process_spec *spec, const struct guard_ends *ends)
{
	struct guard guard = {
		.grace_s = spec->grace_s > 0 ? spec->grace_s : GRACE_DEFAULT_S,
		.wire = ends->wire[1],
		.ask_at_s = INFINITY,
		.kill_at_s = INFINITY,
	};

	close(ends->wire[0]);
	close(ends->output[PROCESS_OUT][0]);
	close(ends->output[PROCESS_ERR][0]);
	if (guard_start(&guard, spec, ends) < 0)
		guard.report = (struct guard_report){.outcome = GUARD_NO_PROCESS, .code = errno};
	else
		watch(&guard);
	if (guard.wire >= 0)
		send(guard.wire, &guard.report, sizeof(guard.report), MSG_NOSIGNAL);
	_exit(0);
}
