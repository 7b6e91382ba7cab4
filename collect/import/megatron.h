/*
 * Takes clean lines, gives the iterations of Megatron's step lines
 * ("iteration 2/ 1000 | … | elapsed time per iteration (ms): 129028.8 | …") and of what is built on it:
 * Megatron-DeepSpeed, and Primus, which prints pairs of this step and a mean.
 */
#ifndef COLLECT_IMPORT_MEGATRON_H
#define COLLECT_IMPORT_MEGATRON_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void megatron_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool megatron_detect(const struct clean_lines *lines);

#endif
