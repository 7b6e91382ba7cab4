/*
 * Numbers and names as people read them: a real minus, an en dash for what is undefined. Formats only; computes
 * nothing.
 */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include "assay/record.h"
#include "base/text.h"

#define FORMAT_DASH "\xE2\x80\x93"
#define FORMAT_MINUS "\xE2\x88\x92"
#define FORMAT_NBSP "\xC2\xA0"

enum format_sign { FORMAT_SIGN_MINUS_ONLY, FORMAT_SIGN_ALWAYS };

/** "138.8", "−0.2", "0.012", "<0.001", "1234"; en dash when not finite. Appends. */
void format_number(struct text *out, double value, enum format_sign sign);
/** Exactly `decimals` decimals. */
void format_fixed(struct text *out, double value, int decimals, enum format_sign sign);
/** "+14.5 %" with a no-break space. */
void format_percent(struct text *out, double value, enum format_sign sign);
/** "2 %", "0.5 %": a chosen number, without a decimal that says nothing. */
void format_margin(struct text *out, double value);
/** "13.1–15.9", "−2.0 to 5.3" when a bound is negative; en dash when undefined. */
void format_range(struct text *out, struct doc_interval interval);
/** "4", or "2 of 4" where done differs from planned. */
void format_done(struct text *out, int64_t done, int64_t planned);
/** "23–29 November 2026" from two RFC 3339 stamps; "" when undated. */
void format_dates(struct text *out, const char *first, const char *last);
/** "29 November 2026"; en dash when NULL. */
void format_date(struct text *out, const char *stamp);
/** "7c1e09b4 5a3fd810 … d2f58a31". */
void format_digest(struct text *out, const char *hex);
/** "two" to "twelve", digits beyond; 0 gives "no". */
void format_count(struct text *out, size_t n);
/** "win, size open" for "win_size_open". */
void format_verdict(struct text *out, const char *verdict);
/** The setting's title, with the part after '@' kept: "Plugin, net_plugin_version 1.9.1-aws". */
void format_setting(struct text *out, const struct analysis_doc *doc, const char *setting);
/** Words for underscores. */
void format_words(struct text *out, const char *name);
/** "no evidence that it took effect" for "no_evidence_of_effect"; words for underscores for what it does not know. */
void format_qualifier(struct text *out, const char *code);
/** A sentence of the analysis as a page prints it: a real minus before numbers, words for verdict and qualifier codes.
 */
void format_prose(struct text *out, const char *text);
/** "12 345", "3584", "41.2", "1.37": a quantity to three digits or whole; en dash when not finite. */
void format_amount(struct text *out, double value);

#endif
