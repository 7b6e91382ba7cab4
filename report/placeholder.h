/*
 * Placeholders: the scalars of a document by path, in a format.
 */
#ifndef REPORT_PLACEHOLDER_H
#define REPORT_PLACEHOLDER_H

#include "assay/record.h"
#include "base/text.h"

/** @param path  "name" or "name:format", n bytes. @return 0; ERROR_DATA: unknown path or format */
int placeholder_resolve(const struct analysis_doc *doc, const char *path, size_t n, struct text *out,
			struct error *err);

#endif
