#include "base/json_writer.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_writer_release(struct json_writer *writer)
{
	text_release(&writer->text);
}

static void line_break(struct json_writer *writer, int depth)
{
	if (depth > writer->open_depth)
		return;
	text_add_char(&writer->text, '\n');
}

static void indent(struct json_writer *writer)
{
	if (writer->depth > writer->open_depth)
		return;
	for (int i = 0; i < writer->depth; i++)
		text_add(&writer->text, "  ");
}

/* What stands before a value or a key: a comma, a line break, nothing after a key. */
static void before_item(struct json_writer *writer)
{
	if (writer->after_key) {
		writer->after_key = false;
		return;
	}
	if (writer->depth == 0)
		return;
	if (!writer->first)
		text_add_char(&writer->text, ',');
	line_break(writer, writer->depth);
	indent(writer);
	writer->first = false;
}

static void begin(struct json_writer *writer, char bracket)
{
	before_item(writer);
	text_add_char(&writer->text, bracket);
	writer->depth++;
	writer->first = true;
}

static void end(struct json_writer *writer, char bracket)
{
	bool empty = writer->first;

	writer->depth--;
	if (!empty) {
		line_break(writer, writer->depth + 1);
		if (writer->depth + 1 <= writer->open_depth)
			indent(writer);
	}
	text_add_char(&writer->text, bracket);
	writer->first = false;
}

void json_write_begin_object(struct json_writer *writer)
{
	begin(writer, '{');
}

void json_write_end_object(struct json_writer *writer)
{
	end(writer, '}');
}

void json_write_begin_array(struct json_writer *writer)
{
	begin(writer, '[');
}

void json_write_end_array(struct json_writer *writer)
{
	end(writer, ']');
}

static void add_quoted(struct text *text, const char *string)
{
	size_t n = strlen(string);
	CLEANUP(mem_free) char *clean = utf8_check(string, n) ? NULL : utf8_clean(string, n);

	text_add_char(text, '"');
	for (const char *at = clean ? clean : string; *at; at++) {
		unsigned char c = (unsigned char)*at;

		if (c == '"' || c == '\\')
			text_add_char(text, '\\');
		if (c == '\n')
			text_add(text, "\\n");
		else if (c == '\t')
			text_add(text, "\\t");
		else if (c == '\r')
			text_add(text, "\\r");
		else if (c < 0x20 || c == 0x7f)
			text_format(text, "\\u%04x", c);
		else
			text_add_char(text, *at);
	}
	text_add_char(text, '"');
}

void json_write_key(struct json_writer *writer, const char *key)
{
	before_item(writer);
	add_quoted(&writer->text, key);
	text_add(&writer->text, writer->open_depth > 0 ? ": " : ":");
	writer->after_key = true;
}

void json_write_string(struct json_writer *writer, const char *string)
{
	before_item(writer);
	if (string)
		add_quoted(&writer->text, string);
	else
		text_add(&writer->text, "null");
}

void json_write_number(struct json_writer *writer, double value)
{
	char buffer[40];

	before_item(writer);
	if (!isfinite(value)) {
		text_add(&writer->text, "null");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buffer, sizeof(buffer), "%.*g", digits, value);
		if (strtod(buffer, NULL) == value)
			break;
	}
	/* The process's locale may print another decimal point. */
	for (char *at = buffer; *at; at++) {
		if (!strchr("0123456789+-eE.", *at))
			*at = '.';
	}
	text_add(&writer->text, buffer);
}

void json_write_integer(struct json_writer *writer, int64_t value)
{
	before_item(writer);
	text_format(&writer->text, "%lld", (long long)value);
}

void json_write_bool(struct json_writer *writer, bool value)
{
	before_item(writer);
	text_add(&writer->text, value ? "true" : "false");
}

void json_write_null(struct json_writer *writer)
{
	json_write_string(writer, NULL);
}

void json_write_key_string(struct json_writer *writer, const char *key, const char *string)
{
	json_write_key(writer, key);
	json_write_string(writer, string);
}

void json_write_key_number(struct json_writer *writer, const char *key, double value)
{
	json_write_key(writer, key);
	json_write_number(writer, value);
}

void json_write_key_integer(struct json_writer *writer, const char *key, int64_t value)
{
	json_write_key(writer, key);
	json_write_integer(writer, value);
}

void json_write_key_bool(struct json_writer *writer, const char *key, bool value)
{
	json_write_key(writer, key);
	json_write_bool(writer, value);
}
