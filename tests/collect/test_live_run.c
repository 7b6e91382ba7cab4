#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "collect/launcher.h"
#include "collect/live_run.h"
#include "tests/collect/collect_fixture.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* Whatever ends one run, the next one runs; what a lost run printed is kept. */
static void lost_as(const char *script, const char *deadline, const char *status, const char *reason, size_t external)
{
	CLEANUP(text_release) struct text harness = {0};
	CLEANUP(text_release) struct text expected = {0};
	CLEANUP(seen_release) struct seen seen = {0};
	struct collect_result result;

	folder_set_up(NULL);
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
	folder_tear_down(NULL);
}

static void test_lost_runs(void **state)
{
	(void)state;
	lost_as(SH(STEPS "; echo first >&2; echo \\\"cannot reach rank 1\\\" >&2; echo --- >&2; exit 3"), "30", "crash",
		"exit code 3: cannot reach rank 1", 0);
	lost_as(SH(STEPS "; kill -9 $$"), "30", "crash", "signal 9 (Killed)", 0);
	lost_as(SH(STEPS "; echo \\\"CUDA out of memory\\\"; exit 1"), "30", "oom", "CUDA out of memory", 0);
	lost_as(SH(STEPS "; sleep 60"), "0.5", "timeout", "no end within 0.5 s", 0);
	lost_as("[\"sh\",\"-c\",\"exec /nonexistent/train\",\"sh\",\"{args}\"]", "30", "crash", "exit code 127", 0);
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
	/* mpirun's words about any failure stand after the program's own. */
	lost_as(SH("(echo train: no such shape; echo n: mca: base: close: component self closed; "
		   "printf '%074d\\\\n' 0 | tr 0 -; echo Primary job \\\" \\\"terminated normally, but 1 process "
		   "returned; "
		   "echo a non-zero exit code. Per user-direction, the job has been aborted.; "
		   "printf '%074d\\\\n' 0 | tr 0 -; "
		   "echo mpirun detected that one or more processes exited with non-zero status, thus causing; "
		   "echo the job to be terminated. The first process to do so was:; "
		   "echo \\\"  Process name: [[7905,1],1]\\\"; echo \\\"  Exit code:    2\\\"; "
		   "printf '%074d\\\\n' 0 | tr 0 -) >&2; exit 2"),
		"30", "crash", "exit code 2: train: no such shape", 0);
	lost_as(SH("echo There are not enough slots available in the system >&2; exit 1"), "30", "launch_failed",
		"There are not enough slots available", 2);
}

/* A program that is there and yet cannot be executed. */
static void test_program_that_cannot_start(void **state)
{
	static const char interpreter[] = "#!/nonexistent/shell\n";
	char path[] = "/tmp/test_live_run.XXXXXX";
	CLEANUP(text_release) struct text command = {0};
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, interpreter, sizeof(interpreter) - 1), sizeof(interpreter) - 1);
	assert_int_equal(fchmod(fd, 0755), 0);
	close(fd);
	text_format(&command, "[\"%s\"]", path);
	lost_as(text_string(&command), "30", "launch_failed", "cannot start '/tmp/test_live_run.", 2);
	unlink(path);
}

