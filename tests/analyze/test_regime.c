/* Regimes: micro-steps by division, and what two slices of one regime share. */
#include "analyze/regime.h"
#include "tests/analyze/campaign_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_regime__micro_steps(void **state)
{
	(void)state;
	assert_int_equal(regime_micro_steps(88, 8, 1), 11);
	assert_int_equal(regime_micro_steps(528, 48, 1), 11);
	assert_int_equal(regime_micro_steps(528, 8, 1), 66);
	assert_int_equal(regime_micro_steps(528, 4, 2), 66);
	assert_int_equal(regime_micro_steps(90, 8, 1), RECORD_UNSET);
	assert_int_equal(regime_micro_steps(88, 8, RECORD_UNSET), RECORD_UNSET);
}

static struct analysis_doc *tell(struct plan *plan)
{
	const struct campaign campaign = {.plan = plan};
	struct analysis_doc *doc = analysis_doc_new();

	for (size_t h = 0; h < plan->n_harnesses; h++) {
		struct doc_harness *row = analysis_doc_add_harness(doc);
		row->name = mem_dup_string(plan->harnesses[h].name);
		row->runs = 8;
	}
	regime_add(&campaign, doc);
	return doc;
}

static void test_regime__shared(void **state)
{
	struct plan_harness harnesses[] = {fixture_slice("large", 12, 48, 528), fixture_slice("small", 2, 8, 88),
					   fixture_slice("other", 2, 8, 528)};
	struct plan plan = {.harnesses = harnesses, .n_harnesses = 3};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = tell(&plan);

	(void)state;
	assert_int_equal(doc->n_findings, 1);
	assert_string_equal(doc->findings[0].text,
			    "small and large share a regime: 8 GPUs at global batch 88 take 11 micro-steps, as 48 GPUs "
			    "at global batch 528; ring latency and stragglers do not follow");
	assert_int_equal(doc->findings[0].paths.n, 2);
	assert_string_equal(doc->findings[0].paths.items[0], "/harnesses/0");
}

static void test_regime__target(void **state)
{
	struct plan_harness harnesses[] = {fixture_slice("small", 2, 8, 88)};
	struct plan plan = {.harnesses = harnesses, .n_harnesses = 1, .target_ranks = 48, .target_micro_steps = 11};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = tell(&plan);

	(void)state;
	assert_int_equal(doc->n_findings, 1);
	assert_non_null(strstr(doc->findings[0].text, "take 11 micro-steps, as its 48 GPUs do"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_regime__micro_steps),
		cmocka_unit_test(test_regime__shared),
		cmocka_unit_test(test_regime__target),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
