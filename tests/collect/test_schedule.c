#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/collect.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOUR_SETTINGS                                                                  \
	"[{\"name\":\"c\"},{\"name\":\"s1\"},{\"name\":\"s2\",\"env\":{\"A\":\"1\"}}," \
	"{\"name\":\"s3\",\"args\":[\"-x\"],\"env\":{\"A\":\"2\"}}]"
#define SLICE "\"kind\":\"slice\",\"command\":[\"run\",\"{args}\"]"
#define BARE_SLICE "\"kind\":\"slice\",\"command\":[\"run\"]"
#define MPI(op, bytes) "\"kind\":\"bench\",\"backend\":\"mpi\",\"op\":\"" op "\",\"bytes\":[" bytes "]"
#define CONTROL "[{\"name\":\"c\"}]"

static struct plan *read_plan(const char *design, const char *harnesses, const char *settings, const char *more)
{
	char path[] = "/tmp/test_schedule.XXXXXX";
	CLEANUP(text_release) struct text text = {0};
	struct plan *plan = NULL;
	struct error err = {0};
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	text_format(&text,
		    "{\"name\":\"p\",\"control\":\"c\",\"seed\":7,\"design\":%s,\"harnesses\":%s,\"settings\":%s%s}",
		    design, harnesses, settings, more);
	assert_int_equal(file_replace(path, text.bytes, text.length, NULL), 0);
	int r = plan_read(path, &plan, &err);
	unlink(path);
	if (r < 0)
		fail_msg("%s", err.message);
	return plan;
}

/* "settle:c sentinel:c arm:s1 ..." of one harness in a block. */
static char *words_of(const struct planned_block *block, const char *harness)
{
	struct text text = {0};

	for (size_t i = 0; i < block->n; i++) {
		assert_int_equal(block->runs[i].position, (int64_t)i + 1);
		if (strcmp(block->runs[i].harness->name, harness) != 0)
			continue;
		if (block->runs[i].role != RUN_ARM)
			text_format(&text, "%s:", run_role_name(block->runs[i].role));
		text_format(&text, "%s ", block->runs[i].setting->name);
	}
	return text_take(&text);
}

static void expect_block(const struct plan *plan, size_t block, const char *harness, const char *expected)
{
	CLEANUP(schedule_release) struct schedule schedule = {0};
	struct error err = {0};

	if (schedule_plan(plan, &schedule, &err) < 0)
		fail_msg("%s", err.message);
	assert_true(block < schedule.n);
	CLEANUP(mem_free) char *words = words_of(&schedule.blocks[block], harness);
	assert_string_equal(words, expected);
}

static void test_as_listed_and_abba(void **state)
{
	(void)state;
	CLEANUP(plan_free)
	struct plan *listed = read_plan(
		"{\"blocks\":2,\"runs_per_arm\":2,\"order\":\"as_listed\",\"settle_runs\":2,\"sentinels\":true}",
		"[{\"name\":\"h\"," SLICE "}]", "[{\"name\":\"c\"},{\"name\":\"s1\"}]", "");
	CLEANUP(plan_free)
	struct plan *abba =
		read_plan("{\"blocks\":2,\"runs_per_arm\":3,\"order\":\"abba\",\"settle_runs\":0,\"sentinels\":false}",
			  "[{\"name\":\"h\"," SLICE "}]", "[{\"name\":\"c\"},{\"name\":\"s1\"}]", "");

	expect_block(listed, 0, "h", "settle:c settle:c sentinel:c c s1 c s1 sentinel:c ");
	expect_block(listed, 1, "h", "settle:c settle:c sentinel:c c s1 c s1 sentinel:c ");
	expect_block(abba, 0, "h", "c s1 s1 c c s1 ");
	expect_block(abba, 1, "h", "s1 c c s1 s1 c ");
}

static void test_aa_pairs_are_runs_of_the_block(void **state)
{
	(void)state;
	CLEANUP(plan_free)
	struct plan *plan = read_plan("{\"blocks\":1,\"runs_per_arm\":2,\"order\":\"as_listed\",\"settle_runs\":0,"
				      "\"sentinels\":false,\"aa_pairs\":3}",
				      "[{\"name\":\"h\"," SLICE "}]", "[{\"name\":\"c\"},{\"name\":\"s1\"}]", "");

	expect_block(plan, 0, "h", "c s1 c c c s1 c ");
}

