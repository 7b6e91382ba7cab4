/*
 * Tables: aligned columns, wrapped cells, rules between families, continued over pages with their head.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/mem.h"
#include "report/layout.h"

#include <stdint.h>

enum table_rule { TABLE_RULE_NONE, TABLE_RULE_HAIR, TABLE_RULE_FAMILY };

struct table_column {
	const char *head;
	double x, width; /* of the column's box, relative to the left margin; text is aligned inside it */
	enum layout_align align;
	bool head_over_next; /* the head stands centred over this column and the next */
};

struct table;

/** @param columns  kept by reference until table_free */
struct table *table_new(const struct table_column *columns, size_t n);
void table_free(struct table *table);
CLEANUP_POINTER(struct table, table_free)

void table_row(struct table *table, enum table_rule above);
/** A cell of the last row; text is copied; wraps inside its column. */
void table_cell(struct table *table, size_t column, struct canvas_style style, const char *text);
/** A cell that runs from this column's left edge to the table's right edge. */
void table_cell_wide(struct table *table, size_t column, struct canvas_style style, const char *text);
size_t table_rows(const struct table *table);
/** Draws a title with the next number, the head, the rows; breaks pages between rows. */
void table_draw(struct table *table, struct layout *layout, const char *title);

#endif
