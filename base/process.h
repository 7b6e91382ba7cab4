/*
 * A child program under watch: started without a shell, its output handed over as it comes, ended by a deadline or a
 * wish, and nothing of it left alive: not its children, not when this process is killed in mid-run.
 *
 * Between this process and the program stands a guard: a forked child in a session of its own that adopts the program's
 * orphans (child subreaper) and holds a socket from here. When the program ends, or the socket closes because this
 * process died, the guard kills what is left of the program's tree.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/error.h"

#include <signal.h>
#include <stddef.h>

enum process_stream { PROCESS_OUT, PROCESS_ERR };

/* What a callback wants. */
enum process_wish { PROCESS_GO_ON, PROCESS_STOP };

enum process_end {
	PROCESS_EXITED,      /* code: exit status */
	PROCESS_SIGNALLED,   /* code: signal */
	PROCESS_DEADLINE,    /* ended by us after deadline_s */
	PROCESS_CANCELLED,   /* ended by us because *cancel became nonzero */
	PROCESS_STOPPED,     /* ended by us because a callback wished it */
	PROCESS_NOT_STARTED, /* the program cannot be executed; code: errno */
};

struct process_spec {
	const char *const *argv; /* NULL-terminated; argv[0] is searched in PATH */
	const char *const *env;  /* "NAME=value" over the inherited environment, NULL-terminated; NULL: none */
	const char *folder;      /* working folder; NULL: ours */
	double deadline_s;       /* > 0 */
	double grace_s;          /* between SIGTERM and SIGKILL; 0: 2 s */
	const volatile sig_atomic_t *cancel; /* NULL: none */
	/** Bytes as they came; NULL: dropped. */
	enum process_wish (*output)(void *context, enum process_stream stream, const char *bytes, size_t n);
	/** Called about every 200 ms while the program runs; NULL: none. */
	enum process_wish (*tick)(void *context, double elapsed_s);
	void *context;
};

struct process_result {
	enum process_end end;
	int code;
	double elapsed_s;
};

/**
 * Run a program to its end. When it returns, no process of the program's tree is alive and its output is complete.
 *
 * @return 0, however the program ended; ERROR_ENVIRONMENT when no process or pipe can be had or the folder not entered
 */
int process_run(const struct process_spec *spec, struct process_result *ret_result, struct error *err);

/** The path of a program as PATH finds it, on the heap; NULL when there is none. A name with '/' is only checked. */
char *process_find(const char *name);

#endif
