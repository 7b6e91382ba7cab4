/*
 * What training programs print once about a run's shape: ranks, batch, micro-batch and micro-steps, in the words of
 * Megatron, DeepSpeed, Hugging Face, torchtitan and llm.c. The first number of a kind wins.
 */
#ifndef COLLECT_IMPORT_TRAIN_SHAPE_H
#define COLLECT_IMPORT_TRAIN_SHAPE_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void train_shape_read(const struct clean_lines *lines, struct iteration_shape *ret_shape);

#endif
