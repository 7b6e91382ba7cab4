/* The sampler over a transport of this test's own: one rank whose collectives are copies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/worker/sampler.h"

#include <stdlib.h>
#include <string.h>

/* The address sanitizer ends a program that asks for too much memory, unless it is told not to. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static int runs, barriers;
static int broken_run; /* the run whose result is spoiled; 0: none */

static void self_run(const struct exchange *exchange)
{
	unsigned char *recv = exchange->recv;
	size_t bytes = exchange->block * exchange->element->bytes;

	assert_int_equal(barriers, runs + 1); /* the ranks met before each */
	if (exchange->send)
		memcpy(recv, exchange->send, bytes);
	if (++runs == broken_run)
		exchange->element->store(recv + bytes - exchange->element->bytes, 255);
}

static void self_barrier(void)
{
	barriers++;
}

static void self_gather(const void *mine, size_t bytes, void *ret_all)
{
	memcpy(ret_all, mine, bytes);
}

static int64_t self_highest(int64_t mine)
{
	return mine;
}

static const struct transport transport_self = {
	.backend = "self",
	.max_count = SIZE_MAX,
	.run = self_run,
	.barrier = self_barrier,
	.gather = self_gather,
	.highest = self_highest,
};

/* The lines of a run with 1 warm-up and 2 timed iterations, on the heap. */
static char *sample(const struct collective *collective, enum placement placement, int64_t bytes, int *ret_r,
		    struct error *err)
{
	char *lines = NULL;
	size_t n = 0;
	int64_t sizes[] = {bytes};
	struct options options = {.collective = collective,
				  .element = element_find("float32"),
				  .placement = placement,
				  .warmup = 1,
				  .iterations = 2,
				  .sizes = sizes,
				  .n_sizes = 1};
	struct transport_place place = {0, 1};
	struct protocol protocol = {.out = open_memstream(&lines, &n)};

	runs = barriers = 0;
	*ret_r = sampler_run(&transport_self, &place, &options, &protocol, err);
	if (*ret_r == 0)
		protocol_end(&protocol);
	fclose(protocol.out);
	return lines;
}

static void test_run__every_collective(void **state)
{
	(void)state;
	broken_run = 0;
	for (size_t op = 0; op < COLLECTIVE_N; op++)
		for (int placement = 0; placement < 2; placement++) {
			struct error err;
			int r;
			CLEANUP(mem_free)
			char *lines = sample(&collectives[op], (enum placement)placement, 4000, &r, &err);
			if (collectives[op].buffers == BUFFERS_TWO && placement == PLACEMENT_IN_PLACE) {
				assert_int_equal(r, ERROR_USAGE);
				continue;
			}
			assert_int_equal(r, 0);
			assert_int_equal(runs, 3);
			assert_non_null(strstr(lines, "assay-worker 1 shape 1 1 2\n"));
			assert_non_null(strstr(lines, "assay-worker 1 times 4000 2 "));
			assert_null(strstr(lines, "assay-worker 1 times 4000 3 "));
			assert_non_null(strstr(lines, "assay-worker 1 check 4000 0\n"));
			assert_non_null(strstr(lines, "assay-worker 1 end 11\n"));
		}
}

static void test_run__wrong(void **state)
{
	struct error err;
	int r;

	(void)state;
	broken_run = 3;
	CLEANUP(mem_free)
	char *lines = sample(collective_find("sendrecv"), PLACEMENT_OUT_OF_PLACE, 4000, &r, &err);
	assert_int_equal(r, 0);
	/* 999 mod 251 */
	assert_non_null(strstr(lines, "assay-worker 1 check 4000 1\nassay-worker 1 wrong 4000 0 999 255 246\n"));
}

static void test_run__no_memory(void **state)
{
	struct error err;
	int r;

	(void)state;
	CLEANUP(mem_free)
	char *lines = sample(collective_find("broadcast"), PLACEMENT_IN_PLACE, (int64_t)1 << 60, &r, &err);
	assert_int_equal(r, ERROR_ENVIRONMENT);
	assert_non_null(strstr(err.message, "1152921504606846976 bytes"));
	assert_int_equal(runs, 0);
	assert_null(strstr(lines, " end "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run__every_collective),
		cmocka_unit_test(test_run__wrong),
		cmocka_unit_test(test_run__no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
