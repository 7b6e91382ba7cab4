#include "cli/terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const colour_codes[] = {
	[TERMINAL_PLAIN] = "",          [TERMINAL_GREEN] = "\033[32m", [TERMINAL_RED] = "\033[31m",
	[TERMINAL_YELLOW] = "\033[33m", [TERMINAL_GREY] = "\033[90m",
};

bool terminal_colours(void)
{
	const char *no_colour = getenv("NO_COLOR");
	return isatty(STDOUT_FILENO) && !(no_colour && *no_colour);
}

/* Length of the well-formed printable sequence that starts here, or 0. */
static size_t printable_length(const unsigned char *s)
{
	if (s[0] < 0x80)
		return s[0] >= 0x20 && s[0] != 0x7f;
	size_t n = s[0] >= 0xc2 && s[0] < 0xe0   ? 2
		   : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
		   : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
						 : 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	bool control = n == 2 && s[0] == 0xc2 && s[1] < 0xa0;
	bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
	bool beyond = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90);
	/* U+200E..F, U+202A..E and U+2066..9 reorder what a terminal shows */
	bool reorders = n == 3 && s[0] == 0xe2 &&
			((s[1] == 0x80 && (s[2] == 0x8e || s[2] == 0x8f || (s[2] >= 0xaa && s[2] <= 0xae))) ||
			 (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9));
	return control || overlong || beyond || reorders ? 0 : n;
}

static void escape(struct text *text, const char *string, const char *signs)
{
	const unsigned char *s = (const unsigned char *)string;
	while (*s != '\0') {
		size_t n = printable_length(s);
		if (n == 0) {
			text_format(text, "\\x%02x", *s);
			n = 1;
		} else {
			if (n == 1 && strchr(signs, *s))
				text_add_char(text, '\\');
			text_add_bytes(text, (const char *)s, n);
		}
		s += n;
	}
}

void terminal_escape(struct text *text, const char *string)
{
	escape(text, string, "");
}

void terminal_escape_markdown(struct text *text, const char *string)
{
	escape(text, string, "\\|*_`<>[]#!&~");
}

void terminal_table_release(struct terminal_table *table)
{
	for (size_t i = 0; i < table->n_cells; i++)
		free(table->cells[i].text);
	free(table->cells);
	*table = (struct terminal_table){0};
}

void terminal_add(struct terminal_table *table, enum terminal_colour colour, const char *string)
{
	table->cells = mem_grow(table->cells, &table->capacity, table->n_cells + 1, sizeof(*table->cells));
	table->cells[table->n_cells++] = (struct terminal_cell){.text = mem_dup_string(string), .colour = colour};
}

void terminal_print_line(enum terminal_colour colour, const char *text)
{
	bool paint = colour != TERMINAL_PLAIN && terminal_colours();
	printf("%s%s%s\n", paint ? colour_codes[colour] : "", text, paint ? "\033[0m" : "");
}

void terminal_duration(struct text *text, double seconds)
{
	if (seconds < 0.995)
		text_format(text, "%.2f s", seconds);
	else if (seconds < 9.95)
		text_format(text, "%.1f s", seconds);
	else if (seconds < 119.5)
		text_format(text, "%.0f s", seconds);
	else if (seconds < 119.5 * 60)
		text_format(text, "%.0f min", seconds / 60);
	else
		text_format(text, "%.0f h %.0f min", floor(round(seconds / 60) / 60), fmod(round(seconds / 60), 60));
}

static size_t width(const char *string)
{
	size_t n = 0;
	for (; *string != '\0'; string++)
		n += ((unsigned char)*string & 0xc0) != 0x80;
	return n;
}

static void pad(size_t n)
{
	for (size_t i = 0; i < n; i++)
		putchar(' ');
}

void terminal_print(const struct terminal_table *table)
{
	CLEANUP(mem_free) size_t *widths = mem_new(table->n_columns, sizeof(*widths));
	CLEANUP(mem_free) struct text *shown = mem_new(table->n_cells + 1, sizeof(*shown));
	for (size_t i = 0; i < table->n_cells; i++) {
		terminal_escape(&shown[i], table->cells[i].text);
		size_t w = width(text_string(&shown[i]));
		if (w > widths[i % table->n_columns])
			widths[i % table->n_columns] = w;
	}
	bool coloured = terminal_colours();
	for (size_t i = 0; i < table->n_cells; i++) {
		size_t column = i % table->n_columns;
		bool last = column + 1 == table->n_columns;
		const char *string = text_string(&shown[i]);
		size_t gap = widths[column] - width(string);
		if (table->right[column])
			pad(gap);
		bool paint = coloured && table->cells[i].colour != TERMINAL_PLAIN;
		printf("%s%s%s", paint ? colour_codes[table->cells[i].colour] : "", string, paint ? "\033[0m" : "");
		if (!table->right[column] && !last)
			pad(gap);
		fputs(last ? "\n" : "  ", stdout);
		text_release(&shown[i]);
	}
}

void terminal_print_markdown(const struct terminal_table *table)
{
	for (size_t i = 0; i < table->n_cells; i++) {
		size_t column = i % table->n_columns;
		CLEANUP(text_release) struct text shown = {0};
		terminal_escape_markdown(&shown, table->cells[i].text);
		printf("%s%s", column == 0 ? "| " : " | ", text_string(&shown));
		if (column + 1 < table->n_columns)
			continue;
		printf(" |\n");
		if (i + 1 == table->n_columns) {
			for (size_t c = 0; c < table->n_columns; c++)
				printf("| %s ", table->right[c] ? "---:" : "---");
			printf("|\n");
		}
	}
}
