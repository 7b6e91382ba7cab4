#include "collect/worker/sampler.h"

#include "collect/worker/clock_offset.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOST_NAME = 256, PAGE_BYTES = 4096 };

/* Entry and return of one iteration, ns on the rank's own clock. */
struct sample {
	int64_t entry_ns, return_ns;
};

struct sampler {
	const struct transport *transport;
	const struct transport_place *place;
	const struct options *options;
	struct protocol *protocol;
	struct clock_offset *offsets; /* [ranks], on rank 0 */
	struct sample *mine;          /* [iterations of a size] */
	struct sample *all;           /* [ranks][iterations of a size], on rank 0 */
	int n;                        /* iterations of a size, warm-up included */
};

/* What one size needs. */
struct buffers {
	struct collective_layout layout;
	struct collective_view view;
	unsigned char *send, *recv;
};

static void buffers_release(struct buffers *buffers)
{
	free(buffers->send);
	free(buffers->recv);
	buffers->send = buffers->recv = NULL;
}
CLEANUP_VALUE(struct buffers, buffers_release)

static void sampler_release(struct sampler *sampler)
{
	free(sampler->offsets);
	free(sampler->mine);
	free(sampler->all);
}
CLEANUP_VALUE(struct sampler, sampler_release)

static int lay_out(const struct sampler *sampler, int64_t bytes, struct collective_layout *ret_layout,
		   struct error *err)
{
	const struct options *options = sampler->options;

	return collective_lay_out(options->collective, options->element, options->placement, bytes,
				  sampler->place->rank, sampler->place->ranks, ret_layout, err);
}

static size_t max_count(const struct sampler *sampler)
{
	size_t most = sampler->transport->max_count, asked = (size_t)sampler->options->max_count;

	return asked > 0 && asked < most ? asked : most;
}

/* All sizes before the first is measured, so that a wrong one costs no time. */
static int check_sizes(const struct sampler *sampler, struct error *err)
{
	const struct options *options = sampler->options;

	for (size_t i = 0; i < options->n_sizes; i++) {
		struct collective_layout layout;
		int r = lay_out(sampler, options->sizes[i], &layout, err);
		if (r < 0)
			return r;
		/* The pieces of every rank's share do not lie together, and a reduction takes no strides. */
		if (options->collective->op == COLLECTIVE_REDUCESCATTER && layout.send > max_count(sampler))
			return error_set(err, ERROR_USAGE,
					 "size %" PRId64
					 " of 'reducescatter' has more than %zu elements, which one call "
					 "cannot take",
					 options->sizes[i], max_count(sampler));
	}
	return 0;
}

/* Every rank learns whether any rank lacks memory, so that all leave together. */
static int allocate(const struct sampler *sampler, int64_t bytes, struct buffers *ret_buffers, struct error *err)
{
	struct collective_layout *layout = &ret_buffers->layout;
	size_t element = sampler->options->element->bytes;
	size_t send = layout->one_buffer ? 0 : layout->send * element, recv = layout->buffer * element;
	void *memory[2] = {NULL, NULL};
	int64_t missing = 0;

	if (send > 0 && posix_memalign(&memory[0], PAGE_BYTES, send) != 0)
		missing = (int64_t)(send + recv);
	if (!missing && posix_memalign(&memory[1], PAGE_BYTES, recv) != 0)
		missing = (int64_t)(send + recv);
	ret_buffers->send = memory[0];
	ret_buffers->recv = missing ? NULL : memory[1];
	missing = sampler->transport->highest(missing);
	if (missing > 0)
		return error_set(err, ERROR_ENVIRONMENT,
				 "no memory for size %" PRId64 ": a rank cannot have %" PRId64 " bytes for its buffers",
				 bytes, missing);
	return 0;
}

static void iterate(const struct sampler *sampler, struct buffers *buffers)
{
	const struct options *options = sampler->options;
	const struct transport *transport = sampler->transport;
	const struct exchange exchange = {
		.collective = options->collective,
		.element = options->element,
		.placement = options->placement,
		.block = buffers->layout.block,
		.max_count = max_count(sampler),
		.send = buffers->send,
		.recv = buffers->recv,
	};

	for (int i = 0; i < sampler->n; i++) {
		/* In place a result is the next input and would grow; a stale result would pass the check. */
		collective_fill(options->collective, options->element, &buffers->layout, &buffers->view, buffers->send,
				buffers->recv);
		transport->barrier();
		sampler->mine[i].entry_ns = clock_offset_now_ns();
		transport->run(&exchange);
		sampler->mine[i].return_ns = clock_offset_now_ns();
	}
}

static const struct sample *sample_at(const struct sampler *sampler, int rank, int iteration)
{
	return &sampler->all[(size_t)rank * (size_t)sampler->n + (size_t)iteration];
}

