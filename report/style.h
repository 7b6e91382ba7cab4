/*
 * The grid, the type sizes and the colours of every page, in points.
 */
#ifndef REPORT_STYLE_H
#define REPORT_STYLE_H

#include "report/canvas.h"

#define STYLE_LEFT 56.0
#define STYLE_RIGHT(canvas) ((canvas)->width - 56.0)
#define STYLE_TOP 88.0
#define STYLE_TOP_FIRST 97.0
#define STYLE_BOTTOM(canvas) ((canvas)->height - 62.0)
#define STYLE_GUTTER 22.0
#define STYLE_MIN_SIZE 6.5

/* The row frame of every figure. */
#define STYLE_PLOT_LEFT 188.0
#define STYLE_PLOT_RIGHT 425.0
#define STYLE_LABEL_RIGHT 180.0
#define STYLE_NUMBERS_LEFT 433.0

#define STYLE_INK ((struct canvas_colour){.13, .15, .18})
#define STYLE_SECONDARY ((struct canvas_colour){.36, .38, .41})
#define STYLE_INACTIVE ((struct canvas_colour){.50, .52, .54})
#define STYLE_HEAD_RULE ((struct canvas_colour){.70, .70, .70})
#define STYLE_GRID ((struct canvas_colour){.87, .88, .89})
#define STYLE_PAPER ((struct canvas_colour){1, 1, 1})
#define STYLE_BAND ((struct canvas_colour){.945, .945, .935})
#define STYLE_FLOOR ((struct canvas_colour){.835, .835, .835})
/* The half of a bracket that may be hidden. */
#define STYLE_TINT ((struct canvas_colour){.62, .73, .81})
#define STYLE_BOX ((struct canvas_colour){.965, .965, .960})
#define STYLE_GAIN ((struct canvas_colour){.10, .35, .55})
#define STYLE_LOSS ((struct canvas_colour){.66, .26, .03})
#define STYLE_FLAG ((struct canvas_colour){.80, .13, .15})

#define STYLE_TEXT(font, size, colour) ((struct canvas_style){CANVAS_##font, size, STYLE_##colour})

#define STYLE_ANSWER STYLE_TEXT(BOLD, 19, INK)
#define STYLE_HEADLINE STYLE_TEXT(BOLD, 17, INK)
#define STYLE_STANDFIRST STYLE_TEXT(REGULAR, 9.6, SECONDARY)
#define STYLE_BODY STYLE_TEXT(REGULAR, 8.8, INK)
#define STYLE_BLOCK_HEAD STYLE_TEXT(BOLD, 9.4, INK)
#define STYLE_CELL STYLE_TEXT(REGULAR, 8.4, INK)
#define STYLE_CELL_BOLD STYLE_TEXT(BOLD, 8.4, INK)
#define STYLE_CELL_SECOND STYLE_TEXT(REGULAR, 8.0, SECONDARY)
#define STYLE_SMALL STYLE_TEXT(REGULAR, 7.2, SECONDARY)
#define STYLE_SMALL_ITALIC STYLE_TEXT(ITALIC, 7.2, SECONDARY)
#define STYLE_SUB STYLE_TEXT(REGULAR, 6.9, SECONDARY)
#define STYLE_DIGEST STYLE_TEXT(MONO, 6.5, SECONDARY)

#endif
