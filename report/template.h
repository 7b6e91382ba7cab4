/*
 * Templates: CommonMark with {{path:format}} placeholders in text and fenced blocks for figures, tables and columns.
 */
#ifndef REPORT_TEMPLATE_H
#define REPORT_TEMPLATE_H

#include "assay/record.h"
#include "report/layout.h"

/** Check a template and lay it out. @return 0; ERROR_DATA with `name`:line */
int template_render(const char *name, const char *bytes, size_t n, const struct analysis_doc *doc,
		    struct layout *layout, struct error *err);

#endif
