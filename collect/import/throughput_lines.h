/*
 * Takes clean lines, gives one row for each line "Throughput: 4685.5 images/s, Batch size: 16, …" in its printed unit.
 */
#ifndef COLLECT_IMPORT_THROUGHPUT_LINES_H
#define COLLECT_IMPORT_THROUGHPUT_LINES_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void throughput_lines_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool throughput_lines_detect(const struct clean_lines *lines);

#endif
