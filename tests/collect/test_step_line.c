#include "collect/import/step_line.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct step_key keys[] = {
	{"step", ITERATION_STEP, 1, STEP_KEY_FIRST, NULL},
	{"time", ITERATION_TIME, 0, STEP_KEY_FIRST, NULL},
	{"ms", ITERATION_TIME, 1e-3, STEP_KEY_LAST, NULL},
	{"rate", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "x/s"},
	{"speed", ITERATION_THROUGHPUT, 1, STEP_KEY_FIRST, "y/s"},
	{"loss", ITERATION_LOSS, 1, STEP_KEY_FIRST, NULL},
	{"lr", ITERATION_LR, 1, STEP_KEY_FIRST, NULL},
};

static const char *find(const char *text)
{
	return step_numbered(text, "step");
}

static const struct step_format format = {find, NULL, keys, sizeof(keys) / sizeof(*keys), STEP_REPEATS_RANKS};

static void read_steps(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	step_lines_read(lines, &format, ret_iterations);
}

static void test_step_line__numbers(void **state)
{
	static const struct {
		const char *bytes;
		double number;
		size_t length;
	} examples[] = {
		{"12.5|", 12.5, 4},    {" 5,970 x", 5970, 6}, {"1,234,567", 1234567, 9}, {"1.5E-04,", 1.5e-4, 7},
		{"2, 3", 2, 1},        {"12,34", 12, 2},      {"0,500", 0, 1},           {"1000,000", 1000, 4},
		{"-3.25e2s", -325, 7}, {"nanms", NAN, 3},     {"-inf", NAN, 4},          {"7.", 7, 1},
		{"1,2345", 1, 1},      {"3e", 3, 1},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		double number = -1;
		const char *end = step_number(examples[i].bytes, &number);
		assert_non_null(end);
		assert_true(near(number, examples[i].number));
		assert_int_equal(end - examples[i].bytes, examples[i].length);
	}
	double number = 0;
	assert_null(step_number("info", &number));
	assert_null(step_number("nano", &number));
	assert_null(step_number("None", &number));
	assert_null(step_number("", &number));
}

static void test_step_line__words(void **state)
{
	double number = 0;
	(void)state;
	assert_true(step_value("aux_loss: 3 train/loss: 4 'loss': '2.5'", "loss", &number));
	assert_true(number == 2.5);
	assert_true(step_value("loss scale: 7 | loss=[1e-3, 2]", "loss", &number));
	assert_true(number == 1e-3);
	assert_false(step_value("loss/mean=3 lossy 4", "loss", &number));
	assert_true(step_value("[31mloss: 5", "loss", &number)); /* a colour that lost its escape */
	assert_true(number == 5);
	assert_null(step_numbered("last steps: 5, step by step", "step"));
}

static void test_step_line__any_order(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("\x1b[32mINFO\x1b[0m x step: 1/20 lr 1e-4 loss: nan time: 250 ms\n"
		 "step: 2/20 | 1,500 ms | loss 2.5 | rate 10\n"
		 "step: 3/20 loss=[32m2.25[0m time=0.5s speed 7\nstep: 4/20 time 12\n",
		 read_steps, &iterations);
	assert_int_equal(iterations.n, 4);
	assert_int_equal(iterations.total, 20);
	assert_true(near(value_of(&iterations, 0, ITERATION_TIME), 0.25));
	assert_true(near(value_of(&iterations, 0, ITERATION_LOSS), NAN));
	assert_true(iterations.rows[0].printed[ITERATION_LOSS]);
	assert_true(near(value_of(&iterations, 1, ITERATION_TIME), 1.5));
	assert_true(near(value_of(&iterations, 1, ITERATION_THROUGHPUT), 10));
	assert_true(near(value_of(&iterations, 2, ITERATION_TIME), 0.5));
	assert_true(near(value_of(&iterations, 2, ITERATION_LOSS), 2.25));
	assert_true(near(value_of(&iterations, 2, ITERATION_THROUGHPUT), NAN)); /* another unit */
	assert_string_equal(iterations.throughput_unit, "x/s");
	assert_false(iterations.rows[3].printed[ITERATION_TIME]); /* a time without a unit is none */
	assert_true(flagged(&iterations, "not a finite number in 1 of 4 step lines, the first is line 1"));
	assert_true(flagged(&iterations, "1 of 4 step lines give no time of the step, the first is line 4"));
}

