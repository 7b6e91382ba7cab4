/*
 * The open questions of a campaign, computed from its document: what is not known, and what would settle it.
 */
#ifndef ANALYZE_QUESTIONS_H
#define ANALYZE_QUESTIONS_H

#include "analyze/campaign.h"

void questions_add(struct analysis_doc *doc);

#endif