static void print_samples(const struct sampler *sampler, int64_t bytes)
{
	int ranks = sampler->place->ranks;
	CLEANUP(mem_free) int64_t *values = mem_new((size_t)ranks, sizeof(*values));

	for (int i = 0; i < sampler->n; i++) {
		for (int rank = 0; rank < ranks; rank++) {
			const struct sample *sample = sample_at(sampler, rank, i);
			values[rank] = sample->return_ns - sample->entry_ns;
		}
		protocol_values(sampler->protocol, "times", bytes, i, values, ranks);
		int64_t first = INT64_MAX;
		for (int rank = 0; rank < ranks; rank++) {
			values[rank] = sample_at(sampler, rank, i)->entry_ns - sampler->offsets[rank].offset_ns;
			if (values[rank] < first)
				first = values[rank];
		}
		for (int rank = 0; rank < ranks; rank++)
			values[rank] -= first;
		protocol_values(sampler->protocol, "arrivals", bytes, i, values, ranks);
	}
}

static void check_results(const struct sampler *sampler, int64_t bytes, const struct buffers *buffers)
{
	int ranks = sampler->place->ranks, first = -1;
	int64_t wrong = 0;
	struct collective_check mine;
	CLEANUP(mem_free) struct collective_check *all = mem_new((size_t)ranks, sizeof(*all));

	collective_check(sampler->options->collective, sampler->options->element, &buffers->layout, &buffers->view,
			 buffers->recv, &mine);
	sampler->transport->gather(&mine, sizeof(mine), all);
	for (int rank = 0; rank < ranks; rank++) {
		wrong += all[rank].wrong;
		if (first < 0 && all[rank].wrong > 0)
			first = rank;
	}
	protocol_line(sampler->protocol, "check %" PRId64 " %" PRId64, bytes, wrong);
	if (first >= 0)
		protocol_line(sampler->protocol, "wrong %" PRId64 " %d %" PRId64 " %.9g %.9g", bytes, first,
			      all[first].index, all[first].got, all[first].wanted);
}

static int measure(const struct sampler *sampler, int64_t bytes, struct error *err)
{
	CLEANUP(buffers_release) struct buffers buffers = {0};

	int r = lay_out(sampler, bytes, &buffers.layout, err);
	if (r < 0)
		return r;
	buffers.view = (struct collective_view){sampler->place->rank, sampler->place->ranks, buffers.layout.block};
	r = allocate(sampler, bytes, &buffers, err);
	if (r < 0)
		return r;
	iterate(sampler, &buffers);
	sampler->transport->gather(sampler->mine, (size_t)sampler->n * sizeof(*sampler->mine), sampler->all);
	if (sampler->place->rank == 0)
		print_samples(sampler, bytes);
	check_results(sampler, bytes, &buffers);
	protocol_flush(sampler->protocol);
	return 0;
}

static void print_head(const struct sampler *sampler)
{
	const struct options *options = sampler->options;
	struct protocol *protocol = sampler->protocol;
	int ranks = sampler->place->ranks;
	char name[HOST_NAME] = "";
	CLEANUP(mem_free) char *names = mem_new((size_t)ranks, sizeof(name));

	protocol_line(protocol, "test %s %s %s", options->collective->name, options->element->name,
		      options->placement == PLACEMENT_IN_PLACE ? "in_place" : "out_of_place");
	protocol_line(protocol, "shape %d %d %d", ranks, options->warmup, options->iterations);
	gethostname(name, sizeof(name) - 1);
	sampler->transport->gather(name, sizeof(name), names);
	clock_offset_measure(sampler->transport, sampler->place, sampler->offsets);
	if (sampler->place->rank != 0)
		return;
	for (int rank = 0; rank < ranks; rank++)
		protocol_line(protocol, "host %d %s", rank, names + (size_t)rank * sizeof(name));
	for (int rank = 0; rank < ranks; rank++)
		protocol_line(protocol, "clock %d %" PRId64 " %" PRId64, rank, sampler->offsets[rank].offset_ns,
			      sampler->offsets[rank].round_trip_ns);
	protocol_flush(protocol);
}

int sampler_run(const struct transport *transport, const struct transport_place *place, const struct options *options,
		struct protocol *protocol, struct error *err)
{
	CLEANUP(sampler_release)
	struct sampler sampler = {.transport = transport, .place = place, .options = options, .protocol = protocol};

	int r = check_sizes(&sampler, err);
	if (r < 0)
		return r;
	sampler.n = options->warmup + options->iterations;
	sampler.mine = mem_new((size_t)sampler.n, sizeof(*sampler.mine));
	if (place->rank == 0) {
		sampler.all = mem_new((size_t)place->ranks * (size_t)sampler.n, sizeof(*sampler.all));
		sampler.offsets = mem_new((size_t)place->ranks, sizeof(*sampler.offsets));
	}
	print_head(&sampler);
	for (size_t i = 0; i < options->n_sizes; i++) {
		r = measure(&sampler, options->sizes[i], err);
		if (r < 0)
			return r;
	}
	return 0;
}
