/*
 * Takes clean lines, gives the steps of NVIDIA's DLLogger: JSON records behind "DLLL" (also over several lines), and
 * the lines "DLL <date> - (0, 50) total_ips : 6724.3" with their closing "() train_throughput : 6638.0".
 */
#ifndef COLLECT_IMPORT_DLLOGGER_H
#define COLLECT_IMPORT_DLLOGGER_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

void dllogger_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool dllogger_detect(const struct clean_lines *lines);
void dllogger_text_read(const struct clean_lines *lines, struct iterations *ret_iterations);
bool dllogger_text_detect(const struct clean_lines *lines);

#endif
