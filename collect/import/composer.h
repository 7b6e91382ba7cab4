/*
 * Takes clean lines, gives the batches of Composer: "[epoch=1][batch=5/5]:", then a line "Train <name>: <value>" a
 * number. A batch has a throughput only.
 */
#ifndef COLLECT_IMPORT_COMPOSER_H
#define COLLECT_IMPORT_COMPOSER_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void composer_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool composer_detect(const struct clean_lines *lines);

#endif
