/*
 * Takes clean lines, gives the steps of torchtitan ("step: 10  loss: 9.88  …  tps: 7,026  …"). No step time is printed:
 * tps (older: wps) are tokens per second of one device since the step line before. Time stamps are checked, never
 * measured with.
 */
#ifndef COLLECT_IMPORT_TORCHTITAN_H
#define COLLECT_IMPORT_TORCHTITAN_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void torchtitan_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool torchtitan_detect(const struct clean_lines *lines);

#endif