/* What our workers refuse is the plan's mistake, and memory that is not there is a finding. */
static void test_words_of_workers(void **state)
{
	(void)state;
	lost_as(SH("echo assay-worker-mpi: size 6 is no multiple >&2; echo mpirun detected that one >&2; exit 2"), "30",
		"launch_failed", "assay-worker-mpi: size 6 is no multiple", 2);
	lost_as(SH(STEPS "; echo assay-worker-train: unknown option >&2; exit 2"), "30", "launch_failed",
		"assay-worker-train: unknown option", 2);
	lost_as(SH("echo assay-worker 1 begin mpi; echo assay-worker 1 error no memory for size 8; "
		   "echo assay-worker-mpi: no memory for size 8 >&2; exit 4"),
		"30", "oom", "assay-worker-mpi: no memory for size 8", 0);
	/* Not at the start of a line, another code, or another program. */
	lost_as(SH("echo see assay-worker-mpi: words >&2; exit 2"), "30", "crash", "exit code 2", 0);
	lost_as(SH("echo assay-worker-mpi: standard output cannot be written >&2; exit 4"), "30", "crash",
		"exit code 4", 0);
	lost_as(SH("echo train: no such option >&2; exit 2"), "30", "crash", "exit code 2: train: no such option", 0);
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

/* ---- slices by steps ---- */

/* A line as Megatron prints it, and a program that prints them for ever or to some step. */
#define MEGATRON_LINE                                                                                                  \
	"echo \\\" iteration $i/ 100 | consumed samples: $i | elapsed time per iteration (ms): 50.0 | learning rate: " \
	"1.000E-04 | global batch size: 8 | lm loss: $i.5E-01 | number of skipped iterations: 0 |\\\""
#define MEGATRON_FOR_EVER "i=0; while :; do i=$((i+1)); " MEGATRON_LINE "; sleep 0.02; done"
#define MEGATRON_TO(last) "i=0; while [ $i -lt " last " ]; do i=$((i+1)); " MEGATRON_LINE "; done"

struct ticks {
	size_t n, unknown;
	int64_t step;
	double loss;
};

static void see_tick(void *context, const struct live_tick *tick)
{
	struct ticks *ticks = context;

	ticks->n++;
	assert_true(tick->step >= ticks->step);
	if (tick->step == RECORD_UNSET) {
		ticks->unknown++;
		assert_true(isnan(tick->loss));
	} else {
		assert_true(fabs(tick->loss - ((double)tick->step * 0.1 + 0.05)) < 1e-9);
	}
	ticks->step = tick->step;
	ticks->loss = tick->loss;
}

static void run_slice(const char *harness, const char *script, struct ticks *ret_ticks, struct live_run *ret_live)
{
	CLEANUP(text_release) struct text text = {0};
	CLEANUP(schedule_release) struct schedule schedule = {0};

	text_format(&text, "\"kind\":\"slice\",%s,\"command\":%s", harness, script);
	CLEANUP(plan_free) struct plan *plan = read_plan(DESIGN("1"), text_string(&text), TWO_SETTINGS);
	assert_int_equal(schedule_plan(plan, &schedule, NULL), 0);
	*ret_ticks = (struct ticks){.step = RECORD_UNSET};
	struct live_run_spec spec = {.plan = plan,
				     .planned = &schedule.blocks[0].runs[0],
				     .directory = folder,
				     .block = "b1",
				     .attempt = 1,
				     .stop_grace_s = 0.3,
				     .tick = see_tick,
				     .context = ret_ticks};
	assert_int_equal(live_run(&spec, ret_live, NULL), 0);
}

/* What it says on being stopped is no failure. */
static void test_endless_slice_is_stopped(void **state)
{
	(void)state;
	CLEANUP(live_run_release) struct live_run live = {0};
	struct ticks ticks;

	run_slice("\"steps\":5,\"deadline_s\":30",
		  SH("trap 'echo CUDA error: killed; exit 1' TERM; " MEGATRON_FOR_EVER), &ticks, &live);
	assert_int_equal(live.run->status, RUN_OK);
	assert_null(live.run->reason);
	assert_int_equal(live.run->flags.n, 1);
	assert_string_equal(live.run->flags.items[0], "stopped after step 5 as planned");
	assert_true(live.run->tables[0].rows >= 5);
	assert_true(ticks.step >= 5);
	assert_true(isfinite(ticks.loss));
}

/* One that goes on from a checkpoint has the steps counted from there. */
static void test_resumed_slice_has_its_steps(void **state)
{
	(void)state;
	CLEANUP(live_run_release) struct live_run live = {0};
	struct ticks ticks;

	run_slice("\"steps\":5,\"deadline_s\":30",
		  SH("i=40; while :; do i=$((i+1)); " MEGATRON_LINE "; sleep 0.3; done"), &ticks, &live);
	assert_int_equal(live.run->status, RUN_OK);
	assert_string_equal(live.run->flags.items[0], "stopped after step 45 as planned");
	assert_true(live.run->tables[0].rows >= 5);
}

/* One that logs every tenth step begins behind its steps too, and has them all. */
static void test_slice_that_logs_seldom(void **state)
{
	(void)state;
	CLEANUP(live_run_release) struct live_run live = {0};
	struct ticks ticks;

	run_slice("\"steps\":5,\"deadline_s\":30",
		  SH("i=0; while :; do i=$((i+10)); " MEGATRON_LINE "; sleep 0.02; done"), &ticks, &live);
	assert_int_equal(live.run->status, RUN_OK);
	assert_string_equal(live.run->flags.items[0], "stopped after step 5 as planned");
}

static void test_slice_that_ends_is_left_alone(void **state)
{
	(void)state;
	CLEANUP(live_run_release) struct live_run live = {0};
	struct ticks ticks;

	run_slice("\"steps\":5,\"deadline_s\":30", SH(MEGATRON_TO("5")), &ticks, &live);
	assert_int_equal(live.run->status, RUN_OK);
	assert_int_equal(live.run->flags.n, 0);
	assert_int_equal(live.run->tables[0].rows, 5);
}

/* After its steps a program may still fail, and before them a deadline is a loss. */
static void test_planned_end_hides_no_failure(void **state)
{
	(void)state;
	CLEANUP(live_run_release) struct live_run failed = {0};
	CLEANUP(live_run_release) struct live_run late = {0};
	CLEANUP(live_run_release) struct live_run free_of_steps = {0};
	struct ticks ticks;

	run_slice("\"steps\":5,\"deadline_s\":30", SH(MEGATRON_TO("5") "; exit 3"), &ticks, &failed);
	assert_int_equal(failed.run->status, RUN_CRASH);
	run_slice("\"steps\":50,\"deadline_s\":1", SH(MEGATRON_TO("5") "; sleep 60"), &ticks, &late);
	assert_int_equal(late.run->status, RUN_TIMEOUT);
	assert_int_equal(ticks.step, 5);
	run_slice("\"discard\":0,\"deadline_s\":1", SH(MEGATRON_TO("9") "; sleep 60"), &ticks, &free_of_steps);
	assert_int_equal(free_of_steps.run->status, RUN_TIMEOUT);
	assert_int_equal(ticks.step, 9);
}

/* The deadline takes nothing from a run whose steps are all there. */
static void test_deadline_after_the_steps(void **state)
{
	(void)state;
	CLEANUP(live_run_release) struct live_run live = {0};
	struct ticks ticks;

	run_slice("\"steps\":5,\"pattern\":\"it (?<step>[0-9]+) (?<time>[0-9]+) (?<loss>[0-9.]+)\",\"units\":{"
		  "\"time\":\"s\"},\"deadline_s\":2",
		  SH("for i in 1 2 3 4 5; do echo it $i 90 0.$i\\\"\\\"5; done; sleep 60"), &ticks, &live);
	assert_int_equal(live.run->status, RUN_OK);
	assert_int_equal(live.run->tables[0].rows, 5);
	assert_string_equal(live.run->flags.items[0], "stopped after step 5 as planned");
	assert_int_equal(ticks.step, 5);
}

/* ---- a request to end ---- */

static volatile sig_atomic_t wish;

static void wish_for_end(int number)
{
	(void)number;
	wish = 1;
}

static void run_to_signal(const char *script, const volatile sig_atomic_t *cancel, struct live_run *ret_live)
{
	CLEANUP(plan_free) struct plan *plan = slice(DESIGN("1"), script);
	CLEANUP(schedule_release) struct schedule schedule = {0};

	assert_int_equal(schedule_plan(plan, &schedule, NULL), 0);
	struct live_run_spec spec = {.plan = plan,
				     .planned = &schedule.blocks[0].runs[0],
				     .directory = folder,
				     .block = "b1",
				     .attempt = 1,
				     .cancel = cancel};
	assert_int_equal(live_run(&spec, ret_live, NULL), 0);
}

/* A scheduler's signal reaches the program and us, in any order. */
static void test_failure_of_being_cancelled(void **state)
{
	static const struct {
		const char *script;
		enum run_status status;
	} cases[] = {
		{SH("kill -USR1 $TESTER; " STEPS "; kill -TERM $$"), RUN_CANCELLED},
		{SH("kill -USR1 $TESTER; " STEPS "; exit 1"), RUN_CANCELLED},
		{SH(STEPS "; kill -TERM $$"), RUN_CRASH},
		{SH(STEPS "; exit 143"), RUN_CRASH},
	};
	char pid[24];

	(void)state;
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv("TESTER", pid, 1);
	signal(SIGUSR1, wish_for_end);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CLEANUP(live_run_release) struct live_run live = {0};

		wish = 0;
		run_to_signal(cases[i].script, &wish, &live);
		if (live.run->status != cases[i].status)
			fail_msg("case %zu: %s: %s", i, run_status_name(live.run->status), live.run->reason);
		assert_int_equal(live.run->external, cases[i].status == RUN_CANCELLED);
	}
	signal(SIGUSR1, SIG_DFL);
}

