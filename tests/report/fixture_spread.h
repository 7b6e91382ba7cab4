/*
 * Spread, throughput, price and scope for the pages: every number in it is invented, and its sums are right.
 */
#ifndef TESTS_REPORT_FIXTURE_SPREAD_H
#define TESTS_REPORT_FIXTURE_SPREAD_H

#include "assay/record.h"

/** Rows for the harnesses of fixture_doc_rich: coarse and fine floors, an unfloored benchmark of two runs. */
void fixture_add_spread(struct analysis_doc *doc);
/** Three settings and the control on one slice with a single-node ceiling, a single run on another without ranks. */
void fixture_add_throughput(struct analysis_doc *doc);
/** Two settings with a price, one without, the campaign's own cost, and where the verdicts hold. */
void fixture_add_price(struct analysis_doc *doc);

/** `n` settings on one harness, their names `length` bytes long, gains from -`reach` to `reach` percent in turns of
 * every verdict. */
struct analysis_doc *fixture_doc_many(size_t n, size_t length, double reach);

#endif
