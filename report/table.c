#include "report/table.h"

#include "base/mem.h"
#include "report/style.h"

#define ROW_LEADING 10.4
#define ROW_GAP 2.8
#define FAMILY_GAP 3.2
#define HAIR_GAP 1.2
#define HEAD_HEIGHT 15.5

struct cell {
	char *text; /* NULL: empty */
	struct canvas_style style;
	bool wide;
};

struct row {
	struct cell *cells;
	enum table_rule above;
};

struct table {
	const struct table_column *columns;
	size_t n_columns;
	struct row *rows;
	size_t n_rows, capacity;
};

struct table *table_new(const struct table_column *columns, size_t n)
{
	struct table *table = mem_new(1, sizeof *table);
	table->columns = columns;
	table->n_columns = n;
	return table;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	for (size_t r = 0; r < table->n_rows; r++) {
		for (size_t c = 0; c < table->n_columns; c++)
			mem_free_pointer(&table->rows[r].cells[c].text);
		mem_free_pointer(&table->rows[r].cells);
	}
	mem_free_pointer(&table->rows);
	mem_free_pointer(&table);
}

void table_row(struct table *table, enum table_rule above)
{
	table->rows = mem_grow(table->rows, &table->capacity, table->n_rows + 1, sizeof *table->rows);
	table->rows[table->n_rows++] = (struct row){mem_new(table->n_columns, sizeof(struct cell)), above};
}

static void cell_set(struct table *table, size_t column, struct canvas_style style, const char *text, bool wide)
{
	struct cell *cell = &table->rows[table->n_rows - 1].cells[column];
	mem_free_pointer(&cell->text);
	*cell = (struct cell){mem_dup_string(text), style, wide};
}

void table_cell(struct table *table, size_t column, struct canvas_style style, const char *text)
{
	cell_set(table, column, style, text, false);
}

void table_cell_wide(struct table *table, size_t column, struct canvas_style style, const char *text)
{
	cell_set(table, column, style, text, true);
}

size_t table_rows(const struct table *table)
{
	return table->n_rows;
}

static struct layout_box cell_box(const struct table *table, const struct layout *layout, const struct row *row,
				  size_t column)
{
	const struct table_column *c = &table->columns[column];
	struct layout_box box = {layout->left + c->x, c->width, ROW_LEADING, c->align};
	if (row->cells[column].wide)
		box.width = layout->right - box.x;
	return box;
}

/* Without the gap between rows. */
static double row_height(const struct table *table, const struct layout *layout, const struct row *row)
{
	double height = ROW_LEADING;
	for (size_t i = 0; i < table->n_columns; i++) {
		if (!row->cells[i].text)
			continue;
		struct layout_box box = cell_box(table, layout, row, i);
		double h =
			layout_plain(layout->canvas, LAYOUT_MEASURE, &box, 0, row->cells[i].style, row->cells[i].text);
		height = h > height ? h : height;
	}
	return height;
}

static void draw_head(const struct table *table, struct layout *layout)
{
	struct canvas *c = layout->canvas;
	canvas_rule(c, layout->left, layout->right, layout->y, 0.6, STYLE_INK);
	double y = layout->y + 9;
	for (size_t i = 0; i < table->n_columns; i++) {
		const struct table_column *column = &table->columns[i];
		if (!column->head)
			continue;
		double x = layout->left + column->x;
		if (column->head_over_next && i + 1 < table->n_columns) {
			/* the numbers below are right-aligned: centre over their ink, not over the boxes */
			double end = layout->left + table->columns[i + 1].x + table->columns[i + 1].width;
			canvas_text_centre(c, STYLE_SMALL, (x + column->width - 18 + end) / 2, y, column->head);
		} else {
			double width = canvas_measure(c, STYLE_SMALL, column->head);
			if (column->align == LAYOUT_RIGHT && width <= column->width)
				x += column->width - width;
			layout_fitting(c, STYLE_SMALL, x, y, column->width, column->head);
		}
	}
	canvas_rule(c, layout->left, layout->right, layout->y + 13.5, 0.4, STYLE_HEAD_RULE);
	layout->y += HEAD_HEIGHT;
}

static double rule_gap(const struct row *row)
{
	return row->above == TABLE_RULE_FAMILY ? FAMILY_GAP : row->above == TABLE_RULE_HAIR ? HAIR_GAP : 0;
}

/* Pages begun after the one that the rows start on. */
static int pages_more(const struct table *table, const struct layout *layout, const double *heights, double gap)
{
	const double bottom = STYLE_BOTTOM(layout->canvas) - 2;
	double y = layout->y + HEAD_HEIGHT;
	int pages = 0;

	for (size_t r = 0; r < table->n_rows; r++) {
		double height = heights[r] + gap;
		if (y + height > bottom) {
			pages++;
			y = STYLE_TOP - 9 + HEAD_HEIGHT;
		} else if (r > 0) {
			y += rule_gap(&table->rows[r]);
		}
		y += height;
	}
	return pages;
}

/* Closer rows where they save a page, which would hold but a few. */
static double choose_gap(const struct table *table, const struct layout *layout, const double *heights)
{
	static const double closer[] = {1.8, 1.0, 0.4};
	int pages = pages_more(table, layout, heights, ROW_GAP);

	for (size_t i = 0; pages > 0 && i < sizeof closer / sizeof *closer; i++)
		if (pages_more(table, layout, heights, closer[i]) < pages)
			return closer[i];
	return ROW_GAP;
}

void table_draw(struct table *table, struct layout *layout, const char *title)
{
	struct canvas *c = layout->canvas;
	CLEANUP(mem_free) double *heights = mem_new(table->n_rows + 1, sizeof *heights);

	for (size_t r = 0; r < table->n_rows; r++)
		heights[r] = row_height(table, layout, &table->rows[r]);
	double first = table->n_rows > 0 ? heights[0] + ROW_GAP : 0;
	layout_need(layout, 50 + first + 14);
	layout_title(layout, "Table", ++layout->tables, title);
	const double row_gap = choose_gap(table, layout, heights);
	draw_head(table, layout);
	for (size_t r = 0; r < table->n_rows; r++) {
		const struct row *row = &table->rows[r];
		double height = heights[r] + row_gap;
		bool ruled = row->above != TABLE_RULE_NONE && r > 0;
		if (layout->y + height + 2 > STYLE_BOTTOM(c)) {
			canvas_rule(c, layout->left, layout->right, layout->y + 1.5, 0.6, STYLE_INK);
			canvas_text_right(c, STYLE_SMALL_ITALIC, layout->right, layout->y + 11, "continued");
			layout_page(layout);
			draw_head(table, layout);
			ruled = false;
		}
		if (ruled) {
			double gap = rule_gap(row);
			canvas_rule(c, layout->left, layout->right, layout->y + gap / 2 + 0.6,
				    row->above == TABLE_RULE_FAMILY ? 0.4 : 0.3, STYLE_GRID);
			layout->y += gap;
		}
		for (size_t i = 0; i < table->n_columns; i++) {
			if (!row->cells[i].text)
				continue;
			struct layout_box box = cell_box(table, layout, row, i);
			layout_plain(c, LAYOUT_DRAW, &box, layout->y + 1.4, row->cells[i].style, row->cells[i].text);
		}
		layout->y += height;
	}
	canvas_rule(c, layout->left, layout->right, layout->y + 1.5, 0.6, STYLE_INK);
	layout->y += 5;
}
