/*
 * Takes clean lines, gives the steps of NeMo ("Training epoch 0, iteration 1/249 | … | train_step_timing in s: 2.505").
 */
#ifndef COLLECT_IMPORT_NEMO_H
#define COLLECT_IMPORT_NEMO_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void nemo_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool nemo_detect(const struct clean_lines *lines);

#endif
