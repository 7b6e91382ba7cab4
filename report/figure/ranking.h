/*
 * Ranking: the order of the settings in the benchmark and in production, which orders are resolved, and what became of
 * the benchmark's wins. Says nothing of sizes.
 */
#ifndef REPORT_FIGURE_RANKING_H
#define REPORT_FIGURE_RANKING_H

#include "assay/record.h"
#include "report/layout.h"

void figure_ranking(struct layout *layout, const struct analysis_doc *doc);

#endif