/* The wish may come after the program has died of the same signal. */
static void test_wish_that_comes_late(void **state)
{
	(void)state;
	CLEANUP(live_run_release) struct live_run live = {0};
	const struct itimerval soon = {.it_value = {.tv_usec = 600000}};

	wish = 0;
	signal(SIGALRM, wish_for_end);
	setitimer(ITIMER_REAL, &soon, NULL);
	run_to_signal(SH(STEPS "; kill -TERM $$"), &wish, &live);
	signal(SIGALRM, SIG_DFL);
	assert_int_equal(live.run->status, RUN_CANCELLED);
	assert_true(live.run->external);
}

/* ---- command lines ---- */

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
	int r = launch_build(&(struct launch_spec){plan, &plan->harnesses[0], &plan->settings[1], folder, "b1"},
			     &launch, NULL);
	setenv("PATH", path, 1);
	unsetenv("ASSAY_LIBEXEC");
	assert_int_equal(r, 0);
	CLEANUP(mem_free) char *line = joined(&launch);
	text_format(&expected,
		    " %s%s --oversubscribe --bind-to core --mca btl self --mca btl_base_verbose 20 --mca "
		    "pml_base_verbose 10 --mca mtl_base_verbose 10 -x TRY -n 100000 %s "
		    "--op allreduce --dtype int32 --placement out_of_place --warmup 3 --iterations 4 --bytes 8,1024",
		    mpirun, geteuid() == 0 ? " --allow-run-as-root" : "", worker);
	assert_string_equal(line, text_string(&expected));
	assert_int_equal(launch.env.n, 1);
	assert_string_equal(launch.env.items[0], "TRY=1");
}

