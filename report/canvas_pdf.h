/*
 * A canvas that writes a PDF with embedded fonts. Deterministic: no clock; the file's /ID is the document's digest.
 */
#ifndef REPORT_CANVAS_PDF_H
#define REPORT_CANVAS_PDF_H

#include "base/error.h"
#include "base/text.h"
#include "report/canvas.h"

struct canvas_pdf_info {
	double width, height; /* points */
	const char *title;
	const char *digest; /* hex, at least 32 digits, or "" */
	const char *date;   /* RFC 3339, or NULL: no dates */
};

/** @return 0; ERROR_ENVIRONMENT when a font file is missing or unreadable */
int canvas_pdf_new(const struct canvas_pdf_info *info, struct canvas **ret_canvas, struct error *err);
/** The finished file's bytes. @return 0; ERROR_INTERNAL with libharu's code and page */
int canvas_pdf_finish(struct canvas *canvas, struct text *ret_bytes, struct error *err);
void canvas_pdf_free(struct canvas *canvas);
CLEANUP_POINTER(struct canvas, canvas_pdf_free)

#endif
