/*
 * Takes clean lines, gives the steps of modded-nanogpt ("step:11/1480 train_time:142ms step_avg:nanms"). The printed
 * time is a running total, which starts anew after the warm-up: a step has the difference to the step before, where it
 * is one.
 */
#ifndef COLLECT_IMPORT_MODDED_NANOGPT_H
#define COLLECT_IMPORT_MODDED_NANOGPT_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void modded_nanogpt_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool modded_nanogpt_detect(const struct clean_lines *lines);

#endif
