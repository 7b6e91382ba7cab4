/*
 * Everything between a document and a canvas: masthead, template, foot. The tests lay out on a trace through this.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "assay/record.h"
#include "report/canvas.h"

int page_layout(const struct analysis_doc *doc, const char *template_name, const char *bytes, size_t n,
		struct canvas *canvas, struct error *err);

#endif
