/*
 * The facts of a training log as the importer reads them, by the names that the corpus gives them.
 */
#ifndef TESTS_CORPUS_TRAINING_H
#define TESTS_CORPUS_TRAINING_H

#include "assay/record.h"
#include "collect/import/unmess.h"

void corpus_training_values(const struct clean_lines *lines, struct string_map *ret_map);

#endif
