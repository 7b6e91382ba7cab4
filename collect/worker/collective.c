#include "collect/worker/collective.h"

#include <inttypes.h>
#include <string.h>

enum {
	MOVED_PERIOD = 251,  /* prime; values 0 to 250 */
	MOVED_STEP = 17,     /* between ranks */
	SUMMED_PERIOD = 127, /* prime; one rank adds 1 to 127 */
	SUMMED_RANKS = 128,  /* the most that add to an element: 127 + 127 < 256 */
	NOTHING = -1,
};

/* ---- values ---- */

static int moved(int rank, size_t index)
{
	return (int)((index % MOVED_PERIOD + (size_t)rank * MOVED_STEP) % MOVED_PERIOD);
}

static int moved_input(const struct collective_view *view, size_t index)
{
	return moved(view->rank, index);
}

static size_t moved_period(int ranks)
{
	(void)ranks;
	return MOVED_PERIOD;
}

static int summed_input(const struct collective_view *view, size_t index)
{
	size_t ranks = (size_t)view->ranks;
	size_t distance = ((size_t)view->rank + ranks - index % ranks) % ranks;

	if (distance == 0)
		return (int)(index % SUMMED_PERIOD) + 1;
	return distance < SUMMED_RANKS ? 1 : 0;
}

static size_t summed_period(int ranks)
{
	return (size_t)ranks * SUMMED_PERIOD;
}

static int sum(const struct collective_view *view, size_t index)
{
	return (int)(index % SUMMED_PERIOD) + (view->ranks < SUMMED_RANKS ? view->ranks : SUMMED_RANKS);
}

/* ---- results ---- */

static int all_sums(const struct collective_view *view, int from, size_t index)
{
	(void)from;
	return sum(view, index);
}

static int own_sums(const struct collective_view *view, int from, size_t index)
{
	(void)from;
	return sum(view, (size_t)view->rank * view->block + index);
}

static int from_each(const struct collective_view *view, int from, size_t index)
{
	(void)view;
	return moved(from, index);
}

static int own_share_from_each(const struct collective_view *view, int from, size_t index)
{
	return moved(from, (size_t)view->rank * view->block + index);
}

static int from_root(const struct collective_view *view, int from, size_t index)
{
	(void)view;
	(void)from;
	return moved(0, index);
}

static int from_previous(const struct collective_view *view, int from, size_t index)
{
	(void)from;
	return moved((view->rank + view->ranks - 1) % view->ranks, index);
}

const struct collective collectives[COLLECTIVE_N] = {
	{"allreduce", COLLECTIVE_ALLREDUCE, SHARE_WHOLE, SHARE_WHOLE, BUFFERS_EITHER, RANKS_ALL, RANKS_ALL,
	 summed_input, summed_period, all_sums},
	{"allgather", COLLECTIVE_ALLGATHER, SHARE_OF_A_RANK, SHARE_WHOLE, BUFFERS_EITHER, RANKS_ALL, RANKS_ALL,
	 moved_input, moved_period, from_each},
	{"reducescatter", COLLECTIVE_REDUCESCATTER, SHARE_WHOLE, SHARE_OF_A_RANK, BUFFERS_EITHER, RANKS_ALL, RANKS_ALL,
	 summed_input, summed_period, own_sums},
	{"broadcast", COLLECTIVE_BROADCAST, SHARE_WHOLE, SHARE_WHOLE, BUFFERS_ONE, RANKS_ROOT, RANKS_ALL, moved_input,
	 moved_period, from_root},
	{"alltoall", COLLECTIVE_ALLTOALL, SHARE_WHOLE, SHARE_WHOLE, BUFFERS_EITHER, RANKS_ALL, RANKS_ALL, moved_input,
	 moved_period, own_share_from_each},
	{"sendrecv", COLLECTIVE_SENDRECV, SHARE_WHOLE, SHARE_WHOLE, BUFFERS_TWO, RANKS_ALL, RANKS_ALL, moved_input,
	 moved_period, from_previous},
	{"reduce", COLLECTIVE_REDUCE, SHARE_WHOLE, SHARE_WHOLE, BUFFERS_EITHER, RANKS_ALL, RANKS_ROOT, summed_input,
	 summed_period, all_sums},
};

