#include "collect/import/train_shape.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct iteration_shape shape_of(const char *bytes)
{
	struct clean_lines lines;
	struct iteration_shape shape;

	unmess(bytes, strlen(bytes), &lines);
	train_shape_read(&lines, &shape);
	clean_lines_release(&lines);
	return shape;
}

static void test_train_shape__programs(void **state)
{
	static const struct {
		const char *bytes;
		struct iteration_shape shape;
	} examples[] = {
		{"using world size: 64, data-parallel-size: 4, tensor-model-parallel size: 4\n  global_batch_size "
		 "....... 1024\n"
		 "  micro_batch_size ......... 8\n",
		 {.ranks = 64, .global_batch = 1024, .micro_batch = 8, .micro_steps = 32}},
		{"x [config.py:1:print]   gradient_accumulation_steps .. 64\nx [config.py:1:print]   train_batch_size "
		 "...... 2048\n"
		 "x [config.py:1:print]   train_micro_batch_size_per_gpu  2\nx   world_size ................... 1\n",
		 {.ranks = 0, .global_batch = 2048, .micro_batch = 2, .micro_steps = 64}},
		{"    \"max_train_batch_size\": null,\n    \"train_batch_size\": 2.048000e+03,\n    "
		 "\"gradient_accumulation_steps\": \"auto\",\n",
		 {.ranks = 0, .global_batch = 2048, .micro_batch = 0, .micro_steps = 0}},
		{"[INFO|t.py:1] >>   Instantaneous batch size per device = 4\n"
		 "[INFO|t.py:1] >>   Total train batch size (w. parallel, distributed & accumulation) = 1,024\n"
		 "[INFO|t.py:1] >>   Gradient Accumulation steps = 16\n",
		 {.ranks = 0, .global_batch = 1024, .micro_batch = 4, .micro_steps = 16}},
		{"[rank0]:x - Trainer is initialized with local batch size 8, global batch size 64, gradient "
		 "accumulation steps 2, "
		 "sequence length 8192, total steps 100 (warmup 20)\n",
		 {.ranks = 0, .global_batch = 64, .micro_batch = 8, .micro_steps = 2}},
		{"batch_size B=16 * seq_len T=1024 * num_processes=8 and total_batch_size=1048576\n=> setting "
		 "grad_accum_steps=8\n",
		 {.ranks = 8, .global_batch = 1024, .micro_batch = 16, .micro_steps = 8}},
		{"iter 10: loss 2.5, time 10ms, mfu 3%\n",
		 {.ranks = 0, .global_batch = 0, .micro_batch = 0, .micro_steps = 0}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		struct iteration_shape shape = shape_of(examples[i].bytes);
		assert_int_equal(shape.ranks, examples[i].shape.ranks);
		assert_int_equal(shape.global_batch, examples[i].shape.global_batch);
		assert_int_equal(shape.micro_batch, examples[i].shape.micro_batch);
		assert_int_equal(shape.micro_steps, examples[i].shape.micro_steps);
	}
}

/* The micro-steps of all ranks, from the tokens of an iteration: 491520 / (12 * 1024). */
static void test_train_shape__shared_micro_steps(void **state)
{
	struct iteration_shape shape = shape_of("gradient_accumulation_steps = 5 * 8\nbatch_size = 12\n"
						"block_size = 1024\ntokens per iteration will be: 491,520\n");
	(void)state;
	assert_true(shape.shares_micro_steps);
	assert_int_equal(shape.all_micro_steps, 40);
	shape = shape_of("Overriding: gradient_accumulation_steps = 40\nOverriding: batch_size = 12\n"
			 "tokens per iteration will be: 491,520\n");
	assert_true(shape.shares_micro_steps);
	assert_int_equal(shape.all_micro_steps, 0);
	assert_false(shape_of("grad_accum_steps=8\n").shares_micro_steps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_train_shape__programs),
		cmocka_unit_test(test_train_shape__shared_micro_steps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
