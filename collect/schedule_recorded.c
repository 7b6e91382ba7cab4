#include "collect/block_state.h"

int schedule_recorded(const char *directory, const struct schedule *schedule, bool **ret_recorded, struct error *err)
{
	CLEANUP(block_states_release) struct block_states states = {0};
	size_t n = 0, at = 0;

	int r = block_states_read(directory, schedule, &states, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < states.n; i++)
		n += states.items[i].n;
	bool *recorded = mem_new(n + 1, sizeof(*recorded));
	for (size_t i = 0; i < states.n; i++)
		for (size_t j = 0; j < states.items[i].n; j++)
			recorded[at++] = states.items[i].ended || states.items[i].positions[j].need == POSITION_FINAL;
	*ret_recorded = recorded;
	return 0;
}
