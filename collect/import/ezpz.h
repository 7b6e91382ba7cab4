/*
 * Takes clean lines, gives the steps of ezpz ("iter=10 loss=7.11 dt=0.744 dt/mean=…", in seconds).
 */
#ifndef COLLECT_IMPORT_EZPZ_H
#define COLLECT_IMPORT_EZPZ_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void ezpz_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool ezpz_detect(const struct clean_lines *lines);

#endif
