/* What a collector set out to do in a block: its table, its life. */
#include "record/fields.h"

#include <stdlib.h>

static const struct json_field planned_fields[] = {
	FIELD(block_planned, "position", JSON_INTEGER, position, .flags = JSON_REQUIRED | JSON_MIN, .min = 1),
	FIELD(block_planned, "harness", JSON_STRING, harness, .flags = JSON_REQUIRED),
	FIELD(block_planned, "setting", JSON_STRING, setting, .flags = JSON_REQUIRED),
	FIELD(block_planned, "role", JSON_ENUM, role, .names = run_role_names, .flags = JSON_REQUIRED),
};
static const struct json_map planned_map = MAP_OPEN(block_planned, planned_fields);

static const struct json_field block_fields[] = {
	FIELD(block_record, "block", JSON_STRING, block, .flags = JSON_REQUIRED),
	FIELD(block_record, "time", JSON_STRING, time, .flags = 0),
	FIELD(block_record, "seed", JSON_INTEGER, seed, .flags = 0),
	FIELD_ROWS(block_record, "planned", JSON_OBJECTS, planned, n_planned, .map = &planned_map,
		   .flags = JSON_REQUIRED),
};
const struct json_map block_record_map = MAP_OPEN(block_record, block_fields);

struct block_record *block_record_new(void)
{
	struct block_record *block = mem_new(1, sizeof(*block));

	json_init_struct(&block_record_map, block);
	return block;
}

void block_record_free(struct block_record *block)
{
	if (!block)
		return;
	json_release_struct(&block_record_map, block);
	free(block);
}

struct block_planned *block_record_add_planned(struct block_record *block)
{
	struct block_planned *planned = record_add_row(&block->planned, &block->n_planned, sizeof(*planned));

	json_init_struct(&planned_map, planned);
	return planned;
}
