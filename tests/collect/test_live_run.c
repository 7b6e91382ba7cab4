#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "collect/launcher.h"
#include "collect/live_run.h"
#include "tests/collect/collect_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whatever ends one run, the next one runs; what a lost run printed is kept. */
static void lost_as(const char *script, const char *deadline, const char *status, const char *reason, size_t external)
{
	CLEANUP(text_release) struct text harness = {0};
	CLEANUP(text_release) struct text expected = {0};
	CLEANUP(seen_release) struct seen seen = {0};
	struct collect_result result;

	fixture_set_up(NULL);
	text_format(&harness, "\"kind\":\"slice\",\"ranks\":2,\"deadline_s\":%s," PATTERN ",\"command\":%s", deadline,
		    script);
	CLEANUP(plan_free)
	struct plan *plan = read_plan("{\"blocks\":1,\"order\":\"as_listed\",\"settle_runs\":0,\"sentinels\":false}",
				      text_string(&harness), "[{\"name\":\"c\"},{\"name\":\"d\"}]");
	collect_ok(plan, &seen, &result);
	text_format(&expected, "b1/1.1:arm:c:%s b1/2.1:arm:d:%s ", status, status);
	assert_string_equal(text_string(&seen.runs), text_string(&expected));
	if (!strstr(text_string(&seen.reason), reason))
		fail_msg("'%s' does not say '%s'", text_string(&seen.reason), reason);
	assert_int_equal(seen.external, external);
	assert_int_equal(result.lost, 2);
	assert_int_equal(seen.ends, external == 0);
	fixture_tear_down(NULL);
}

static void test_lost_runs(void **state)
{
	(void)state;
	lost_as(SH(STEPS "; echo first >&2; echo \\\"cannot reach rank 1\\\" >&2; echo --- >&2; exit 3"), "30", "crash",
		"exit code 3: cannot reach rank 1", 0);
	lost_as(SH(STEPS "; kill -9 $$"), "30", "crash", "signal 9 (Killed)", 0);
	lost_as(SH(STEPS "; echo \\\"CUDA out of memory\\\"; exit 1"), "30", "oom", "CUDA out of memory", 0);
	lost_as(SH(STEPS "; sleep 60"), "0.5", "timeout", "no end within 0.5 s", 0);
	lost_as("[\"/nonexistent/train\"]", "30", "launch_failed", "cannot start '/nonexistent/train'", 2);
	lost_as(SH("echo warming up"), "30", "truncated", "nothing that was printed reads as a result", 0);
	lost_as(SH("echo \\\"step 1 time 0.5.1\\\""), "30", "truncated", "is not a number", 0);
	lost_as(SH("echo \\\"step 1 time 0\\\""), "30", "wrong", "row 1: the response is not a positive finite number",
		0);
	lost_as(SH("r() { printf '%074d\\\\n' 0 | tr 0 -; }; (r; echo A component was not found.; echo Host: n; r; "
		   "echo "
		   "MPI_ERRORS_ARE_FATAL) >&2; exit 1"),
		"30", "crash", "exit code 1: A component was not found.", 0);
	lost_as(SH("echo assay-worker 1 error no such op; echo other >&2; exit 2"), "30", "crash",
		"exit code 2: no such op", 0);
	lost_as(SH("(echo its cause; echo n: mca: base: close: component self closed) >&2; exit 2"), "30", "crash",
		"exit code 2: its cause", 0);
	lost_as(SH("echo There are not enough slots available in the system >&2; exit 1"), "30", "launch_failed",
		"There are not enough slots available", 2);
}

/* Steps that begin anew are no loss, but no clean run either. */
static void test_restart_is_flagged(void **state)
{
	(void)state;
	CLEANUP(plan_free) struct plan *plan = slice(DESIGN("1"), SH("for i in 1 2 1; do echo step $i time 1; done"));
	CLEANUP(seen_release) struct seen seen = {0};
	struct collect_result result;

	collect_ok(plan, &seen, &result);
	assert_int_equal(result.lost, 0);
	assert_int_equal(seen.flags, 5);
}

