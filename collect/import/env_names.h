/*
 * The environment variables that a record may keep, by full name. Never by prefix: tokens and passwords hide behind
 * known prefixes.
 */
#ifndef COLLECT_IMPORT_ENV_NAMES_H
#define COLLECT_IMPORT_ENV_NAMES_H

#include "base/text.h"

#include <stdbool.h>

bool env_name_known(const char *name);

/**
 * Copies the bytes of a captured file, without the values of unknown variables ("X set by environment to …", whole
 * lines NAME=VALUE as env and export print them) and without the env of a JSON report.
 *
 * @param extra, n_extra  further names to keep
 * @return what was cut, in words, on the heap; NULL when nothing was
 */
char *env_cut(const char *bytes, size_t n, const char *const *extra, size_t n_extra, struct text *ret_kept);

#endif
