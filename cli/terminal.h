/*
 * Text for a terminal or Markdown: columns that line up, colour where it is wanted, no control byte of the data.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum terminal_colour { TERMINAL_PLAIN, TERMINAL_GREEN, TERMINAL_RED, TERMINAL_YELLOW, TERMINAL_GREY };

struct terminal_cell {
	char *text; /* escaped, owned by the table */
	enum terminal_colour colour;
};

/* Rows of equal width; the first row is the head. */
struct terminal_table {
	size_t n_columns, n_cells, capacity;
	struct terminal_cell *cells;
	const bool *right; /* [n_columns]: numbers stand right */
};
void terminal_table_release(struct terminal_table *table);
CLEANUP_VALUE(struct terminal_table, terminal_table_release)

/** Add the next cell; `text` is escaped, so that data can be passed as it came. */
void terminal_add(struct terminal_table *table, enum terminal_colour colour, const char *text);

/** Print aligned columns to standard output. */
void terminal_print(const struct terminal_table *table);
void terminal_print_markdown(const struct terminal_table *table);

/** Print a line to standard output in a colour, where colours are wanted; `text` is already escaped. */
void terminal_print_line(enum terminal_colour colour, const char *text);

/** Append a duration as people read it: "0.42 s", "7.3 s", "40 s", "12 min", "3 h 20 min". */
void terminal_duration(struct text *text, double seconds);

/** Append with C0, C1 and DEL written as \xNN, as are bytes that are not UTF-8 text. */
void terminal_escape(struct text *text, const char *string);

/** As terminal_escape, with Markdown's own signs escaped too. */
void terminal_escape_markdown(struct text *text, const char *string);

/** Whether standard output is a terminal that may be coloured (NO_COLOR is unset). */
bool terminal_colours(void);

#endif