/* Arguments of a setting are not split, and a run's folder is its own and stays when files are in it. */
static void test_command_is_filled_in(void **state)
{
	(void)state;
	CLEANUP(plan_free)
	struct plan *plan = read_plan(
		DESIGN("1"),
		"\"kind\":\"slice\",\"ranks\":2,\"steps\":3," PATTERN ",\"command\":[\"sh\",\"-c\",\"" STEPS
		"; test \\\"$PWD\\\" = \\\"$1\\\" || exit 9; echo \\\"$#:$2:$3:$4\\\" > seen\",\"{x-y}\",\"{run_dir}\","
		"\"--n={steps}\",\"{args}\"]",
		TWO_SETTINGS);
	CLEANUP(seen_release) struct seen seen = {0};
	CLEANUP(mem_free) char *control = path_join(folder, "runs/b1-3.1/seen");
	CLEANUP(mem_free) char *setting = path_join(folder, "runs/b1-4.1/seen");
	CLEANUP(mem_free) char *a = NULL;
	CLEANUP(mem_free) char *b = NULL;
	struct collect_result result;
	size_t n;

	collect_ok(plan, &seen, &result);
	assert_int_equal(result.lost, 0);
	assert_int_equal(file_read(control, &a, &n, NULL), 0);
	assert_string_equal(a, "2:--n=3::\n");
	assert_int_equal(file_read(setting, &b, &n, NULL), 0);
	assert_string_equal(b, "4:--n=3:-a:b c\n");
}

static void test_output_has_a_limit(void **state)
{
	(void)state;
	CLEANUP(plan_free) struct plan *plan = slice(DESIGN("1"), SH(STEPS "; while :; do echo padding; done"));
	CLEANUP(schedule_release) struct schedule schedule = {0};
	CLEANUP(live_run_release) struct live_run live = {0};

	assert_int_equal(schedule_plan(plan, &schedule, NULL), 0);
	struct live_run_spec spec = {.plan = plan,
				     .planned = &schedule.blocks[0].runs[0],
				     .directory = folder,
				     .block = "b1",
				     .attempt = 1,
				     .output_max_bytes = (size_t)1 << 20};
	assert_int_equal(live_run(&spec, &live, NULL), 0);
	assert_int_equal(live.run->status, RUN_TRUNCATED);
	assert_string_equal(live.run->reason, "ended by assay: it printed more than 1 MiB");
	assert_int_equal(live.run->tables[0].rows, 3);
	assert_int_equal(live.output[LIVE_OUT].length, (size_t)1 << 20);
}

static char *joined(const struct launch *launch)
{
	struct text text = {0};

	for (size_t i = 0; i < launch->argv.n; i++)
		text_format(&text, " %s", launch->argv.items[i]);
	return text_take(&text);
}

/* The worker's command line, with programs of ours in place of mpirun and the worker. */
static void test_mpi_command_line(void **state)
{
	(void)state;
	CLEANUP(mem_free) char *path = mem_dup_string(getenv("PATH"));
	CLEANUP(mem_free) char *worker = path_join(folder, "assay-worker-mpi");
	CLEANUP(mem_free) char *mpirun = path_join(folder, "mpirun");
	CLEANUP(plan_free)
	struct plan *plan = read_plan(DESIGN("1"),
				      "\"kind\":\"bench\",\"backend\":\"mpi\",\"op\":\"allreduce\",\"ranks\":100000,"
				      "\"bytes\":[8,1024],\"warmup\":3,\"iterations\":4,\"dtype\":\"int32\"",
				      "[{\"name\":\"c\"},{\"name\":\"s\",\"env\":{\"TRY\":\"1\"},\"mpirun_args\":"
				      "[\"--mca\",\"btl\",\"self\"]}]");
	CLEANUP(launch_release) struct launch launch = {0};
	CLEANUP(text_release) struct text expected = {0};

	string_list_add(&plan->launcher_mpirun_args, "--bind-to");
	string_list_add(&plan->launcher_mpirun_args, "core");
	assert_int_equal(file_replace(worker, "", 0, NULL), 0);
	assert_int_equal(file_replace(mpirun, "", 0, NULL), 0);
	chmod(worker, 0755);
	chmod(mpirun, 0755);
	setenv("PATH", folder, 1);
	setenv("ASSAY_LIBEXEC", folder, 1);
	int r = launch_build(plan, &plan->harnesses[0], &plan->settings[1], folder, &launch, NULL);
	setenv("PATH", path, 1);
	unsetenv("ASSAY_LIBEXEC");
	assert_int_equal(r, 0);
	CLEANUP(mem_free) char *line = joined(&launch);
	text_format(&expected,
		    " %s%s --oversubscribe --bind-to core --mca btl self --mca btl_base_verbose 20 --mca "
		    "pml_base_verbose 10 --mca mtl_base_verbose 10 -n 100000 -x TRY %s "
		    "--op allreduce --dtype int32 --placement out_of_place --warmup 3 --iterations 4 --bytes 8,1024",
		    mpirun, geteuid() == 0 ? " --allow-run-as-root" : "", worker);
	assert_string_equal(line, text_string(&expected));
	assert_int_equal(launch.env.n, 1);
	assert_string_equal(launch.env.items[0], "TRY=1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lost_runs), TEST(test_restart_is_flagged), TEST(test_command_is_filled_in),
		TEST(test_output_has_a_limit),    TEST(test_mpi_command_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
