/*
 * Takes clean lines, gives the steps of OLMo: a line with "[step=2/739328]", then an indented line a number. Only a
 * throughput is printed, of one device.
 */
#ifndef COLLECT_IMPORT_OLMO_H
#define COLLECT_IMPORT_OLMO_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void olmo_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool olmo_detect(const struct clean_lines *lines);

#endif
