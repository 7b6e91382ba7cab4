/*
 * The analysis document of a campaign folder: read when it is current, computed anew when it is missing or stale.
 */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H

#include "assay/record.h"

/** Analyse the log and write the document. */
int document_compute(const char *directory, const char *path, struct analysis_doc **ret_doc, struct error *err);

/**
 * The document at DIR/analysis.json, computed first when it is missing or when the plan or the log moved on. A folder
 * without a plan (an archived document alone) gives its document as it is.
 */
int document_current(const char *directory, struct analysis_doc **ret_doc, struct error *err);

#endif
