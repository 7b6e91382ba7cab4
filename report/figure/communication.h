/*
 * Communication: the control's step split by what a smaller payload took away, as a bracket: recovered, exposed, f,
 * total. A block a setting with a payload ratio; what is not resolved is a hollow row with its reason.
 */
#ifndef REPORT_FIGURE_COMMUNICATION_H
#define REPORT_FIGURE_COMMUNICATION_H

#include "assay/record.h"
#include "report/layout.h"

void figure_communication(struct layout *layout, const struct analysis_doc *doc);

#endif