/* {mpirun_args} in a command stands for what a benchmark's mpirun is given, {libexec} for the folder of a worker. */
static void test_mpirun_of_a_slice(void **state)
{
	(void)state;
	CLEANUP(mem_free) char *worker = path_join(folder, "assay-worker-train");
	CLEANUP(mem_free) char *mpirun = path_join(folder, "mpirun");
	CLEANUP(text_release) struct text harness = {0};

	text_format(&harness,
		    "\"kind\":\"slice\",\"steps\":7,\"command\":[\"%s\",\"{mpirun_args}\","
		    "\"-n\",\"2\",\"{libexec}/assay-worker-train\",\"--steps\",\"{steps}\",\"{args}\"]",
		    mpirun);
	CLEANUP(plan_free)
	struct plan *plan = read_plan(DESIGN("1"), text_string(&harness),
				      "[{\"name\":\"c\"},{\"name\":\"s\",\"env\":{\"TRY\":\"1\"},\"args\":[\"--x\"],"
				      "\"mpirun_args\":[\"--mca\",\"btl\",\"self\"]}]");
	CLEANUP(launch_release) struct launch launch = {0};
	CLEANUP(text_release) struct text expected = {0};
	struct error err = {0};

	string_list_add(&plan->launcher_mpirun_args, "--bind-to");
	string_list_add(&plan->launcher_mpirun_args, "core");
	setenv("ASSAY_LIBEXEC", folder, 1);
	assert_int_equal(
		launch_build(&(struct launch_spec){plan, &plan->harnesses[0], &plan->settings[1], folder, "b1"},
			     &launch, &err),
		ERROR_ENVIRONMENT);
	assert_non_null(strstr(err.message, "harness 'h'"));
	assert_non_null(strstr(err.message, "assay-worker-train"));
	assert_int_equal(file_replace(worker, "", 0, NULL), 0);
	chmod(worker, 0755);
	assert_int_equal(file_replace(mpirun, "", 0, NULL), 0);
	chmod(mpirun, 0755);
	int r = launch_build(&(struct launch_spec){plan, &plan->harnesses[0], &plan->settings[1], folder, "b1"},
			     &launch, NULL);
	unsetenv("ASSAY_LIBEXEC");
	assert_int_equal(r, 0);
	CLEANUP(mem_free) char *line = joined(&launch);
	text_format(&expected,
		    " %s --bind-to core --mca btl self --mca btl_base_verbose 20 --mca pml_base_verbose 10 "
		    "--mca mtl_base_verbose 10 -x TRY -n 2 %s --steps 7 --x",
		    mpirun, worker);
	assert_string_equal(line, text_string(&expected));
	bool root = geteuid() == 0;
	assert_int_equal(launch.env.n, root ? 3 : 1);
	assert_string_equal(launch.env.items[0], "TRY=1");
	if (root) {
		assert_string_equal(launch.env.items[1], "OMPI_ALLOW_RUN_AS_ROOT=1");
		assert_string_equal(launch.env.items[2], "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
	}
}

/* A program that is not there is found out before anything is written. */
static void test_missing_program(void **state)
{
	static const struct {
		const char *program, *message;
		int kind;
	} cases[] = {
		{"/nonexistent/train", "no executable file '/nonexistent/train'", ERROR_ENVIRONMENT},
		{"/etc/passwd", "no executable file '/etc/passwd'", ERROR_ENVIRONMENT},
		{"no-such-program-anywhere", "no program 'no-such-program-anywhere' in PATH", ERROR_ENVIRONMENT},
		{"./train", "give an absolute path: runs start in their own folder", ERROR_DATA},
		{"bin/train", "the program 'bin/train' of its command is a relative path", ERROR_DATA},
		{"", "its command names no program", ERROR_DATA},
	};
	CLEANUP(mem_free) char *log = path_join(folder, "log");

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CLEANUP(text_release) struct text command = {0};
		CLEANUP(seen_release) struct seen seen = {0};
		struct collect_result result;
		struct error err = {0};

		text_format(&command, "[\"%s\",\"{args}\"]", cases[i].program);
		CLEANUP(plan_free) struct plan *plan = slice(DESIGN("1"), text_string(&command));
		assert_int_equal(collect(plan, NULL, &seen, &result, &err), cases[i].kind);
		if (!strstr(err.message, cases[i].message) || !strstr(err.message, "harness 'h': setting 'c'"))
			fail_msg("case %zu: '%s' does not say '%s'", i, err.message, cases[i].message);
		assert_false(file_exists(log));
	}
}

