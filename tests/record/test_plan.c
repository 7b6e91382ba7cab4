#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/record.h"
#include "base/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLAN(harness_more, setting_more, more)                                                     \
	"{\"name\":\"p\",\"control\":\"base\",\"harnesses\":[{\"name\":\"b\",\"kind\":\"bench\"}," \
	"{\"name\":\"s\",\"kind\":\"slice\"" harness_more "}],"                                    \
	"\"settings\":[{\"name\":\"base\"},{\"name\":\"ring\"" setting_more "}]" more "}"

static char path[64];

static int read_text(const char *text, struct plan **plan, struct error *err)
{
	snprintf(path, sizeof(path), "test_plan.%d.json", (int)getpid());
	assert_int_equal(file_replace(path, text, strlen(text), NULL), 0);
	int r = plan_read(path, plan, err);
	unlink(path);
	return r;
}

static void test_defaults(void **state)
{
	CLEANUP(plan_free) struct plan *plan = NULL;
	struct error err;

	(void)state;
	assert_int_equal(read_text(PLAN("", "", ""), &plan, &err), 0);
	assert_true(plan->margin_percent == 1);
	assert_int_equal(plan->seed, 1);
	assert_int_equal(plan->design.blocks, 4);
	assert_true(plan->design.sentinels);
	assert_false(plan->design.present);
	assert_string_equal(plan->question, "");
	assert_true(isnan(plan->cost_per_gpu_hour));
	assert_true(plan->harnesses[1].deadline_s == 900);
	assert_string_equal(plan->harnesses[0].dtype, "float32");
	assert_int_equal(plan->harnesses[0].nodes, RECORD_UNSET);
	assert_true(plan->settings[1].quality_neutral);
	assert_int_equal(plan->settings[1].nature, PLAN_TUNING);
	assert_int_equal(plan->settings[1].hypothesis, PLAN_NO_HYPOTHESIS);
	assert_int_equal(strlen(plan->sha256), 64);
	assert_string_equal(plan_control_of(plan, &plan->settings[1]), "base");
	assert_true(plan_harness_runs(plan, &plan->harnesses[0], "ring"));
	assert_false(plan_harness_runs(plan, &plan->harnesses[0], "tree"));
}

static void test_values(void **state)
{
	CLEANUP(plan_free) struct plan *plan = NULL;
	struct error err;

	(void)state;
	int r = read_text(PLAN(",\"design\":{\"runs_per_arm\":2},\"settings\":[\"ring\"],\"units\":{\"time\":\"ms\"},"
			       "\"command\":[\"train\",\"{args}\",\"--n={steps}\",\"{\\\"a\\\":1}\"]",
			       ",\"env\":{\"NCCL_ALGO\":\"Ring\"},\"hypothesis\":{\"direction\":\"faster\"},"
			       "\"expect\":{\"net\":\"ib\"}",
			       ",\"design\":{\"blocks\":7,\"order\":\"abba\",\"sentinels\":false},"
			       "\"parity\":[{\"bench\":\"b\",\"slice\":\"s\"}],\"target\":{\"nodes\":64}"),
			  &plan, &err);
	assert_int_equal(r, 0);
	/* A harness's design takes from the plan's what it leaves out. */
	assert_int_equal(plan_blocks(plan, &plan->harnesses[1]), 7);
	assert_int_equal(plan->harnesses[1].design.runs_per_arm, 2);
	assert_int_equal(plan->harnesses[1].design.order, PLAN_ABBA);
	assert_false(plan->harnesses[1].design.sentinels);
	assert_int_equal(plan->settings[1].hypothesis, PLAN_FASTER);
	assert_string_equal(string_map_get(&plan->settings[1].env, "NCCL_ALGO"), "Ring");
	assert_true(plan->settings[1].expect.present);
	assert_int_equal(plan->target_nodes, 64);
	assert_true(plan_harness_runs(plan, &plan->harnesses[1], "base"));
}

static void test_errors(void **state)
{
	static const char *const cases[][2] = {
		{PLAN(",\"comand\":[]", "", ""), "harnesses[1].comand: unknown key, did you mean 'command'?"},
		{PLAN("", "", ",\"seed\":\"x\""), "seed: expected an integer, got a string"},
		{PLAN("", "", ",\"seed\":-1"), "seed: -1 is out of range: it must be at least 0"},
		{PLAN("", "", ",\"margin_percent\":0"), "margin_percent: 0 is out of range"},
		{PLAN("", "", ",\"design\":{\"blocks\":0}"), "design.blocks: 0 is out of range"},
		{PLAN("", "", ",\"design\":{\"order\":\"random\"}"),
		 "design.order: 'random' is not one of 'interleaved'"},
		{PLAN(",\"settings\":[\"rnig\"]", "", ""),
		 "harnesses[1].settings[0]: no setting is named 'rnig', did you "
		 "mean 'ring'?"},
		{PLAN(",\"command\":[\"{stps}\"]", "", ""), "harnesses[1].command[0]: unknown placeholder '{stps}'"},
		{PLAN(",\"command\":[\"x{args}\"]", "", ""), "harnesses[1].command[0]: '{args}'"},
		{PLAN(",\"units\":{\"time\":\"h\"}", "", ""), "harnesses[1].units.time: 'h' is not one of"},
		{PLAN("", ",\"control\":\"no\"", ""), "settings[1].control: no setting is named 'no'"},
		{PLAN("", ",\"hypothesis\":{}", ""), "settings[1].hypothesis: required key 'direction' is missing"},
		{PLAN("", "},{\"name\":\"ring\"", ""), "settings[2].name: 'ring' is the name of settings[1] too"},
		{PLAN("", "},{\"name\":\"Ring\"", ""), "settings[2].name: 'Ring' does not match"},
		{PLAN("", "", ",\"parity\":[{\"bench\":\"s\",\"slice\":\"s\"}]"),
		 "parity[0].bench: harness 's' is not a bench"},
		{"{\"name\":\"p\"}", "required key 'control' is missing"},
		{"{\"name\":\"p\",\"control\":\"a\",\"harnesses\":[],\"settings\":[]}",
		 "harnesses: must have at least one item"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct plan *plan = NULL;
		struct error err;

		assert_int_equal(read_text(cases[i][0], &plan, &err), ERROR_DATA);
		if (!strstr(err.message, cases[i][1]) || strncmp(err.message, path, strlen(path)) != 0)
			fail_msg("'%s' does not say '%s'", err.message, cases[i][1]);
	}
	struct plan *plan = NULL;
	assert_int_equal(plan_read("/no/such.json", &plan, NULL), ERROR_ENVIRONMENT);
}

static void test_net_kind(void **state)
{
	static const char *const cases[][2] = {{"AWS Libfabric", "libfabric"},
					       {"IB", "ib"},
					       {"Socket", "socket"},
					       {"IBext_v8", "ibext"},
					       {"gIB", "gib"},
					       {"OFI", "libfabric"},
					       {"", "unknown"},
					       {"FasTrak", "fastrak"}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(run_net_kind(cases[i][0]), cases[i][1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_defaults), cmocka_unit_test(test_values),
					   cmocka_unit_test(test_errors), cmocka_unit_test(test_net_kind)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