static void test_settings_and_design_of_a_harness(void **state)
{
	(void)state;
	CLEANUP(plan_free)
	struct plan *plan = read_plan("{\"blocks\":3,\"order\":\"as_listed\",\"sentinels\":false}",
				      "[{\"name\":\"h\"," SLICE ",\"settings\":[\"s2\"]},"
				      "{\"name\":\"k\"," SLICE ",\"design\":{\"blocks\":1,\"settle_runs\":0}}]",
				      FOUR_SETTINGS, "");
	CLEANUP(schedule_release) struct schedule schedule = {0};

	assert_int_equal(schedule_plan(plan, &schedule, NULL), 0);
	assert_int_equal(schedule.n, 3);
	assert_string_equal(schedule.blocks[0].name, "b1");
	assert_string_equal(schedule.blocks[2].name, "b3");
	assert_int_equal(schedule.blocks[0].n, 3 + 4);
	assert_int_equal(schedule.blocks[1].n, 3);
	expect_block(plan, 0, "h", "settle:c c s2 ");
	expect_block(plan, 0, "k", "c s1 s2 s3 ");
	expect_block(plan, 2, "k", "");
}

/* A setting with a control of its own brings that into the harness, but settle and sentinel runs are the plan's. */
static void test_control_of_a_setting_is_an_arm(void **state)
{
	(void)state;
	CLEANUP(plan_free)
	struct plan *plan =
		read_plan("{\"blocks\":1,\"order\":\"as_listed\"}", "[{\"name\":\"h\"," SLICE ",\"settings\":[\"s\"]}]",
			  "[{\"name\":\"c\"},{\"name\":\"own\"},{\"name\":\"s\",\"control\":\"own\"},"
			  "{\"name\":\"other\"}]",
			  "");

	expect_block(plan, 0, "h", "settle:c sentinel:c c own s sentinel:c ");
}

#define INTERLEAVED(blocks) "{\"blocks\":" blocks ",\"runs_per_arm\":3,\"settle_runs\":0,\"sentinels\":false}"

static void test_interleaved_rounds(void **state)
{
	(void)state;
	CLEANUP(plan_free)
	struct plan *plan = read_plan(INTERLEAVED("20"), "[{\"name\":\"h\"," SLICE "}]", FOUR_SETTINGS, "");
	CLEANUP(schedule_release) struct schedule schedule = {0};
	CLEANUP(schedule_release) struct schedule again = {0};
	size_t first[4] = {0}, differ = 0;

	assert_int_equal(schedule_plan(plan, &schedule, NULL), 0);
	assert_int_equal(schedule_plan(plan, &again, NULL), 0);
	for (size_t b = 0; b < 20; b++) {
		CLEANUP(mem_free) char *words = words_of(&schedule.blocks[b], "h");
		CLEANUP(mem_free) char *same = words_of(&again.blocks[b], "h");
		CLEANUP(mem_free) char *before = words_of(&schedule.blocks[b > 0 ? b - 1 : 1], "h");

		assert_string_equal(words, same);
		differ += strcmp(words, before) != 0;
		assert_int_equal(schedule.blocks[b].n, 12);
		for (size_t round = 0; round < 3; round++) {
			size_t seen[4] = {0};

			for (size_t i = 0; i < 4; i++)
				seen[schedule.blocks[b].runs[4 * round + i].setting - plan->settings]++;
			for (size_t i = 0; i < 4; i++)
				assert_int_equal(seen[i], 1);
			first[schedule.blocks[b].runs[4 * round].setting - plan->settings]++;
		}
	}
	/* 24^-3 that two blocks agree; 60 rounds: no setting is always or never first. */
	assert_true(differ >= 19);
	for (size_t i = 0; i < 4; i++)
		assert_true(first[i] > 0 && first[i] < 40);
}

static void test_interleaved_is_seeded(void **state)
{
	(void)state;
	CLEANUP(plan_free)
	struct plan *plan = read_plan(INTERLEAVED("1"), "[{\"name\":\"h\"," SLICE "}]", FOUR_SETTINGS, "");
	CLEANUP(schedule_release) struct schedule schedule = {0};
	CLEANUP(schedule_release) struct schedule other = {0};

	assert_int_equal(schedule_plan(plan, &schedule, NULL), 0);
	plan->seed++;
	assert_int_equal(schedule_plan(plan, &other, NULL), 0);
	CLEANUP(mem_free) char *words = words_of(&schedule.blocks[0], "h");
	CLEANUP(mem_free) char *words_other = words_of(&other.blocks[0], "h");
	assert_string_not_equal(words, words_other);
}