const struct collective *collective_find(const char *name)
{
	for (size_t i = 0; i < COLLECTIVE_N; i++)
		if (strcmp(collectives[i].name, name) == 0)
			return &collectives[i];
	return NULL;
}

/* ---- buffers ---- */

int collective_lay_out(const struct collective *collective, const struct element *element, enum placement placement,
		       int64_t bytes, int rank, int ranks, struct collective_layout *ret_layout, struct error *err)
{
	int shared = collective->op == COLLECTIVE_ALLTOALL || collective->send == SHARE_OF_A_RANK ||
		     collective->recv == SHARE_OF_A_RANK;
	size_t parts = shared ? (size_t)ranks : 1, whole = (size_t)bytes / element->bytes;

	if (placement == PLACEMENT_IN_PLACE && collective->buffers == BUFFERS_TWO)
		return error_set(err, ERROR_USAGE, "'%s' has no form in place; ask for out_of_place", collective->name);
	if (bytes <= 0 || (size_t)bytes % (parts * element->bytes) != 0)
		return error_set(err, ERROR_USAGE, "size %" PRId64 " of '%s' is not a multiple of %zu bytes (%s%s)",
				 bytes, collective->name, parts * element->bytes, element->name,
				 shared ? ", a share for every rank" : "");
	size_t share = whole / parts;
	*ret_layout = (struct collective_layout){
		.send = collective->send == SHARE_WHOLE ? whole : share,
		.recv = collective->recv == SHARE_WHOLE ? whole : share,
		.block = share,
	};
	ret_layout->blocks = (int)(ret_layout->recv / share);
	ret_layout->one_buffer = collective->buffers == BUFFERS_ONE || placement == PLACEMENT_IN_PLACE;
	ret_layout->buffer = ret_layout->recv;
	if (ret_layout->one_buffer && ret_layout->send > ret_layout->recv)
		ret_layout->buffer = ret_layout->send;
	if (ret_layout->one_buffer && ret_layout->send < ret_layout->recv)
		ret_layout->input_at = (size_t)rank * share;
	return 0;
}

static void fill_nothing(const struct element *element, unsigned char *buffer, size_t n)
{
	element->store(buffer, NOTHING);
	element_tile(buffer, n * element->bytes, element->bytes);
}

void collective_fill(const struct collective *collective, const struct element *element,
		     const struct collective_layout *layout, const struct collective_view *view, unsigned char *send,
		     unsigned char *recv)
{
	fill_nothing(element, recv, layout->buffer);
	if (collective->gives == RANKS_ROOT && view->rank != 0)
		return;
	unsigned char *input = layout->one_buffer ? recv + layout->input_at * element->bytes : send;
	size_t period = collective->period(view->ranks);
	if (period > layout->send)
		period = layout->send;
	for (size_t i = 0; i < period; i++)
		element->store(input + i * element->bytes, collective->input(view, i));
	element_tile(input, layout->send * element->bytes, period * element->bytes);
}

void collective_check(const struct collective *collective, const struct element *element,
		      const struct collective_layout *layout, const struct collective_view *view,
		      const unsigned char *recv, struct collective_check *ret_check)
{
	*ret_check = (struct collective_check){0};
	if (collective->gets == RANKS_ROOT && view->rank != 0)
		return;
	for (int from = 0; from < layout->blocks; from++) {
		const unsigned char *block = recv + (size_t)from * layout->block * element->bytes;
		for (size_t i = 0; i < layout->block; i++) {
			double got = element->load(block + i * element->bytes);
			double wanted = collective->result(view, from, i);
			if (got == wanted)
				continue;
			if (ret_check->wrong++ == 0) {
				ret_check->index = (int64_t)((size_t)from * layout->block + i);
				ret_check->got = got;
				ret_check->wanted = wanted;
			}
		}
	}
}
