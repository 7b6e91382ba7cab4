/*
 * The order in which effects are told: by verdict family, then gain; production slices apart from benchmarks.
 */
#ifndef REPORT_ORDER_H
#define REPORT_ORDER_H

#include "assay/record.h"

enum order_family { ORDER_WIN, ORDER_WIN_OPEN, ORDER_NULL, ORDER_HARM, ORDER_UNREADABLE, ORDER_NO_NUMBER, ORDER_N };

enum order_family order_family_of(const struct doc_effect *effect);
bool order_is_slice(const struct analysis_doc *doc, const struct doc_effect *effect);
/* Another shape than the plan's target: the row ranks, it does not size. */
#define ORDER_NOT_THE_TARGET "not_the_target"
/** Shown with weight: a win, harm or immaterial one on the target's shape; all else is grey and hollow. */
bool order_is_readable(const struct doc_effect *effect);
/** Whether a correction speaks of the effect: by "harness/setting", or by one of its runs. */
bool order_is_corrected(const struct analysis_doc *doc, const struct doc_effect *effect);
/** Pointers into doc->effects, sorted by family then gain; the array is the caller's. */
const struct doc_effect **order_effects(const struct analysis_doc *doc);

#endif
