#include "collect/import/llmc.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_llmc__lines(void **state)
{
	static const char bytes[] = "| train_num_batches     | 32000 |\nval loss 11.0\n"
				    "step    1/32000 | loss 11.125 (+nanz)| norm 52.9 (+nanz)| lr 8.50e-07 | 3056.25 "
				    "ms | 42.6% bf16 MFU | 343080 tok/s\n"
				    "HellaSwag: 2500/10042 = 0.249\n"
				    "step  250/32000 | loss 7.5 (-1.25z)| norm 2.5 (+0.1z)| lr 2.1e-04 | 2750.5 ms | "
				    "47.4% bf16 MFU | 381690 tok/s\n";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, llmc_detect));
	steps_of(bytes, llmc_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_int_equal(iterations.total, 32000);
	assert_true(near(value_of(&iterations, 0, ITERATION_TIME), 3.05625));
	assert_true(value_of(&iterations, 0, ITERATION_LOSS) == 11.125);
	assert_true(value_of(&iterations, 0, ITERATION_THROUGHPUT) == 343080);
	assert_true(value_of(&iterations, 1, ITERATION_STEP) == 250);
	assert_true(value_of(&iterations, 1, ITERATION_LR) == 2.1e-4);
}

static void test_llmc__older(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("step 1/74: train loss 4.375 (80.5 ms, 50790 tok/s)\nstep    2/74 | train loss 4.25 | norm 1.5 | lr "
		 "1.0e-04 | "
		 "(90.5 ms | 45000 tok/s)\nstep 3: train loss 4.125 (took 100.5 ms)\nstep 3 done\n",
		 llmc_read, &iterations);
	assert_int_equal(iterations.n, 3);
	assert_true(near(value_of(&iterations, 0, ITERATION_TIME), 0.0805));
	assert_true(near(value_of(&iterations, 1, ITERATION_TIME), 0.0905));
	assert_true(near(value_of(&iterations, 2, ITERATION_TIME), 0.1005));
	assert_true(value_of(&iterations, 2, ITERATION_LOSS) == 4.125);
	assert_true(value_of(&iterations, 1, ITERATION_THROUGHPUT) == 45000);
}

static void test_llmc__main_log(void **state)
{
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	steps_of("s:0 tel:11.0\ns:0 trl:10.5 lr:0.000001 norm:15.3\ns:1 trl:10.25 lr:0.000002 norm:15.2\ns:1 "
		 "eval:0.25\n",
		 llmc_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_true(value_of(&iterations, 1, ITERATION_LOSS) == 10.25);
	assert_true(value_of(&iterations, 1, ITERATION_LR) == 2e-6);
	assert_false(iterations.has[ITERATION_TIME]);
	assert_int_equal(iterations_bad_line(&iterations, 0), 0); /* no response is no bad response */
	assert_int_equal(iterations.flags.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_llmc__lines),
		cmocka_unit_test(test_llmc__older),
		cmocka_unit_test(test_llmc__main_log),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
