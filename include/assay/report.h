/*
 * Report: an analysis document and a template in, a PDF out. Computes no statistic: it only formats what the document
 * holds.
 */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include "assay/record.h"

enum report_paper { REPORT_A4, REPORT_LETTER };

/**
 * Render a PDF.
 *
 * @param template_path  a CommonMark file (templates/README.md lists placeholders and directives)
 * @param out_path       replaced atomically
 * @return 0; ERROR_DATA (template file:line), ERROR_ENVIRONMENT (font missing, folder missing, disk full)
 */
int report_render(const struct analysis_doc *doc, const char *template_path, enum report_paper paper,
		  const char *out_path, struct error *err);

#endif
