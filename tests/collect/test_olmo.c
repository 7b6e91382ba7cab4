#include "collect/import/olmo.h"
#include "step_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_olmo__blocks(void **state)
{
	static const char bytes[] =
		"[2026-04-17 09:42:26] INFO     [olmo.train:816, rank=0] [step=1/739,328]\n"
		"    train/CrossEntropyLoss=11.25\n    throughput/total_tokens=4,194,304\n"
		"[2026-04-17 09:42:38] INFO     [olmo.train:816, rank=0] [step=2/739,328]\n"
		"    train/CrossEntropyLoss=10.75\n    train/Perplexity=45,773\n"
		"    throughput/total_tokens=8,388,608\n    throughput/device/tokens_per_second=45,538\n"
		"saving checkpoint\n    throughput/device/tokens_per_second=1\n";
	CLEANUP(iterations_release) struct iterations iterations;
	(void)state;
	assert_true(detected(bytes, olmo_detect));
	steps_of(bytes, olmo_read, &iterations);
	assert_int_equal(iterations.n, 2);
	assert_int_equal(iterations.total, 739328);
	assert_false(iterations.rows[0].printed[ITERATION_THROUGHPUT]);
	assert_true(value_of(&iterations, 1, ITERATION_THROUGHPUT) == 45538);
	assert_true(value_of(&iterations, 1, ITERATION_LOSS) == 10.75);
	assert_true(value_of(&iterations, 1, ITERATION_TOKENS) == 8388608);
	assert_true(flagged(&iterations, "1 of 2 step lines give no throughput, the first is line 1"));
	assert_int_equal(iterations_bad_line(&iterations, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_olmo__blocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
