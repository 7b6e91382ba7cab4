#include "base/error.h"

#include <stdio.h>
#include <string.h>

int error_set(struct error *err, enum error_kind kind, const char *format, ...)
{
	if (!err)
		return kind;
	va_list args;
	va_start(args, format);
	err->kind = kind;
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	return kind;
}

int error_wrap(int r, struct error *err, const char *format, ...)
{
	if (!err)
		return r;
	char inner[ERROR_MESSAGE_MAX];
	memcpy(inner, err->message, sizeof(inner));
	va_list args;
	va_start(args, format);
	int n = vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	size_t used = n < 0 ? 0 : (size_t)n;
	if (used + 2 < sizeof(err->message)) {
		memcpy(err->message + used, ": ", 2);
		used += 2;
		size_t room = sizeof(err->message) - used - 1;
		size_t length = strlen(inner) < room ? strlen(inner) : room;
		memcpy(err->message + used, inner, length);
		err->message[used + length] = '\0';
	}
	return r;
}

int error_exit_code(int kind)
{
	return kind < 0 && kind >= ERROR_INTERNAL ? -kind : -ERROR_INTERNAL;
}