static void test_growth_moves_nothing(void **state)
{
	(void)state;
	CLEANUP(plan_free)
	struct plan *small = read_plan(INTERLEAVED("2"), "[{\"name\":\"h\"," SLICE "}]", FOUR_SETTINGS, "");
	CLEANUP(plan_free)
	struct plan *large = read_plan(INTERLEAVED("5"), "[{\"name\":\"h\"," SLICE "},{\"name\":\"k\"," SLICE "}]",
				       FOUR_SETTINGS, "");
	CLEANUP(schedule_release) struct schedule a = {0};
	CLEANUP(schedule_release) struct schedule b = {0};

	assert_int_equal(schedule_plan(small, &a, NULL), 0);
	assert_int_equal(schedule_plan(large, &b, NULL), 0);
	for (size_t i = 0; i < 2; i++) {
		CLEANUP(mem_free) char *before = words_of(&a.blocks[i], "h");
		CLEANUP(mem_free) char *after = words_of(&b.blocks[i], "h");

		assert_string_equal(before, after);
	}
	CLEANUP(mem_free) char *h = words_of(&b.blocks[0], "h");
	CLEANUP(mem_free) char *k = words_of(&b.blocks[0], "k");
	assert_string_not_equal(h, k);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *harness, *settings, *more, *message;
	} cases[] = {
		{"\"kind\":\"bench\"", "[{\"name\":\"c\"}]", "", "harness 'h': nothing to run: give it a backend"},
		{"\"kind\":\"slice\"", "[{\"name\":\"c\"}]", "", "harness 'h': nothing to run: give it a command"},
		{"\"kind\":\"slice\",\"backend\":\"mpi\"", "[{\"name\":\"c\"}]", "", "give it a command"},
		{"\"kind\":\"bench\",\"backend\":\"mpi\",\"bytes\":[8]", "[{\"name\":\"c\"}]", "",
		 "harness 'h': no op"},
		{"\"kind\":\"bench\",\"backend\":\"mpi\",\"op\":\"allreduce\"", "[{\"name\":\"c\"}]", "",
		 "harness 'h': no bytes"},
		{MPI("allreduce", "8"), CONTROL, "", "harness 'h': no headline_bytes"},
		{MPI("allreduce", "8,16") ",\"headline_bytes\":12", CONTROL, "",
		 "harness 'h': headline_bytes 12 is not among its bytes"},
		{MPI("allreduce", "8,10"), CONTROL, "",
		 "harness 'h': bytes: size 10 of 'allreduce' is not a multiple of 4"},
		{MPI("allreduce", "4") ",\"dtype\":\"float64\"", CONTROL, "", "is not a multiple of 8 bytes (float64)"},
		/* Two ranks when the plan names none. */
		{MPI("allgather", "12"), CONTROL, "", "is not a multiple of 8 bytes (float32, a share for every rank)"},
		{MPI("reducescatter", "32") ",\"ranks\":3", CONTROL, "", "is not a multiple of 12 bytes"},
		{MPI("alltoall", "32") ",\"ranks\":5", CONTROL, "", "is not a multiple of 20 bytes"},
		{MPI("sendrecv", "8") ",\"placement\":\"in_place\"", CONTROL, "",
		 "harness 'h': placement 'in_place': op 'sendrecv' has no such form"},
		{MPI("allreduce", "8") ",\"dtype\":\"int32\"", CONTROL, "",
		 "harness 'h': dtype 'int32': the worker has only float32, float64, bfloat16"},
		{MPI("allreduce", "8") ",\"iterations\":1000001", CONTROL, "",
		 "harness 'h': iterations 1000001: give at most 1000000"},
		{MPI("allreduce", "8") ",\"headline_bytes\":8",
		 "[{\"name\":\"c\"},{\"name\":\"s\",\"env\":{\"A\":\"1\"},\"args\":[\"-x\"]}]", "",
		 "harness 'h': setting 's' has args, which assay's worker does not take; write them as env"},
		{BARE_SLICE, "[{\"name\":\"c\"},{\"name\":\"s\",\"args\":[\"-x\"]}]", "",
		 "harness 'h': setting 's' has args, which its command does not take; write {args}"},
		{BARE_SLICE, FOUR_SETTINGS, "", "or leave the setting out of the harness's 'settings' list"},
		{BARE_SLICE, "[{\"name\":\"c\",\"args\":[\"-x\"]}]", "", "harness 'h': setting 'c' has args"},
		{SLICE, "[{\"name\":\"c\"},{\"name\":\"s\",\"args\":[\"-x\"],\"mpirun_args\":[\"-x\"]}]", "",
		 "harness 'h': setting 's' has mpirun_args, which its command does not take; write {mpirun_args}"},
		{SLICE ",\"steps\":50,\"production_warmup_steps\":500", "[{\"name\":\"c\"}]", "",
		 "harness 'h': its 50 steps end within the first tenth of a warm-up of 500 steps"},
		{SLICE ",\"steps\":5,\"production_warmup_steps\":59", "[{\"name\":\"c\"}]", "",
		 "give it more than 5 steps, a shorter warm-up"},
		{SLICE, "[{\"name\":\"c\"}]", ",\"launcher\":{\"kind\":\"slurm\"}",
		 "launcher.kind 'slurm' is not supported yet: run inside an allocation with kind 'local'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CLEANUP(text_release) struct text harnesses = {0};
		CLEANUP(schedule_release) struct schedule schedule = {0};
		struct error err = {0};

		text_format(&harnesses, "[{\"name\":\"h\",%s}]", cases[i].harness);
		CLEANUP(plan_free)
		struct plan *plan =
			read_plan("{\"blocks\":1}", text_string(&harnesses), cases[i].settings, cases[i].more);
		assert_int_equal(schedule_plan(plan, &schedule, &err), ERROR_DATA);
		if (!strstr(err.message, cases[i].message))
			fail_msg("case %zu: '%s' does not say '%s'", i, err.message, cases[i].message);
		assert_int_equal(schedule.n, 0);
	}
}

