#include "collect/live_run.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "collect/import/env_names.h"
#include "collect/import/format.h"
#include "collect/launcher.h"
#include "collect/live_verdict.h"
#include "collect/step_watch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define OUTPUT_MAX_BYTES ((size_t)512 << 20)
#define FOLDERS_MAX 1000
#define CANCEL_POLL_MS 10
#define CANCEL_POLLS 100

extern char **environ;

/* A launch while it goes on. */
struct watch {
	const struct live_run_spec *spec;
	struct live_run *live;
	size_t max_bytes;
	struct step_watch steps;
};

void live_run_release(struct live_run *live)
{
	if (live->run)
		run_record_free(live->run);
	for (size_t i = 0; i < LIVE_STREAMS; i++)
		text_release(&live->output[i]);
	*live = (struct live_run){0};
}

char *live_run_id(const char *block, int64_t position, int64_t attempt)
{
	CLEANUP(text_release) struct text id = {0};

	text_format(&id, "%s/%lld.%lld", block, (long long)position, (long long)attempt);
	return text_take(&id);
}

static enum process_wish take_output(void *context, enum process_stream stream, const char *bytes, size_t n)
{
	struct watch *watch = context;
	struct text *output = watch->live->output;
	size_t held = output[LIVE_OUT].length + output[LIVE_ERR].length;
	size_t room = watch->max_bytes - held;

	text_add_bytes(&output[stream == PROCESS_OUT ? LIVE_OUT : LIVE_ERR], bytes, n < room ? n : room);
	return n > room ? PROCESS_STOP : PROCESS_GO_ON;
}

static enum process_wish pass_tick(void *context, double elapsed_s)
{
	struct watch *watch = context;
	const struct live_run_spec *spec = watch->spec;
	bool slice = spec->planned->harness->kind == PLAN_SLICE;

	if (slice && (spec->tick || watch->steps.planned != RECORD_UNSET))
		step_watch_read(&watch->steps, watch->live->output, elapsed_s);
	if (spec->tick) {
		struct live_tick tick = {elapsed_s, watch->steps.step, watch->steps.loss};

		spec->tick(spec->context, &tick);
	}
	return step_watch_is_due(&watch->steps, elapsed_s) ? PROCESS_STOP : PROCESS_GO_ON;
}

/* A folder that a killed attempt of this number left behind keeps what is in it. */
static int make_run_folder(const struct live_run_spec *spec, char **ret_folder, struct error *err)
{
	CLEANUP(mem_free) char *runs = path_join(spec->directory, "runs");

	int r = file_make_folder(runs, err);
	for (int i = 1; r == 0 && i <= FOLDERS_MAX; i++) {
		CLEANUP(text_release) struct text path = {0};

		text_format(&path, "%s/%s-%lld.%lld", runs, spec->block, (long long)spec->planned->position,
			    (long long)spec->attempt);
		if (i > 1)
			text_format(&path, "-%d", i);
		rmdir(text_string(&path));
		if (mkdir(text_string(&path), 0777) == 0) {
			*ret_folder = text_take(&path);
			return 0;
		}
		if (errno != EEXIST)
			return error_set(err, ERROR_ENVIRONMENT, "cannot make folder '%s': %s", text_string(&path),
					 strerror(errno));
	}
	return r < 0 ? r : error_set(err, ERROR_ENVIRONMENT, "no free folder in '%s'; remove old ones", runs);
}

/* Stays when the program left files there. */
static void remove_run_folder(const char *directory, const char *folder)
{
	CLEANUP(mem_free) char *runs = path_join(directory, "runs");

	if (rmdir(folder) == 0)
		rmdir(runs);
}

static const char **terminated(const struct string_list *list)
{
	const char **items = mem_new(list->n + 1, sizeof(*items));

	for (size_t i = 0; i < list->n; i++)
		items[i] = list->items[i];
	return items;
}

static int run_program(struct watch *watch, const struct launch *launch, const char *folder,
		       struct process_result *ret_result, struct error *err)
{
	CLEANUP(mem_free) const char **argv = terminated(&launch->argv);
	CLEANUP(mem_free) const char **env = terminated(&launch->env);
	struct process_spec process = {
		.argv = argv,
		.env = env,
		.folder = folder,
		.deadline_s = watch->spec->planned->harness->deadline_s,
		.cancel = watch->spec->cancel,
		.output = take_output,
		.tick = pass_tick,
		.context = watch,
	};

	return process_run(&process, ret_result, err);
}

static struct run_record *new_record(const struct live_run_spec *spec)
{
	struct run_record *run = run_record_new();

	run->id = live_run_id(spec->block, spec->planned->position, spec->attempt);
	run->block = mem_dup_string(spec->block);
	run->position = spec->planned->position;
	run->attempt = spec->attempt;
	run->harness = mem_dup_string(spec->planned->harness->name);
	run->setting = mem_dup_string(spec->planned->setting->name);
	run->role = spec->planned->role;
	return run;
}

static void set_env(struct string_map *env, const char *name, const char *value)
{
	if (!string_map_get(env, name))
		string_map_set(env, name, value);
}

/* What the log shows comes first, then what the setting says, then what the run inherited. */
static void fill_env(const struct plan_setting *setting, struct string_map *env)
{
	for (size_t i = 0; i < setting->env.n; i++)
		set_env(env, setting->env.names[i], setting->env.values[i]);
	for (char **pair = environ; *pair; pair++) {
		size_t n = strcspn(*pair, "=");
		CLEANUP(mem_free) char *name = mem_dup_bytes(*pair, n);

		if ((*pair)[n] == '=' && env_name_known(name))
			set_env(env, name, *pair + n + 1);
	}
}

