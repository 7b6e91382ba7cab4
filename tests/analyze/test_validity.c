/* What a run reports against what its setting expects, and the name it gets. */
#include "analyze/validity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct network_row {
	const char *expect_net, *expect_version;
	const char *kind, *raw, *version;
	int64_t reporting;
	enum network_status expected;
	const char *named;
};

static const struct network_row rows[] = {
	{"IB", NULL, "ib", "IB", NULL, 4, NETWORK_AS_EXPECTED, "fast"},
	{"IB", NULL, "ib", "IB", NULL, 3, NETWORK_UNVERIFIED, "fast"},
	{"IB", NULL, NULL, NULL, NULL, 0, NETWORK_UNVERIFIED, "fast"},
	{"IB", NULL, "socket", "Socket", NULL, 4, NETWORK_DIFFERENT, "fast@net=socket"},
	{"IB", NULL, "socket", "Socket", NULL, 2, NETWORK_DIFFERENT, "fast@net=socket"},
	{"IB", NULL, "mixed", NULL, NULL, 4, NETWORK_MIXED, "fast@net=mixed"},
	{"Socket", NULL, "libfabric", "AWS Libfabric", "1.9.1-aws", 4, NETWORK_DIFFERENT,
	 "fast@net_plugin_version=1.9.1-aws"},
	{"AWS Libfabric", "1.6.0", "libfabric", "AWS Libfabric", "1.6.0", 4, NETWORK_AS_EXPECTED, "fast"},
	{"AWS Libfabric", "1.6.0", "libfabric", "AWS Libfabric", "1.9.1-aws", 4, NETWORK_DIFFERENT,
	 "fast@net_plugin_version=1.9.1-aws"},
	{"AWS Libfabric", "1.6.0", "libfabric", "AWS Libfabric", NULL, 4, NETWORK_UNVERIFIED, "fast"},
};

static void test_validity__network(void **state)
{
	struct plan plan = {0};
	struct plan_harness harness = {.ranks = 4};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct plan_setting setting = {.name = (char *)"fast",
					       .expect = {.present = true,
							  .net = (char *)rows[i].expect_net,
							  .net_plugin_version = (char *)rows[i].expect_version}};
		CLEANUP(run_record_free) struct run_record *record = run_record_new();
		struct campaign_run run = {.record = record, .harness = &harness, .setting = &setting};
		record->setting = mem_dup_string("fast");
		record->status = RUN_OK;
		record->factors.net.kind = mem_dup_string(rows[i].kind);
		record->factors.net.raw = mem_dup_string(rows[i].raw);
		record->factors.net.plugin_version = mem_dup_string(rows[i].version);
		record->factors.net.ranks_reporting = rows[i].reporting;
		run.network = validity_network(&plan, &run);
		assert_int_equal(run.network, rows[i].expected);
		CLEANUP(mem_free) char *named = validity_observed_name(&plan, &run);
		assert_string_equal(named, rows[i].named);
	}
}

static void test_validity__confounds(void **state)
{
	struct plan_setting settings[] = {{.name = (char *)"base"}, {.name = (char *)"fast"}};
	struct plan plan = {.control = (char *)"base", .settings = settings, .n_settings = 2};
	struct plan_harness harness = {.ranks = 8, .micro_batch = 1};
	CLEANUP(run_record_free) struct run_record *left = run_record_new(), *right = run_record_new();
	struct campaign_run c = {.record = left, .harness = &harness}, t = {.record = right, .harness = &harness};
	const struct campaign_run *cs[] = {&c}, *ts[] = {&t};
	struct arm control = {.runs = cs, .n = 1}, treatment = {.runs = ts, .n = 1};
	CLEANUP(factor_differences_release) struct factor_differences found = {0};

	(void)state;
	left->status = right->status = RUN_OK;
	left->factors.global_batch = 528;
	right->factors.global_batch = 264;
	left->factors.nccl = mem_dup_string("2.18.3");
	right->factors.nccl = mem_dup_string("2.20.5");
	validity_confounds(&plan, &settings[1], &control, &treatment, &found);
	assert_int_equal(found.n, 3);
	assert_string_equal(found.items[0].factor, "global_batch");
	assert_true(found.items[0].voids && found.items[0].batch);
	assert_string_equal(found.items[1].factor, "micro_steps");
	assert_string_equal(found.items[1].control, "66");
	assert_string_equal(found.items[1].treatment, "33");
	assert_string_equal(found.items[2].factor, "nccl");
	assert_false(found.items[2].voids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_validity__network),
		cmocka_unit_test(test_validity__confounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
