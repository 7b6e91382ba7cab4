/*
 * The analysis document's lists, filled from the campaign: runs, lost runs, networks, renamed arms, void pairs,
 * confounds, harnesses with their floors, notes and versions.
 */
#ifndef ANALYZE_DOCUMENT_H
#define ANALYZE_DOCUMENT_H

#include "analyze/drift.h"
#include "analyze/effect.h"

/** Name, margin, inputs, dates, versions, titles, notes. */
void document_header(struct campaign *campaign, struct analysis_doc *doc);
/** Runs, lost runs, renamed arms. */
void document_runs(const struct campaign *campaign, struct analysis_doc *doc);
/** A row a harness and setting that reports: the worst of its runs. */
void document_networks(const struct campaign *campaign, struct analysis_doc *doc);
/** Void pairs and confounds of one declared setting. */
void document_pairs(const struct campaign *campaign, const struct effect_request *request, struct analysis_doc *doc);
/** The harness with its floors; the paired ones come from its effects. */
void document_harness(const struct campaign *campaign, const struct plan_harness *harness, const struct floors *floors,
		      const struct effect *effects, size_t n_effects, struct analysis_doc *doc);
void document_drift(const struct plan_harness *harness, const struct drift *drift, struct analysis_doc *doc);

#endif
