/*
 * Takes clean lines and a harness's PCRE2 pattern with named groups (step time throughput loss lr tokens samples
 * batch), gives iterations. Times come out in seconds, throughput in its printed unit.
 */
#ifndef COLLECT_IMPORT_PATTERN_H
#define COLLECT_IMPORT_PATTERN_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

/**
 * @param file     for messages
 * @param harness  name, pattern and units are read
 * @return 0; ERROR_DATA: a bad pattern (plan field named), a number that is none (file:line:column), match limit
 */
int pattern_read(const struct clean_lines *lines, const char *file, const struct plan_harness *harness,
		 struct iterations *ret_iterations, struct error *err);

#endif
