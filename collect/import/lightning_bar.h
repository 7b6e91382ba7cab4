/*
 * Takes clean lines, gives the redrawings of Lightning's progress bar ("Epoch 0:  92%|…| 860/939
 * [00:16<00:01, 50.70it/s, loss=0.09, v_num=1]"; slow ones in s/it). The rate is the bar's smoothed one.
 */
#ifndef COLLECT_IMPORT_LIGHTNING_BAR_H
#define COLLECT_IMPORT_LIGHTNING_BAR_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void lightning_bar_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool lightning_bar_detect(const struct clean_lines *lines);

#endif
