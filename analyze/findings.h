/*
 * The findings of a campaign: sentences with their numbers, worst news first, each with paths into the document.
 */
#ifndef ANALYZE_FINDINGS_H
#define ANALYZE_FINDINGS_H

#include "analyze/campaign.h"

void findings_add(const struct campaign *campaign, struct analysis_doc *doc);

#endif
