/*
 * Catalogue: every setting against its own in-job control, with the margin as a band and each row's floor as a box.
 * Grouped by regime, so that one group holds one harness kind and one exposure of the gradient sum. Unfloored
 * benchmarks are not drawn: section_benches lists them.
 */
#ifndef REPORT_FIGURE_CATALOGUE_H
#define REPORT_FIGURE_CATALOGUE_H

#include "assay/record.h"
#include "report/layout.h"

void figure_catalogue(struct layout *layout, const struct analysis_doc *doc);

#endif
