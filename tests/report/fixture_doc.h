/*
 * A synthetic analysis document: every number in it is invented, to exercise the pages.
 */
#ifndef TESTS_REPORT_FIXTURE_DOC_H
#define TESTS_REPORT_FIXTURE_DOC_H

#include "assay/record.h"

/** Wins, nulls, harm, unreadable, void, no number, relabelled, lost runs, networks, questions, findings, long names. */
struct analysis_doc *fixture_doc_rich(void);
/** One slice win that does not always finish, 24 unreadable bench singles, 12 rows without a number. */
struct analysis_doc *fixture_doc_singles(void);
/** A name and nothing else. */
struct analysis_doc *fixture_doc_empty(void);

/** A resolved fraction, one outside [0, 1], one without a number, a fit, and two loss pairs. */
void fixture_add_fractions(struct analysis_doc *doc);

#endif