static void test_step_line__glued_and_overwritten(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("  1%|#  | 1/9 [00:01<00:09, 1.00s/it]step 1 loss 3\r 2%|## | 2/9%step 2 loss 2;step 3 loss 1\n",
		 read_steps, &iterations);
	assert_int_equal(iterations.n, 3);
	assert_true(value_of(&iterations, 0, ITERATION_STEP) == 1);
	assert_true(value_of(&iterations, 0, ITERATION_LOSS) == 3);
	assert_true(value_of(&iterations, 1, ITERATION_LOSS) == 2);
	assert_true(value_of(&iterations, 2, ITERATION_LOSS) == 1);
	assert_int_equal(iterations.rows[2].line, 1);
}

static void test_step_line__cut_end(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("step 1 rate 1,234 loss 2.5\nstep 2 rate 1,234 loss 2.", read_steps, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_true(value_of(&iterations, 1, ITERATION_THROUGHPUT) == 1234);
	assert_true(value_of(&iterations, 0, ITERATION_LOSS) == 2.5);
	iterations_release(&iterations);
	steps_of("step 1 rate 1,234\nstep 2 rate 1,2", read_steps, &iterations);
	assert_false(iterations.rows[1].printed[ITERATION_THROUGHPUT]);
}

static void test_step_line__ranks(void **state)
{
	static const char *const logs[] = {
		"[rank1]: step 1 loss 11\n[rank0]: step 1 loss 1\n[rank0]: step 2 loss 2\n[rank1]: step 2 loss 12\n"
		"[rank1]: step 3 loss 13\n[rank0]: step 3 loss 3\n",
		"10: step 1 loss 11\n2: step 1 loss 1\n2: step 2 loss 2\n2: step 3 loss 3\n10: step 2 loss 12\n",
		"[1,1]<stdout>:step 1 loss 11\n[1,0]<stdout>:step 1 loss 1\n[1,0]<stdout>:step 2 loss 2\n"
		"[1,1]<stdout>:step 2 loss 12\n[1,0]<stdout>:step 3 loss 3\n",
		"n-b: step 1 loss 11\nn-a: step 1 loss 1\nn-a: step 2 loss 2\nn-b: step 2 loss 12\nn-a: step 3 loss "
		"3\n",
		"[default1]:step 1 loss 11\n[default0]:step 1 loss 1\n[default0]:step 2 loss 2\n[default1]:step 2 loss "
		"4\n"
		"[default0]:step 3 loss 3\n",
		"INFO rank=0 step 1 loss 1\nINFO rank=1 step 1 loss 11\nINFO rank=0 step 2 loss 2\n"
		"INFO rank=1 step 2 loss 12\nINFO rank=0 step 3 loss 3\n",
		"step 1 loss 1\nstep 1 loss 11\nstep 2 loss 2\nstep 2 loss 12\nstep 3 loss 3\n",
	};
	(void)state;
	for (size_t i = 0; i < sizeof(logs) / sizeof(*logs); i++) {
		CLEANUP(iterations_release) struct iterations iterations;
		steps_of(logs[i], read_steps, &iterations);
		assert_int_equal(iterations.n, 3);
		for (size_t k = 0; k < 3; k++) {
			assert_true(value_of(&iterations, k, ITERATION_STEP) == (double)(k + 1));
			assert_true(value_of(&iterations, k, ITERATION_LOSS) == (double)(k + 1));
		}
		assert_true(flagged(&iterations, "repeat a step"));
		assert_int_equal(iterations_restart_line(&iterations), 0);
	}
}

static void test_step_line__attempts_stay_apart(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("n1: step 1 loss 3\nn1: step 2 loss 2\nn2: step 1 loss 3\nn2: step 2 loss 2\n", read_steps,
		 &iterations);
	assert_int_equal(iterations.n, 4);
	assert_int_equal(iterations_restart_line(&iterations), 3);
	iterations_release(&iterations);
	/* a run that goes on elsewhere, from where the first left off */
	steps_of("n2: step 501 loss 3\nn2: step 502 loss 2\nn1: step 503 loss 1\n", read_steps, &iterations);
	assert_int_equal(iterations.n, 3);
	assert_int_equal(iterations_restart_line(&iterations), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_step_line__numbers),
		cmocka_unit_test(test_step_line__words),
		cmocka_unit_test(test_step_line__any_order),
		cmocka_unit_test(test_step_line__glued_and_overwritten),
		cmocka_unit_test(test_step_line__cut_end),
		cmocka_unit_test(test_step_line__ranks),
		cmocka_unit_test(test_step_line__attempts_stay_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
