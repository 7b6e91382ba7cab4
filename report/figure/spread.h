/*
 * Spread: what repetitions of one setting differ by, every run a dot, with the floor of each row as a band; below them
 * the harness's effects, which climb to the first floor that hides them. Says what a harness can read, never that
 * settings differ.
 */
#ifndef REPORT_FIGURE_SPREAD_H
#define REPORT_FIGURE_SPREAD_H

#include "assay/record.h"
#include "report/layout.h"

void figure_spread(struct layout *layout, const struct analysis_doc *doc);

#endif
