/*
 * Analysis: reads a campaign's plan and log, gives the analysis document. The only room that computes statistics; it
 * reads no raw log and formats no page.
 */
#ifndef ASSAY_ANALYZE_H
#define ASSAY_ANALYZE_H

#include "assay/record.h"

/**
 * Analyse a campaign directory. Same log, same bytes.
 *
 * @return 0; ERROR_DATA; ERROR_ENVIRONMENT
 */
int analyze_campaign(const char *directory, const struct plan *plan, struct analysis_doc **ret_doc, struct error *err);

#endif
