/*
 * Takes clean lines, gives the iterations of llm.c ("step 1/32000 | loss … | 3056.36 ms | … | 343080 tok/s"), or of its
 * file main.log, which has no times. The printed tok/s is smoothed: the ms are the step.
 */
#ifndef COLLECT_IMPORT_LLMC_H
#define COLLECT_IMPORT_LLMC_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void llmc_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool llmc_detect(const struct clean_lines *lines);

#endif
