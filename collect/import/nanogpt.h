/*
 * Takes clean lines, gives the iterations of nanoGPT ("iter 10: loss 2.1, time 123.4ms, mfu 30%"). A logged time is of
 * that one step.
 */
#ifndef COLLECT_IMPORT_NANOGPT_H
#define COLLECT_IMPORT_NANOGPT_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void nanogpt_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool nanogpt_detect(const struct clean_lines *lines);

#endif
