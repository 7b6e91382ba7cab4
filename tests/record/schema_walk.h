/* Compares a JSON schema with the field tables, both ways; cmocka.h comes before. */
#ifndef SCHEMA_WALK_H
#define SCHEMA_WALK_H

#include "base/json.h"

/* Compare the schema at <source>/name with the table; `elsewhere` is a property that no table holds, or NULL. */
void schema_compare(const char *name, const struct json_map *map, const char *elsewhere);

#endif
