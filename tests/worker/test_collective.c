#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/worker/bfloat16.h"
#include "collect/worker/collective.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements on 4 ranks at 4800 bytes of float32, as worker_protocol.h words it. */
static void test_sizes(void **state)
{
	static const struct {
		const char *name;
		size_t send, recv;
	} cases[] = {
		{"allreduce", 1200, 1200}, {"allgather", 300, 1200}, {"reducescatter", 1200, 300},
		{"broadcast", 1200, 1200}, {"alltoall", 1200, 1200}, {"sendrecv", 1200, 1200},
		{"reduce", 1200, 1200},
	};
	struct collective_layout layout;
	struct error err;

	(void)state;
	assert_int_equal(sizeof(cases) / sizeof(cases[0]), COLLECTIVE_N);
	for (size_t i = 0; i < COLLECTIVE_N; i++) {
		const struct collective *collective = collective_find(cases[i].name);
		assert_non_null(collective);
		assert_int_equal(collective->op, i);
		assert_int_equal(collective_lay_out(collective, element_find("float32"), PLACEMENT_OUT_OF_PLACE, 4800,
						    2, 4, &layout, &err),
				 0);
		assert_int_equal(layout.send, cases[i].send);
		assert_int_equal(layout.recv, cases[i].recv);
	}
	assert_null(collective_find("gather"));
}

static void test_sizes__in_place(void **state)
{
	const struct element *element = element_find("float64");
	struct collective_layout layout;
	struct error err;

	(void)state;
	assert_int_equal(collective_lay_out(collective_find("allgather"), element, PLACEMENT_IN_PLACE, 3200, 2, 4,
					    &layout, &err),
			 0);
	assert_int_equal(layout.buffer, 400);
	assert_int_equal(layout.input_at, 200);
	assert_int_equal(collective_lay_out(collective_find("reducescatter"), element, PLACEMENT_IN_PLACE, 3200, 2, 4,
					    &layout, &err),
			 0);
	assert_int_equal(layout.buffer, 400);
	assert_int_equal(layout.input_at, 0);
	assert_int_equal(
		collective_lay_out(collective_find("sendrecv"), element, PLACEMENT_IN_PLACE, 3200, 2, 4, &layout, &err),
		ERROR_USAGE);
	assert_non_null(strstr(err.message, "sendrecv"));
}

static void test_sizes__large(void **state)
{
	struct collective_layout layout;
	struct error err;

	(void)state;
	assert_int_equal(collective_lay_out(collective_find("allgather"), element_find("bfloat16"), PLACEMENT_IN_PLACE,
					    (int64_t)1 << 40, 3, 4, &layout, &err),
			 0);
	assert_true(layout.recv == (size_t)1 << 39);
	assert_true(layout.block == (size_t)1 << 37);
	assert_true(layout.input_at == (size_t)3 << 37);
}

