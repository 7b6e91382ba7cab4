/*
 * Change: steady throughput of every setting on one slice, bars from 0 with the worst and the best run, the single-node
 * ceiling as a line. No controlled comparison: the catalogue holds those.
 */
#ifndef REPORT_FIGURE_CHANGE_H
#define REPORT_FIGURE_CHANGE_H

#include "assay/record.h"
#include "report/layout.h"

void figure_change(struct layout *layout, const struct analysis_doc *doc);

#endif