/* The PATH that a setting gives is the one that counts. */
static void test_path_of_a_setting(void **state)
{
	(void)state;
	CLEANUP(plan_free)
	struct plan *plan = read_plan(DESIGN("1"), "\"kind\":\"slice\",\"command\":[\"no-such-program-anywhere\"]",
				      "[{\"name\":\"c\"},{\"name\":\"s\",\"env\":{\"PATH\":\"/opt/x\"}}]");
	CLEANUP(launch_release) struct launch launch = {0};

	assert_int_equal(
		launch_build(&(struct launch_spec){plan, &plan->harnesses[0], &plan->settings[0], folder, "b1"},
			     &launch, NULL),
		ERROR_ENVIRONMENT);
	assert_int_equal(
		launch_build(&(struct launch_spec){plan, &plan->harnesses[0], &plan->settings[1], folder, "b1"},
			     &launch, NULL),
		0);
}

/* Both arms of a block get one seed, another block another. */
static void test_seed_belongs_to_the_block(void **state)
{
	(void)state;
	CLEANUP(plan_free)
	struct plan *plan = read_plan(DESIGN("1"), "\"kind\":\"slice\",\"command\":[\"sh\",\"x{seed}\"]",
				      "[{\"name\":\"c\"},{\"name\":\"s\"}]");
	static const char *const blocks[] = {"b1", "b1", "b2"};
	char *seeds[3] = {0};

	for (size_t i = 0; i < 3; i++) {
		struct launch_spec spec = {plan, &plan->harnesses[0], &plan->settings[i % 2], "/", blocks[i]};
		CLEANUP(launch_release) struct launch launch = {0};

		assert_int_equal(launch_build(&spec, &launch, NULL), 0);
		seeds[i] = mem_dup_string(launch.argv.items[1]);
	}
	assert_string_equal(seeds[0], seeds[1]);
	assert_string_not_equal(seeds[0], seeds[2]);
	free(seeds[0]);
	free(seeds[1]);
	free(seeds[2]);
}

