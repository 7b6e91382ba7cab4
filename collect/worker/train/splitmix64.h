/*
 * The generator of weights and data: SplitMix64, whose n-th value needs no values before it. So a sample is the same
 * whichever rank makes it.
 * Source: Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"; constants of variant 13 by
 * Stafford.
 */
#ifndef COLLECT_WORKER_TRAIN_SPLITMIX64_H
#define COLLECT_WORKER_TRAIN_SPLITMIX64_H

#include <stdint.h>

/** Value number `index`, from 0, of the sequence that begins at `seed`. */
uint64_t splitmix64_at(uint64_t seed, uint64_t index);

/** The same value as a number evenly spread over [-sqrt(3), sqrt(3)): mean 0, variance 1. */
float splitmix64_unit_variance(uint64_t seed, uint64_t index);

#endif
