/*
 * Takes clean lines, gives the rows that Hugging Face's Trainer logs as Python dicts ({'loss': 2.5, …, 'epoch': 0.1})
 * and its closing metrics. A row has a response only where it counts tokens: of the interval since the row before.
 */
#ifndef COLLECT_IMPORT_HF_TRAINER_H
#define COLLECT_IMPORT_HF_TRAINER_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void hf_trainer_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool hf_trainer_detect(const struct clean_lines *lines);

#endif