/* Every launch has a folder of its own: control and treatment of a block, and a second attempt. */
static void test_no_two_runs_share_a_folder(void **state)
{
	(void)state;
	CLEANUP(plan_free)
	struct plan *plan =
		slice(DESIGN("2"), SH(STEPS "; test ! -e mark || exit 9; pwd > mark; pwd >> ../../folders"));
	CLEANUP(seen_release) struct seen seen = {0};
	CLEANUP(mem_free) char *path = path_join(folder, "folders");
	CLEANUP(mem_free) char *bytes = NULL;
	CLEANUP(string_list_release) struct string_list folders = {0};
	struct collect_result result;
	size_t n;

	collect_ok(plan, &seen, &result);
	assert_int_equal(result.lost, 0);
	assert_int_equal(file_read(path, &bytes, &n, NULL), 0);
	for (char *line = strtok(bytes, "\n"); line; line = strtok(NULL, "\n")) {
		assert_false(string_list_has(&folders, line));
		string_list_add(&folders, line);
	}
	assert_int_equal(folders.n, result.recorded);
	assert_true(folders.n >= 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_endless_slice_is_stopped),
		TEST(test_resumed_slice_has_its_steps),
		TEST(test_slice_that_logs_seldom),
		TEST(test_slice_that_ends_is_left_alone),
		TEST(test_planned_end_hides_no_failure),
		TEST(test_deadline_after_the_steps),
		TEST(test_mpirun_of_a_slice),
		TEST(test_no_two_runs_share_a_folder),
		TEST(test_seed_belongs_to_the_block),
		cmocka_unit_test(test_lost_runs),
		cmocka_unit_test(test_program_that_cannot_start),
		cmocka_unit_test(test_words_of_workers),
		TEST(test_failure_of_being_cancelled),
		TEST(test_wish_that_comes_late),
		TEST(test_missing_program),
		TEST(test_path_of_a_setting),
		TEST(test_restart_is_flagged),
		TEST(test_command_is_filled_in),
		TEST(test_output_has_a_limit),
		TEST(test_mpi_command_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
