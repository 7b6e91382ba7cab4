/*
 * Parity of a benchmark and a production slice: which orders and which sizes carry over. Takes the plan's pairs and the
 * judged effects; fills the document's parity[].
 */
#ifndef ANALYZE_PARITY_H
#define ANALYZE_PARITY_H

#include "analyze/campaign.h"

/** A row a planned pair, with a setting a row inside. Wants effects[] and communication_fraction[] complete.
 * Source: STATISTICS.md section 5 */
void parity_add(const struct campaign *campaign, struct analysis_doc *doc);

/** Findings of the pairs. */
void parity_tell(struct analysis_doc *doc);

/** The declared effect of a setting on a harness, or NULL. */
const struct doc_effect *parity_effect(const struct analysis_doc *doc, const char *harness, const char *setting);

/** Covariance of two mean block gains, from the blocks that both hold: s_xy n_both / (n_x n_y); 0 with fewer than two.
 */
double parity_covariance(const struct doc_effect *x, const struct doc_effect *y);

/** Standard error of an effect's mean log gain, from the 95 % interval that it prints; NAN without one. */
double parity_standard_error(const struct doc_effect *effect);

/**
 * The order of the settings: places, ties, resolved pairs, tau-b, Spearman's rho. A pair is resolved on one harness
 * when the 95 % t interval of its difference over shared blocks excludes 0; settings of another control than most are
 * left out. A tie is a run of neighbouring places none of whose steps is resolved. Fills parity->ranking and the
 * places.
 */
void parity_rank(const struct analysis_doc *doc, struct doc_parity *parity);

/** York's slope with its interval and its range with one setting left out, for five settings and more. */
void parity_slope(const struct analysis_doc *doc, struct doc_parity *parity);

/** The sentence of the benchmark's wins: counts and words. */
void parity_sentence(struct doc_parity *parity);

#endif
