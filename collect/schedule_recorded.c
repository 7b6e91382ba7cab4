#include "collect/block_state.h"

int schedule_recorded(const char *directory, const struct plan *plan, const struct schedule *schedule,
		      enum planned_state **ret_states, struct error *err)
{
	CLEANUP(block_states_release) struct block_states states = {0};
	size_t planned = 0, at = 0;

	int r = block_states_read(directory, plan, schedule, &states, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < states.n; i++)
		planned += states.items[i].n;
	*ret_states = mem_new(planned + 1, sizeof(**ret_states));
	for (size_t i = 0; i < states.n; i++)
		for (size_t j = 0; j < states.items[i].n; j++, at++)
			(*ret_states)[at] = states.items[i].positions[j].state;
	return 0;
}
