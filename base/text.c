#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_release(struct text *text)
{
	free(text->bytes);
	*text = (struct text){0};
}

void text_add_bytes(struct text *text, const char *bytes, size_t n)
{
	text->bytes = mem_grow(text->bytes, &text->capacity, text->length + n + 1, 1);
	if (n)
		memcpy(text->bytes + text->length, bytes, n);
	text->length += n;
	text->bytes[text->length] = '\0';
}

void text_add(struct text *text, const char *string)
{
	text_add_bytes(text, string, strlen(string));
}

void text_add_char(struct text *text, char c)
{
	text_add_bytes(text, &c, 1);
}

void text_format(struct text *text, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n > 0) {
		text->bytes = mem_grow(text->bytes, &text->capacity, text->length + (size_t)n + 1, 1);
		vsnprintf(text->bytes + text->length, (size_t)n + 1, format, again);
		text->length += (size_t)n;
	}
	va_end(again);
}

void text_clear(struct text *text)
{
	text->length = 0;
	if (text->bytes)
		text->bytes[0] = '\0';
}

const char *text_string(const struct text *text)
{
	return text->bytes ? text->bytes : "";
}

char *text_take(struct text *text)
{
	if (!text->bytes)
		text_add_bytes(text, "", 0);
	char *bytes = text->bytes;
	*text = (struct text){0};
	return bytes;
}

bool text_equal(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}
