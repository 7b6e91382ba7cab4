/* The trainer's parts around its arithmetic: buckets, throttle, trace, options, how to wait, the bfloat16 sum. */
#include "base/file.h"
#include "base/json.h"
#include "collect/worker/bfloat16.h"
#include "collect/worker/train/bfloat16_sum.h"
#include "collect/worker/train/buckets.h"
#include "collect/worker/train/place.h"
#include "collect/worker/train/throttle.h"
#include "collect/worker/train/trace.h"
#include "collect/worker/train/train_options.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Layers of (4 + 1) 8, (8 + 1) 8 and (8 + 1) 2 parameters; the last lies first: ends 18, 90 and 130. */
static void test_buckets__cover_and_become_ready(void **state)
{
	const struct mlp_shape shape = {.inputs = 4, .width = 8, .targets = 2, .layers = 3, .rows = 1};
	CLEANUP(mlp_release) struct mlp mlp = {0};
	CLEANUP(buckets_release) struct buckets buckets = {0};
	(void)state;

	mlp_init(&mlp, &shape, 1);
	assert_int_equal(mlp.n_parameters, 130);
	buckets_init(&buckets, &mlp, 50 * 4 / 1048576.0);
	assert_int_equal(buckets.n, 3);
	for (size_t i = 0, next = 0; i < buckets.n; next += buckets.items[i++].n)
		assert_int_equal(buckets.items[i].first, next);
	assert_int_equal(buckets.items[0].n, 50);
	assert_int_equal(buckets.items[2].n, 30);
	assert_int_equal(buckets_ready(&buckets, &mlp, 2), 0);
	assert_int_equal(buckets_ready(&buckets, &mlp, 1), 1);
	assert_int_equal(buckets_ready(&buckets, &mlp, 0), 3);
}

static void test_buckets__one_and_least(void **state)
{
	const struct mlp_shape shape = {.inputs = 4, .width = 8, .targets = 2, .layers = 3, .rows = 1};
	CLEANUP(mlp_release) struct mlp mlp = {0};
	CLEANUP(buckets_release) struct buckets one = {0};
	CLEANUP(buckets_release) struct buckets many = {0};
	(void)state;

	mlp_init(&mlp, &shape, 1);
	buckets_init(&one, &mlp, 1e6);
	assert_int_equal(one.n, 1);
	assert_int_equal(one.items[0].n, 130);
	buckets_init(&many, &mlp, 1e-9);
	assert_int_equal(many.n, 130);
}

/* 8 Mbit/s: a byte a microsecond. */
static void test_throttle__debt_is_waited_for(void **state)
{
	struct throttle throttle;
	(void)state;

	throttle_init(&throttle, 8, 100);
	assert_true(throttle_take(&throttle, THROTTLE_BURST_BYTES, 100) == 100);
	assert_true(fabs(throttle_take(&throttle, 250000, 100) - 100.25) < 1e-9);
	/* Half of the debt is paid when the next transfer begins. */
	assert_true(fabs(throttle_take(&throttle, 1000, 100.125) - 100.251) < 1e-9);
	/* An idle link keeps the burst and no more. */
	assert_true(throttle_take(&throttle, THROTTLE_BURST_BYTES, 200) == 200);
	assert_true(fabs(throttle_take(&throttle, 1000, 200) - 200.001) < 1e-9);
}

static void test_throttle__off(void **state)
{
	struct throttle throttle;
	(void)state;

	throttle_init(&throttle, 0, 100);
	assert_true(throttle_take(&throttle, 1e12, 100) == 100);
	assert_true(throttle_ring_bytes(100, 1) == 0);
	assert_true(throttle_ring_bytes(100, 2) == 100);
	assert_true(throttle_ring_bytes(100, 4) == 150);
}

static void test_trace__is_json(void **state)
{
	char path[] = "/tmp/assay-trace-XXXXXX";
	struct trace_track tracks[TRACE_THREADS] = {{.state = TRACE_ON}, {.state = TRACE_ON}}, off = {0};
	const struct trace_event event = {.name = "all-reduce bucket",
					  .number = 3,
					  .step = 2,
					  .micro = TRACE_NO_NUMBER,
					  .bytes = 40,
					  .start_s = 10.5,
					  .end_s = 10.75};
	char *bytes = NULL;
	size_t n = 0;
	cJSON *tree = NULL;
	struct error err;
	(void)state;

	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	trace_add(&off, &event);
	assert_int_equal(off.n, 0);
	trace_add(&tracks[TRACE_COMMUNICATION], &event);
	assert_int_equal(trace_write(path, tracks, 10, &err), 0);
	assert_int_equal(file_read(path, &bytes, &n, &err), 0);
	assert_int_equal(json_parse(bytes, n, path, 1, &tree, &err), 0);
	assert_int_equal(cJSON_GetArraySize(tree), 1);
	const cJSON *read = cJSON_GetArrayItem(tree, 0);
	assert_string_equal(json_get_string(read, "name"), "all-reduce bucket 3");
	assert_string_equal(json_get_string(read, "ph"), "X");
	assert_true(fabs(json_get(read, "ts")->valuedouble - 5e5) < 1e-6);
	assert_true(fabs(json_get(read, "dur")->valuedouble - 2.5e5) < 1e-6);
	assert_true(json_get(read, "tid")->valuedouble == 1);
	assert_true(json_get(json_get(read, "args"), "bytes")->valuedouble == 40);
	assert_null(json_get(json_get(read, "args"), "micro_step"));
	json_free(tree);
	free(bytes);
	unlink(path);
	for (size_t i = 0; i < TRACE_THREADS; i++)
		trace_track_release(&tracks[i]);
}

