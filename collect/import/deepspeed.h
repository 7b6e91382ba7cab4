/*
 * Takes clean lines, gives the steps that DeepSpeed reports (step=10, skipped=0, lr=[…] …; RunningAvgSamplesPerSec=…,
 * CurrSamplesPerSec=…; the pipeline's "steps: 1 loss: … iter time (s): … samples/sec: …"), every steps_per_print steps.
 */
#ifndef COLLECT_IMPORT_DEEPSPEED_H
#define COLLECT_IMPORT_DEEPSPEED_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void deepspeed_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool deepspeed_detect(const struct clean_lines *lines);

#endif