static void fill_factors(const struct live_run_spec *spec, struct run_record *run)
{
	const char *own = spec->planned->harness->cluster;
	const char *cluster = own ? own : spec->plan->cluster;

	if (cluster && *cluster && !run->factors.cluster)
		run->factors.cluster = mem_dup_string(cluster);
	fill_env(spec->planned->setting, &run->factors.env);
}

static int read_bytes(const struct live_run_spec *spec, const struct text *log, struct run_record *run,
		      struct error *err)
{
	CLEANUP(import_reading_release) struct import_reading reading = {0};
	struct import_source source = {
		run->id, text_string(log), log->length, spec->planned->harness, spec->planned->setting, true};

	return format_read(&source, run, &reading, err);
}

/* NCCL writes its lines to either stream, so both are read as one log. What cannot be read is the run's loss alone; its
 * factors are then those of an empty log, the plan's. What a program says on being stopped is no failure of its own. */
static void read_output(const struct watch *watch, enum live_ending ending, struct live_run *live, char **ret_problem)
{
	const struct live_run_spec *spec = watch->spec;
	CLEANUP(text_release) struct text both = {0};
	struct error problem;

	for (size_t i = 0; i < LIVE_STREAMS; i++) {
		const struct text *output = &live->output[i];

		text_add_bytes(&both, text_string(output),
			       ending == LIVE_AS_PLANNED ? watch->steps.read[i] : output->length);
		if (both.length > 0 && both.bytes[both.length - 1] != '\n' && i + 1 < LIVE_STREAMS)
			text_add_char(&both, '\n');
	}
	if (read_bytes(spec, &both, live->run, &problem) == 0)
		return;
	*ret_problem = mem_dup_string(problem.message);
	run_record_free(live->run);
	live->run = new_record(spec);
	text_clear(&both);
	read_bytes(spec, &both, live->run, NULL);
}

/* The deadline takes nothing from a slice whose steps are all there. */
static enum live_ending ending_of(const struct watch *watch, const struct process_result *end)
{
	bool by_us = end->end == PROCESS_STOPPED || end->end == PROCESS_DEADLINE;

	return by_us && step_watch_complete(&watch->steps) ? LIVE_AS_PLANNED : LIVE_BY_ITSELF;
}

static bool cancelled(const struct live_run_spec *spec)
{
	return spec->cancel && *spec->cancel;
}

/* Also through a launcher or shell, which exits with 128 and the signal's number. */
static bool ended_by_request(const struct process_result *end)
{
	static const int signals[] = {SIGTERM, SIGINT, SIGHUP};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (end->code == (end->end == PROCESS_SIGNALLED ? signals[i] : 128 + signals[i]))
			return true;
	return false;
}

/* A scheduler that ends a job tells every process of it, in any order: a program may fail of that before we know. */
static void settle_cancel(const struct live_run_spec *spec, struct process_result *end)
{
	const struct timespec pause = {.tv_nsec = CANCEL_POLL_MS * 1000000L};
	bool failed = end->end == PROCESS_SIGNALLED || (end->end == PROCESS_EXITED && end->code != 0);

	for (int i = 0; failed && spec->cancel && ended_by_request(end) && !cancelled(spec) && i < CANCEL_POLLS; i++)
		nanosleep(&pause, NULL);
	if (failed && cancelled(spec))
		end->end = PROCESS_CANCELLED;
}

int live_run(const struct live_run_spec *spec, struct live_run *ret_live, struct error *err)
{
	CLEANUP(live_run_release) struct live_run live = {0};
	CLEANUP(launch_release) struct launch launch = {0};
	CLEANUP(mem_free) char *folder = NULL;
	CLEANUP(mem_free) char *problem = NULL;
	struct watch watch = {.spec = spec,
			      .live = &live,
			      .max_bytes = spec->output_max_bytes ? spec->output_max_bytes : OUTPUT_MAX_BYTES};
	struct process_result end;
	char started[CLOCK_RFC3339];

	int r = make_run_folder(spec, &folder, err);
	if (r < 0)
		return r;
	step_watch_init(&watch.steps, spec->planned->harness, spec->planned->setting, spec->stop_grace_s);
	clock_now_rfc3339(started);
	struct launch_spec wanted = {spec->plan, spec->planned->harness, spec->planned->setting, folder, spec->block};
	r = launch_build(&wanted, &launch, err);
	if (r == 0)
		r = run_program(&watch, &launch, folder, &end, err);
	remove_run_folder(spec->directory, folder);
	if (r < 0)
		return error_wrap(r, err, "run '%s/%lld'", spec->block, (long long)spec->planned->position);
	settle_cancel(spec, &end);
	live.run = new_record(spec);
	enum live_ending ending = ending_of(&watch, &end);
	read_output(&watch, ending, &live, &problem);
	fill_factors(spec, live.run);
	live.run->started = mem_dup_string(started);
	live.run->elapsed_s = end.elapsed_s;
	struct live_end ended = {
		.process = &end,
		.ending = ending,
		.last_planned_step = watch.steps.planned,
		.program = launch.argv.items[0],
		.deadline_s = spec->planned->harness->deadline_s,
		.max_bytes = watch.max_bytes,
		.out = &live.output[LIVE_OUT],
		.err = &live.output[LIVE_ERR],
		.problem = problem,
	};
	live_verdict(&ended, live.run);
	*ret_live = live;
	live = (struct live_run){0};
	return 0;
}