static int parse(char *const *words, struct train_options *options, struct error *err)
{
	int n = 0;

	while (words[n])
		n++;
	return train_options_parse(n, words, options, err);
}

static void test_train_options__values(void **state)
{
	char *words[] = {"worker", "--steps", "7", "--lr",         "0.5",      "--warmup-steps", "3", "--seed",
			 "0",      "--trace", "t", "--grad-dtype", "bfloat16", "--width",        "9", NULL};
	struct train_options options;
	struct error err;
	(void)state;

	assert_int_equal(parse(words, &options, &err), 0);
	assert_int_equal(options.steps, 7);
	assert_true(options.lr == 0.5);
	assert_int_equal(options.warmup_steps, 3);
	assert_int_equal(options.seed, 0);
	assert_string_equal(options.trace, "t");
	assert_int_equal(options.grad_dtype, GRAD_BFLOAT16);
	assert_int_equal(options.width, 9);
	assert_true(options.throttle_mbit == 0);
}

static void test_train_options__refused(void **state)
{
	static const struct {
		char *name, *word;
		const char *says;
	} cases[] = {
		{"--steps", "0", "--steps: '0' is not a whole number from 1 to 1000000000"},
		{"--steps", "1.5", "--steps: '1.5' is not a whole number"},
		{"--lr", "nan", "--lr: 'nan' is not a number from"},
		{"--momentum", "1", "--momentum: '1' is not a number from 0 to 0.9999"},
		{"--grad-dtype", "float16", "--grad-dtype: no type 'float16' here; float32 or bfloat16"},
		{"--stepss", "1", "unknown option '--stepss'; there are --steps --global-batch"},
		{"--seed", NULL, "option '--seed' needs a value"},
		{"--trace", NULL, "option '--trace' needs a value"},
		{"--lr", NULL, "option '--lr' needs a value"},
	};
	struct train_options options;
	struct error err;
	(void)state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *words[] = {"worker", cases[i].name, cases[i].word, NULL};
		assert_int_equal(parse(words, &options, &err), ERROR_USAGE);
		if (!strstr(err.message, cases[i].says))
			fail_msg("'%s' does not say '%s'", err.message, cases[i].says);
	}
}

static void test_train_options__micro_steps(void **state)
{
	struct train_options options = {.global_batch = 96, .micro_batch = 8};
	int64_t micro_steps = 0;
	struct error err;
	(void)state;

	assert_int_equal(train_options_micro_steps(&options, 3, &micro_steps, &err), 0);
	assert_int_equal(micro_steps, 4);
	assert_int_equal(train_options_micro_steps(&options, 5, &micro_steps, &err), ERROR_USAGE);
	assert_string_equal(err.message,
			    "--global-batch: 96 is not a multiple of 5 ranks x micro batch 8 = 40; the next "
			    "that is: 120");
}

static void test_place__spins_only_with_cores_to_spare(void **state)
{
	(void)state;
	assert_int_equal(place_wait_for(4, 2), PLACE_WAIT_SPIN);
	assert_int_equal(place_wait_for(3, 2), PLACE_WAIT_SLEEP);
	assert_int_equal(place_wait_for(1, 1), PLACE_WAIT_SLEEP);
}

/* 1 + 2^-8 lies half way between 1 and 1 + 2^-7: ties to even, so it is lost; twice it is not. */
static void test_bfloat16_sum__rounds_each_addition(void **state)
{
	uint16_t terms[2] = {bfloat16_from_float(0x1p-8F), bfloat16_from_float(0x1p-7F)};
	uint16_t sums[2] = {bfloat16_from_float(1), bfloat16_from_float(1)};
	int n = 2;
	(void)state;

	bfloat16_sum_op(terms, sums, &n, NULL);
	assert_true(bfloat16_to_float(sums[0]) == 1);
	assert_true(bfloat16_to_float(sums[1]) == 1 + 0x1p-7F);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets__cover_and_become_ready),
		cmocka_unit_test(test_buckets__one_and_least),
		cmocka_unit_test(test_throttle__debt_is_waited_for),
		cmocka_unit_test(test_throttle__off),
		cmocka_unit_test(test_trace__is_json),
		cmocka_unit_test(test_train_options__values),
		cmocka_unit_test(test_train_options__refused),
		cmocka_unit_test(test_train_options__micro_steps),
		cmocka_unit_test(test_place__spins_only_with_cores_to_spare),
		cmocka_unit_test(test_bfloat16_sum__rounds_each_addition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
