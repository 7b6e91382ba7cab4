/*
 * The guard's side of process_run(): the process between us and the program.
 */
#ifndef BASE_PROCESS_GUARD_H
#define BASE_PROCESS_GUARD_H

#include "base/process.h"

/* Index 0 is our end, index 1 the guard's; for output they are the read and the write end. All close on exec. */
struct guard_ends {
	int wire[2];      /* a socket pair: a byte to the guard asks for the end, a struct guard_report comes back */
	int output[2][2]; /* by enum process_stream */
};

enum guard_outcome {
	GUARD_ENDED,      /* code: wait status of a program that ended by itself */
	GUARD_STOPPED,    /* the program was still running when the end was asked for */
	GUARD_NO_PROGRAM, /* code: errno of exec */
	GUARD_NO_FOLDER,  /* code: errno of chdir */
	GUARD_NO_PROCESS, /* code: errno of what a process needs before it can run a program */
};

/* Sent when no process of the tree is left. */
struct guard_report {
	enum guard_outcome outcome;
	int code;
	double ended_s; /* when the program ended, on the monotonic clock */
};

/** What runs in the forked guard. Descriptors that are not in `ends` stay open as long as it lives. */
_Noreturn void guard_run(const struct process_spec *spec, const struct guard_ends *ends);

#endif
