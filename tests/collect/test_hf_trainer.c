#include "collect/import/hf_trainer.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_hf_trainer__rows(void **state)
{
	static const char bytes[] =
		"[INFO|trainer.py:1] >>   Total optimization steps = 40\n"
		"Map: 100%|##########| 900/900 [00:00<00:00, 9000.00 examples/s]\n"
		"  0%|          | 0/40 [00:00<?, ?it/s]\r 22%|##   | 9/40 [00:09<00:31, 1.00s/it]\n"
		"{'loss': 2.5, 'grad_norm': 1.25, 'learning_rate': 5e-05, 'epoch': 0.25}\n"
		" 25%|##   | 10/40 [00:10<00:30, 1.00s/it]\n"
		"{'eval_loss': 2.25, 'eval_runtime': 1.5, 'eval_samples_per_second': 9.5, 'epoch': 0.25}\n"
		"100%|#####| 8/8 [00:01<00:00, 9.00it/s]\n"
		" 50%|###  | 20/40 [00:20<00:20, 1.00s/it]{'loss': nan, 'learning_rate': 4e-05, 'epoch': 0.5, "
		"'grad_norm': inf}\n"
		" 50%|###  | 20/40 [00:20<00:20, 1.00s/it]\n"
		"{'train_runtime': 40.5, 'train_samples_per_second': 12.5, 'train_steps_per_second': 0.75, "
		"'train_loss': 2.375, "
		"'epoch': 1.0}\n{'loss': 2.0, 'learning_ra";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, hf_trainer_detect));
	steps_of(bytes, hf_trainer_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_int_equal(iterations.total, 40);
	assert_true(value_of(&iterations, 0, ITERATION_STEP) == 10); /* the bar before lags */
	assert_true(value_of(&iterations, 1, ITERATION_STEP) == 20);
	assert_true(value_of(&iterations, 0, ITERATION_LOSS) == 2.5);
	assert_true(value_of(&iterations, 1, ITERATION_LR) == 4e-5);
	assert_true(flagged(&iterations, "the loss is not a finite number in 1 of 2"));
	assert_false(iterations.has[ITERATION_TIME] || iterations.has[ITERATION_THROUGHPUT]);
	assert_true(closing_of(&iterations, "samples_per_s") == 12.5);
	assert_true(closing_of(&iterations, "steps_per_s") == 0.75);
	assert_true(closing_of(&iterations, "runtime_s") == 40.5);
	assert_true(closing_of(&iterations, "loss") == 2.375);
}

/* 2000 tokens in 4 s, then 3000 in 2 s: the printed rates are means from the start. */
static void test_hf_trainer__tokens(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("{'loss': '2.5', 'learning_rate': '5e-05', 'epoch': '0.1', 'num_input_tokens_seen': 2000, "
		 "'train_runtime': 4.0, "
		 "'train_tokens_per_second': 500.0}\n"
		 "{'loss': 2.25, 'learning_rate': 5e-05, 'epoch': 0.2, 'num_input_tokens_seen': 5000, 'train_runtime': "
		 "6.0, "
		 "'train_tokens_per_second': 833.3}\n"
		 "***** train metrics *****\n  train_runtime            = 1:01:02.50\n  train_samples_per_second =     "
		 " 5.5\n",
		 hf_trainer_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_true(near(value_of(&iterations, 0, ITERATION_THROUGHPUT), 500));
	assert_true(near(value_of(&iterations, 1, ITERATION_THROUGHPUT), 1500));
	assert_string_equal(iterations.throughput_unit, "tokens/s");
	assert_true(value_of(&iterations, 0, ITERATION_LOSS) == 2.5);
	assert_false(iterations.has[ITERATION_STEP]); /* nothing tells them */
	assert_true(closing_of(&iterations, "runtime_s") == 3662.5);
	assert_true(closing_of(&iterations, "samples_per_s") == 5.5);
}

static void test_hf_trainer__processes(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("0: {'loss': 2.5, 'learning_rate': 5e-05, 'epoch': 0.1}\n8: {'loss': 2.5, 'learning_rate': 5e-05, "
		 "'epoch': 0.1}\n"
		 "8: {'loss': 2.5, 'learning_rate': 5e-05, 'epoch': 0.2}\n0: {'loss': 2.5, 'learning_rate': 5e-05, "
		 "'epoch': 0.2}\n"
		 "0: {'train_runtime': 9.5, 'train_samples_per_second': 1.5, 'epoch': 1.0}\n"
		 "8: {'train_runtime': 9.25, 'train_samples_per_second': 1.5, 'epoch': 1.0}\n",
		 hf_trainer_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_true(flagged(&iterations, "2 rows repeat one"));
	assert_true(closing_of(&iterations, "runtime_s") == 9.5);
	assert_false(detected("{'loss': 2.5, 'epoch': 1}\n{'a': 1}\n", hf_trainer_detect));
}

/* Where a bar is not drawn anew behind a row, the next one is a step further. */
static void test_hf_trainer__bars_before(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of(" 1%|#| 1/9 [00:01<00:09, 1.00s/it]\n{'loss': 3.0, 'grad_norm': 1.0, 'epoch': 0.1}\n"
		 " 2%|#| 2/9 [00:01<00:09, 1.00s/it]\n{'loss': 2.0, 'grad_norm': 1.0, 'epoch': 0.2}\n"
		 " 3%|#| 3/9 [00:01<00:09, 1.00s/it]\n",
		 hf_trainer_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_true(value_of(&iterations, 0, ITERATION_STEP) == 1);
	assert_true(value_of(&iterations, 1, ITERATION_STEP) == 2);
}

/* Steps of one process print alike, unequally often; two processes without labels print every row twice. */
static void test_hf_trainer__equal_rows(void **state)
{
	static const char row_a[] = "{'loss': 3.0, 'learning_rate': 5e-05, 'epoch': 0.01}\n";
	static const char row_b[] = "{'loss': 2.9, 'learning_rate': 5e-05, 'epoch': 0.01}\n";
	static const struct {
		size_t a, b, expected;
	} cases[] = {{2, 3, 5}, {1, 2, 3}, {2, 2, 2}, {3, 2, 2}};
	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		CLEANUP(iterations_release) struct iterations iterations;
		char bytes[512] = "";
		for (size_t i = 0; i < cases[k].a; i++)
			strcat(bytes, row_a);
		for (size_t i = 0; i < cases[k].b; i++)
			strcat(bytes, row_b);
		steps_of(bytes, hf_trainer_read, &iterations);
		assert_int_equal(iterations.n, cases[k].expected);
		assert_int_equal(flagged(&iterations, "another process"), cases[k].expected == 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hf_trainer__rows),       cmocka_unit_test(test_hf_trainer__tokens),
		cmocka_unit_test(test_hf_trainer__processes),  cmocka_unit_test(test_hf_trainer__bars_before),
		cmocka_unit_test(test_hf_trainer__equal_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
