#include "collect/live_run.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/utf8.h"
#include "collect/import/env_names.h"
#include "collect/import/format.h"
#include "collect/launcher.h"
#include "collect/live_verdict.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OUTPUT_MAX_BYTES ((size_t)512 << 20)
#define TICK_LINE_MAX 160
#define FOLDERS_MAX 1000

extern char **environ;

/* A launch while it goes on. */
struct watch {
	const struct live_run_spec *spec;
	struct live_run *live;
	size_t max_bytes;
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

/* The last whole line, of the last few thousand bytes. */
static char *last_line(const struct text *output)
{
	const char *bytes = text_string(output);
	size_t end = output->length;

	while (end > 0 && bytes[end - 1] != '\n')
		end--;
	while (end > 0 && strchr("\r\n \t", bytes[end - 1]))
		end--;
	size_t start = end;
	while (start > 0 && end - start < TICK_LINE_MAX && bytes[start - 1] != '\n' && bytes[start - 1] != '\r')
		start--;
	return end > start ? utf8_clean(bytes + start, end - start) : NULL;
}

static enum process_wish pass_tick(void *context, double elapsed_s)
{
	const struct watch *watch = context;
	const struct live_run_spec *spec = watch->spec;
	CLEANUP(mem_free) char *line = NULL;

	if (!spec->tick)
		return PROCESS_GO_ON;
	if (spec->planned->harness->kind == PLAN_SLICE)
		line = last_line(&watch->live->output[LIVE_OUT]);
	spec->tick(spec->context, elapsed_s, line);
	return PROCESS_GO_ON;
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
 * factors are then those of an empty log, the plan's. */
static void read_output(const struct live_run_spec *spec, struct live_run *live, char **ret_problem)
{
	const struct text *out = &live->output[LIVE_OUT], *other = &live->output[LIVE_ERR];
	CLEANUP(text_release) struct text both = {0};
	struct error problem;

	text_add_bytes(&both, text_string(out), out->length);
	if (out->length > 0 && out->bytes[out->length - 1] != '\n')
		text_add_char(&both, '\n');
	text_add_bytes(&both, text_string(other), other->length);
	if (read_bytes(spec, &both, live->run, &problem) == 0)
		return;
	*ret_problem = mem_dup_string(problem.message);
	run_record_free(live->run);
	live->run = new_record(spec);
	text_clear(&both);
	read_bytes(spec, &both, live->run, NULL);
}

int live_run(const struct live_run_spec *spec, struct live_run *ret_live, struct error *err)
{
	CLEANUP(live_run_release) struct live_run live = {0};
	CLEANUP(launch_release) struct launch launch = {0};
	CLEANUP(mem_free) char *folder = NULL;
	CLEANUP(mem_free) char *problem = NULL;
	struct watch watch = {spec, &live, spec->output_max_bytes ? spec->output_max_bytes : OUTPUT_MAX_BYTES};
	struct process_result end;
	char started[CLOCK_RFC3339];

	int r = make_run_folder(spec, &folder, err);
	if (r < 0)
		return r;
	clock_now_rfc3339(started);
	r = launch_build(spec->plan, spec->planned->harness, spec->planned->setting, folder, &launch, err);
	if (r == 0)
		r = run_program(&watch, &launch, folder, &end, err);
	remove_run_folder(spec->directory, folder);
	if (r < 0)
		return error_wrap(r, err, "run '%s/%lld'", spec->block, (long long)spec->planned->position);
	live.run = new_record(spec);
	read_output(spec, &live, &problem);
	fill_factors(spec, live.run);
	live.run->started = mem_dup_string(started);
	live.run->elapsed_s = end.elapsed_s;
	struct live_end ended = {
		.process = &end,
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
