/*
 * Errors: a kind for the exit code, a message for the person. Takes nothing from other rooms; prints nothing.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>

/* Negative, so that a fallible function returns 0 or one of these. */
enum error_kind {
	ERROR_USAGE = -2,       /* the command line is wrong (exit 2) */
	ERROR_DATA = -3,        /* an input is wrong: file, line and field are in the message (exit 3) */
	ERROR_ENVIRONMENT = -4, /* missing program or folder, no permission, disk full (exit 4) */
	ERROR_INTERNAL = -5,    /* a bug of ours (exit 5) */
};

#define ERROR_MESSAGE_MAX 2048

struct error {
	enum error_kind kind;
	char message[ERROR_MESSAGE_MAX];
};

/**
 * Fill an error.
 *
 * @param err     may be NULL
 * @param kind    what went wrong
 * @param format  printf style; lower case, quotes its subject, no full stop
 * @return kind, so that callers write `return error_set(...)`
 */
int error_set(struct error *err, enum error_kind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

/**
 * Put context before the message that err already holds ("context: message").
 *
 * @return r unchanged
 */
int error_wrap(int r, struct error *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** The exit code for a kind: 2 to 5. */
int error_exit_code(int kind);

#endif
