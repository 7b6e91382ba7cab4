/*
 * The findings of a campaign: sentences with their numbers, worst news first, each with paths into the document.
 */
#ifndef ANALYZE_FINDINGS_H
#define ANALYZE_FINDINGS_H

#include "analyze/campaign.h"

/** A new finding; takes ownership of text. */
struct doc_finding *findings_row(struct analysis_doc *doc, const char *code, char *text);
/** The path of a row that the finding rests on. */
void findings_path(struct doc_finding *finding, const char *list, size_t index);

void findings_add(const struct campaign *campaign, struct analysis_doc *doc);

#endif