static void test_sizes__refused(void **state)
{
	static const struct {
		const char *op, *dtype;
		int64_t bytes;
		int ranks, r;
	} cases[] = {
		{"allreduce", "float32", 1026, 4, ERROR_USAGE},
		{"allreduce", "float32", 1028, 3, 0},
		{"allreduce", "bfloat16", 1026, 4, 0},
		{"allgather", "float32", 1028, 4, ERROR_USAGE},
		{"reducescatter", "float64", 8, 2, ERROR_USAGE},
		{"alltoall", "bfloat16", 10, 3, ERROR_USAGE},
		{"alltoall", "bfloat16", 12, 3, 0},
		{"broadcast", "float64", 12, 1, ERROR_USAGE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct collective_layout layout;
		struct error err = {0};
		char size[32];

		assert_int_equal(collective_lay_out(collective_find(cases[i].op), element_find(cases[i].dtype),
						    PLACEMENT_OUT_OF_PLACE, cases[i].bytes, 0, cases[i].ranks, &layout,
						    &err),
				 cases[i].r);
		snprintf(size, sizeof(size), "size %d", (int)cases[i].bytes);
		if (cases[i].r < 0)
			assert_non_null(strstr(err.message, size));
	}
}

/* ---- the collectives carried out by their definitions in the MPI standard, element by element ---- */

enum { MAX_RANKS = 300, BYTES_OF_A_RANK = 20 };

struct job {
	const struct collective *collective;
	const struct element *element;
	int ranks;
	struct collective_layout layout[MAX_RANKS];
	unsigned char *in[MAX_RANKS], *out[MAX_RANKS];
};

static const void *input_at(const struct job *job, int rank, size_t index)
{
	return job->in[rank] + index * job->element->bytes;
}

/* From the last rank to the first, each partial sum rounded to the type. */
static double sum_at(const struct job *job, size_t index)
{
	uint16_t sum = 0;
	double wide = 0;

	for (int rank = job->ranks - 1; rank >= 0; rank--) {
		wide += job->element->load(input_at(job, rank, index));
		if (job->element->type == ELEMENT_BFLOAT16)
			bfloat16_add(input_at(job, rank, index), &sum, 1);
	}
	return job->element->type == ELEMENT_BFLOAT16 ? (double)bfloat16_to_float(sum) : wide;
}

static double defined(const struct job *job, int rank, size_t i)
{
	size_t block = job->layout[rank].block;
	int from = (int)(i / block);

	switch (job->collective->op) {
	case COLLECTIVE_ALLGATHER:
		return job->element->load(input_at(job, from, i % block));
	case COLLECTIVE_REDUCESCATTER:
		return sum_at(job, (size_t)rank * block + i);
	case COLLECTIVE_BROADCAST:
		return job->element->load(input_at(job, 0, i));
	case COLLECTIVE_ALLTOALL:
		return job->element->load(input_at(job, from, (size_t)rank * block + i % block));
	case COLLECTIVE_SENDRECV:
		return job->element->load(input_at(job, rank == 0 ? job->ranks - 1 : rank - 1, i));
	default:
		return sum_at(job, i);
	}
}

static void lay_out(struct job *job)
{
	struct error err;

	for (int rank = 0; rank < job->ranks; rank++) {
		assert_int_equal(collective_lay_out(job->collective, job->element, PLACEMENT_OUT_OF_PLACE,
						    (int64_t)job->ranks * BYTES_OF_A_RANK * 8, rank, job->ranks,
						    &job->layout[rank], &err),
				 0);
		job->in[rank] = calloc(job->layout[rank].send, job->element->bytes);
		job->out[rank] = calloc(job->layout[rank].buffer, job->element->bytes);
		struct collective_view view = {rank, job->ranks, job->layout[rank].block};
		collective_fill(job->collective, job->element, &job->layout[rank], &view, job->in[rank],
				job->out[rank]);
		if (job->layout[rank].one_buffer)
			memcpy(job->in[rank], job->out[rank], job->layout[rank].send * job->element->bytes);
	}
}

static void check_rank(const struct job *job, int rank)
{
	const struct collective_layout *layout = &job->layout[rank];
	struct collective_view view = {rank, job->ranks, layout->block};
	struct collective_check check;
	int has_result = job->collective->gets == RANKS_ALL || rank == 0;

	collective_check(job->collective, job->element, layout, &view, job->out[rank], &check);
	if (job->collective->gives == RANKS_ALL && has_result)
		assert_int_equal(check.wrong, (int64_t)layout->recv); /* nothing has come yet */
	for (size_t i = 0; i < layout->recv; i++)
		job->element->store(job->out[rank] + i * job->element->bytes, (int)defined(job, rank, i));
	collective_check(job->collective, job->element, layout, &view, job->out[rank], &check);
	if (check.wrong != 0)
		fail_msg("%s %s, rank %d of %d: element %d is %g by definition and %g by the table",
			 job->collective->name, job->element->name, rank, job->ranks, (int)check.index, check.got,
			 check.wanted);

	size_t last = layout->recv - 1;
	job->element->store(job->out[rank] + last * job->element->bytes, 255);
	collective_check(job->collective, job->element, layout, &view, job->out[rank], &check);
	assert_int_equal(check.wrong, has_result);
	assert_int_equal(check.index, has_result ? (int64_t)last : 0);
	assert_true(check.got == (has_result ? 255 : 0));
}

static void test_results(void **state)
{
	static const int ranks[] = {1, 2, 3, 5, 128, MAX_RANKS};

	(void)state;
	for (size_t op = 0; op < COLLECTIVE_N; op++)
		for (size_t type = 0; type < ELEMENT_N; type++)
			for (size_t n = 0; n < sizeof(ranks) / sizeof(ranks[0]); n++) {
				static struct job job;
				job.collective = &collectives[op];
				job.element = &elements[type];
				job.ranks = ranks[n];
				lay_out(&job);
				/* some ranks of many: each costs ranks * elements */
				for (int rank = 0; rank<job.ranks; rank += job.ranks> 8 ? 97 : 1)
					check_rank(&job, rank);
				for (int rank = 0; rank < job.ranks; rank++) {
					free(job.in[rank]);
					free(job.out[rank]);
				}
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),        cmocka_unit_test(test_sizes__in_place),
		cmocka_unit_test(test_sizes__large), cmocka_unit_test(test_sizes__refused),
		cmocka_unit_test(test_results),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
