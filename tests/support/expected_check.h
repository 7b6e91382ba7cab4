/*
 * What the parts of expected_check share: where they are, and how a value is compared.
 */
#ifndef TESTS_SUPPORT_EXPECTED_CHECK_H
#define TESTS_SUPPORT_EXPECTED_CHECK_H

#include "assay/record.h"

#include <cjson/cJSON.h>

void expected_number(const char *key, const cJSON *expected, double ours);
void expected_string(const char *key, const cJSON *expected, const char *ours);
void expected_bool(const char *key, const cJSON *expected, bool ours);
void expected_interval(const char *key, const cJSON *expected, struct doc_interval ours);
/** A row that should be there: counts it, and says so when it is missing. */
bool expected_missing(const void *found);
void expected_where(const char *list, const cJSON *row);
void expected_unknown(const char *key);
/** A string member, or NULL. */
const char *expected_text_of(const cJSON *object, const char *key);

/* Numbers of ours by the key that the expected row has. */
struct expected_value {
	const char *key;
	double value;
};
/** Compares a field with the value of its key. @return whether it has one */
bool expected_value_field(const cJSON *field, const struct expected_value *values, size_t n);

/* expected_fraction.c */
void expected_fractions(const cJSON *list, const struct analysis_doc *doc);
void expected_fraction_fits(const cJSON *list, const struct analysis_doc *doc);
void expected_loss_pairs(const cJSON *list, const struct analysis_doc *doc);

/* expected_parity.c */
void expected_parities(const cJSON *list, const struct analysis_doc *doc);

#endif
