#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/collect/collect_fixture.h"

#include <string.h>

/* An outside cause. */
#define NO_SLOTS SH("echo not enough slots available >&2; exit 1")

#define COMMAND "\"kind\":\"slice\",\"ranks\":2," PATTERN ",\"command\":" SH(STEPS)
#define S "{\"name\":\"s\",\"env\":{\"TRY\":\"1\"}}"
#define CS "[{\"name\":\"c\"}," S "]"

/* A letter a planned run: lacking, recorded, missed. */
static char *states_of(const struct plan *plan)
{
	CLEANUP(schedule_release) struct schedule schedule = {0};
	CLEANUP(mem_free) enum planned_state *states = NULL;
	CLEANUP(text_release) struct text letters = {0};
	struct error err = {0};
	size_t at = 0;

	assert_int_equal(schedule_plan(plan, &schedule, &err), 0);
	if (schedule_recorded(folder, plan, &schedule, &states, &err) < 0)
		fail_msg("%s", err.message);
	for (size_t i = 0; i < schedule.n; i++)
		for (size_t j = 0; j < schedule.blocks[i].n; j++)
			text_add_char(&letters, "lrm"[states[at++]]);
	return text_take(&letters);
}

static void collect_first(const char *design)
{
	CLEANUP(plan_free) struct plan *plan = read_plan(design, COMMAND, CS);
	CLEANUP(seen_release) struct seen seen = {0};
	struct collect_result result;

	collect_ok(plan, &seen, &result);
	assert_int_equal(seen.ends, 1);
}

/* After a block of settle c, sentinel c, c, s, sentinel c has ended, the plan changes. */
static void test_a_plan_that_changed_after_its_block(void **state)
{
	static const struct {
		const char *design, *settings, *states;
	} cases[] = {
		{DESIGN("1"), CS, "rrrrr"},
		/* one added in front, one behind, one between: what was run is found wherever it stands now */
		{DESIGN("1"), "[{\"name\":\"t\"},{\"name\":\"c\"}," S "]", "rrmrrr"},
		{DESIGN("1"), "[{\"name\":\"c\"}," S ",{\"name\":\"t\"}]", "rrrrmr"},
		{DESIGN("1"), "[{\"name\":\"c\"},{\"name\":\"t\"}," S "]", "rrrmrr"},
		{DESIGN("1"), "[" S ",{\"name\":\"c\"}]", "rrrrr"},
		{DESIGN("1"), "[{\"name\":\"c\"},{\"name\":\"renamed\",\"env\":{\"TRY\":\"1\"}}]", "rrrmr"},
		/* a second round: each record stands for one run */
		{"{\"blocks\":1,\"order\":\"as_listed\",\"runs_per_arm\":2}", CS, "rrrrmmr"},
		{"{\"blocks\":1,\"order\":\"as_listed\",\"settle_runs\":2}", CS, "rmrrrr"},
		{"{\"blocks\":1,\"order\":\"as_listed\",\"sentinels\":false}", CS, "rrr"},
		{DESIGN("2"), "[{\"name\":\"c\"}," S ",{\"name\":\"t\"}]", "rrrrmrllllll"},
	};

	(void)state;
	collect_first(DESIGN("1"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(plan_free) struct plan *plan = read_plan(cases[i].design, COMMAND, cases[i].settings);
		CLEANUP(mem_free) char *states = states_of(plan);

		if (strcmp(states, cases[i].states) != 0)
			fail_msg("case %zu: '%s' is not '%s'", i, states, cases[i].states);
	}
}

static void test_a_missed_run_is_not_run(void **state)
{
	(void)state;
	CLEANUP(plan_free) struct plan *grown = NULL;
	CLEANUP(seen_release) struct seen seen = {0};
	struct collect_result result;

	collect_first(DESIGN("1"));
	grown = read_plan(DESIGN("2"), COMMAND, "[{\"name\":\"c\"}," S ",{\"name\":\"t\"}]");
	collect_ok(grown, &seen, &result);
	assert_int_equal(result.planned, 12);
	assert_int_equal(result.already, 5);
	assert_int_equal(result.recorded, 6);
	assert_non_null(strstr(text_string(&seen.runs), "b2/5.1:arm:t:ok"));
	assert_null(strstr(text_string(&seen.runs), "b1/5.1:arm:t:ok"));
}

/* What goes by a name is what was run by it; a name that is new, or a plan that only asks for more, is free. */
static void test_what_was_run_changed(void **state)
{
	static const struct {
		const char *harness, *settings, *subject;
	} cases[] = {
		{COMMAND, "[{\"name\":\"c\"},{\"name\":\"s\",\"env\":{\"TRY\":\"2\"}}]",
		 "setting 's' of harness 'h' was run in b1 as something else ("},
		{COMMAND, "[{\"name\":\"c\",\"args\":[\"-v\"]}," S "]",
		 "setting 'c' of harness 'h' was run in b1 as something else ("},
		{COMMAND ",\"discard\":1", CS, "setting 'c' of harness 'h' was run in b1 as something else ("},
	};
	static const char end[] = ": restore campaign.json, give the changed setting or harness a new name, or use a "
				  "new campaign folder";

	(void)state;
	collect_first(DESIGN("1"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(plan_free) struct plan *plan = read_plan(DESIGN("2"), cases[i].harness, cases[i].settings);
		CLEANUP(seen_release) struct seen seen = {0};
		struct collect_result result;
		struct error err;

		assert_int_equal(collect(plan, NULL, &seen, &result, &err), ERROR_DATA);
		assert_int_equal(strncmp(err.message, cases[i].subject, strlen(cases[i].subject)), 0);
		assert_non_null(strstr(err.message, end));
		assert_string_equal(text_string(&seen.events), "");
	}
	CLEANUP(plan_free) struct plan *same = read_plan(DESIGN("2"), COMMAND ",\"deadline_s\":50", CS);
	CLEANUP(seen_release) struct seen seen = {0};
	struct collect_result result;

	collect_ok(same, &seen, &result);
	assert_int_equal(result.recorded, 5);
}

/* A launch that failed measured nothing: the plan may be put right under it. */
static void test_a_failed_launch_binds_nothing(void **state)
{
	(void)state;
	CLEANUP(plan_free) struct plan *plan = slice(DESIGN("1"), NO_SLOTS);
	CLEANUP(plan_free) struct plan *right = NULL;
	CLEANUP(seen_release) struct seen seen = {0};
	struct collect_result result;

	collect_ok(plan, &seen, &result);
	assert_int_equal(result.lost, 5);
	right = slice(DESIGN("1"), SH(STEPS));
	collect_ok(right, &seen, &result);
	assert_int_equal(result.lost, 0);
	assert_int_equal(result.recorded, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_a_plan_that_changed_after_its_block),
		TEST(test_a_missed_run_is_not_run),
		TEST(test_what_was_run_changed),
		TEST(test_a_failed_launch_binds_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
