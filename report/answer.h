/*
 * The headline sentence and its standfirst, from the verdicts of the document.
 */
#ifndef REPORT_ANSWER_H
#define REPORT_ANSWER_H

#include "assay/record.h"
#include "base/text.h"

void answer_headline(const struct analysis_doc *doc, struct text *out);
void answer_standfirst(const struct analysis_doc *doc, struct text *out);

#endif