/* The nearest plans to those that are refused. */
static void test_accepted(void **state)
{
	static const char *const harnesses[] = {
		"[{\"name\":\"h\",\"kind\":\"slice\",\"command\":[\"run\",\"{args}\"]}]",
		"[{\"name\":\"h\",\"kind\":\"slice\",\"command\":[\"run\",\"{args}\"],\"steps\":51,"
		"\"production_warmup_steps\":500}]",
		"[{\"name\":\"h\",\"kind\":\"slice\",\"command\":[\"run\",\"{args}\"],\"steps\":50,"
		"\"production_warmup_steps\":500,\"allow_untrained\":true}]",
		"[{\"name\":\"h\",\"kind\":\"slice\",\"command\":[\"run\",\"{args}\"],\"steps\":50}]",
		"[{\"name\":\"h\",\"kind\":\"slice\",\"command\":[\"run\",\"{args}\"],"
		"\"production_warmup_steps\":500}]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(harnesses) / sizeof(*harnesses); i++) {
		CLEANUP(plan_free)
		struct plan *plan = read_plan("{\"blocks\":1,\"order\":\"as_listed\"}", harnesses[i], FOUR_SETTINGS,
					      ",\"launcher\":{\"kind\":\"local\"}");

		expect_block(plan, 0, "h", "settle:c sentinel:c c s1 s2 s3 sentinel:c ");
	}
}

static void test_accepted_benchmarks(void **state)
{
	static const char *const harnesses[] = {
		MPI("allreduce", "4,8") ",\"headline_bytes\":4",
		MPI("allreduce", "2") ",\"headline_bytes\":2,\"dtype\":\"bfloat16\",\"placement\":\"in_place\"",
		MPI("alltoall", "40") ",\"headline_bytes\":40,\"ranks\":5",
		MPI("sendrecv", "12") ",\"headline_bytes\":12",
		"\"kind\":\"bench\",\"backend\":\"nccl\",\"op\":\"allreduce\",\"bytes\":[8]",
		/* What it cannot apply it need not run. */
		MPI("allreduce", "8") ",\"headline_bytes\":8,\"settings\":[\"c\",\"s1\",\"s2\"]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(harnesses) / sizeof(*harnesses); i++) {
		CLEANUP(text_release) struct text text = {0};
		bool narrowed = strstr(harnesses[i], "settings") != NULL;

		text_format(&text, "[{\"name\":\"h\",%s}]", harnesses[i]);
		CLEANUP(plan_free)
		struct plan *plan = read_plan("{\"blocks\":1,\"order\":\"as_listed\"}", text_string(&text),
					      narrowed ? FOUR_SETTINGS : CONTROL, "");

		expect_block(plan, 0, "h",
			     narrowed ? "settle:c sentinel:c c s1 s2 sentinel:c "
				      : "settle:c sentinel:c c sentinel:c ");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_listed_and_abba),
		cmocka_unit_test(test_aa_pairs_are_runs_of_the_block),
		cmocka_unit_test(test_settings_and_design_of_a_harness),
		cmocka_unit_test(test_control_of_a_setting_is_an_arm),
		cmocka_unit_test(test_interleaved_rounds),
		cmocka_unit_test(test_interleaved_is_seeded),
		cmocka_unit_test(test_growth_moves_nothing),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_accepted_benchmarks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
