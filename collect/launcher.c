#include "collect/launcher.h"

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORKER_MPI "assay-worker-mpi"
#define RANKS_DEFAULT 2

/* What a command's arguments may ask for. */
struct fill_in {
	const struct plan_harness *harness;
	const struct plan_setting *setting;
	const char *run_dir;
};

void launch_release(struct launch *launch)
{
	string_list_release(&launch->argv);
	string_list_release(&launch->env);
}

static void add_all(struct string_list *argv, const struct string_list *items)
{
	for (size_t i = 0; i < items->n; i++)
		string_list_add(argv, items->items[i]);
}

static void add_integer(struct string_list *argv, const char *option, int64_t value)
{
	CLEANUP(text_release) struct text text = {0};

	text_format(&text, "%lld", (long long)value);
	string_list_add(argv, option);
	string_list_add(argv, text_string(&text));
}

/* ---- a command of the plan ---- */

static int unknown_placeholder(const struct fill_in *fill, const char *word, struct error *err)
{
	bool whole = strcmp(word, "args") == 0 || strcmp(word, "mpirun_args") == 0;

	if (whole)
		return error_set(err, ERROR_DATA,
				 "harness '%s': '{%s}' stands for several arguments, so it must be one of its own",
				 fill->harness->name, word);
	return error_set(
		err, ERROR_DATA,
		"harness '%s': unknown placeholder '{%s}' in its command: known are {args} {mpirun_args} {run_dir} "
		"{steps}",
		fill->harness->name, word);
}

static int add_word(const struct fill_in *fill, const char *word, struct text *text, struct error *err)
{
	if (strcmp(word, "run_dir") == 0) {
		text_add(text, fill->run_dir);
		return 0;
	}
	if (strcmp(word, "steps") != 0)
		return unknown_placeholder(fill, word, err);
	if (fill->harness->steps < 0)
		return error_set(err, ERROR_DATA, "harness '%s': its command asks for {steps} and the harness has none",
				 fill->harness->name);
	text_format(text, "%lld", (long long)fill->harness->steps);
	return 0;
}

/* Braces around anything but a word are the command's own. */
static int fill_argument(const struct fill_in *fill, const char *argument, struct string_list *argv, struct error *err)
{
	CLEANUP(text_release) struct text text = {0};

	while (*argument) {
		size_t n = *argument == '{' ? strspn(argument + 1, "abcdefghijklmnopqrstuvwxyz_") : 0;

		if (n == 0 || argument[n + 1] != '}') {
			text_add_char(&text, *argument++);
			continue;
		}
		CLEANUP(mem_free) char *word = mem_dup_bytes(argument + 1, n);
		int r = add_word(fill, word, &text, err);
		if (r < 0)
			return r;
		argument += n + 2;
	}
	string_list_add(argv, text_string(&text));
	return 0;
}

static int build_command(const struct fill_in *fill, struct string_list *argv, struct error *err)
{
	const struct string_list *command = &fill->harness->command;
	int r = 0;

	for (size_t i = 0; r == 0 && i < command->n; i++) {
		if (strcmp(command->items[i], "{args}") == 0)
			add_all(argv, &fill->setting->args);
		else if (strcmp(command->items[i], "{mpirun_args}") == 0)
			add_all(argv, &fill->setting->mpirun_args);
		else
			r = fill_argument(fill, command->items[i], argv, err);
	}
	return r;
}

/* ---- the worker under mpirun ---- */

static char *program_in(const char *folder, const char *program)
{
	CLEANUP(mem_free) char *real = realpath(folder, NULL);
	CLEANUP(mem_free) char *path = real ? path_join(real, program) : NULL;

	return path ? process_find(path) : NULL;
}

static char *own_folder(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	char *slash = strrchr(path, '/');
	return slash ? mem_dup_bytes(path, (size_t)(slash - path) + 1) : NULL;
}

static int find_worker(const char *program, char **ret_path, struct error *err)
{
	const char *named = getenv("ASSAY_LIBEXEC");
	CLEANUP(mem_free) char *own = own_folder();

	if (named && *named) {
		*ret_path = program_in(named, program);
		return *ret_path
			       ? 0
			       : error_set(err, ERROR_ENVIRONMENT,
					   "no program '%s' in '%s', which ASSAY_LIBEXEC names; unset it, or build the "
					   "worker there",
					   program, named);
	}
	*ret_path = own ? program_in(own, program) : NULL;
#ifdef ASSAY_LIBEXEC_DIR
	if (!*ret_path)
		*ret_path = program_in(ASSAY_LIBEXEC_DIR, program);
#endif
	if (*ret_path)
		return 0;
	return error_set(
		err, ERROR_ENVIRONMENT,
		"no program '%s' beside assay; build it (cmake -D ASSAY_WITH_MPI=ON, with Open MPI's headers), or "
		"name its folder in ASSAY_LIBEXEC",
		program);
}

static void add_worker_options(const struct plan_harness *harness, struct string_list *argv)
{
	CLEANUP(text_release) struct text bytes = {0};

	for (size_t i = 0; i < harness->n_bytes; i++)
		text_format(&bytes, "%s%lld", i > 0 ? "," : "", (long long)harness->bytes[i]);
	string_list_add(argv, "--op");
	string_list_add(argv, harness->op);
	string_list_add(argv, "--dtype");
	string_list_add(argv, harness->dtype);
	string_list_add(argv, "--placement");
	string_list_add(argv, harness->placement);
	add_integer(argv, "--warmup", harness->warmup);
	add_integer(argv, "--iterations", harness->iterations);
	string_list_add(argv, "--bytes");
	string_list_add(argv, text_string(&bytes));
}

static int build_mpi(const struct plan *plan, const struct plan_harness *harness, const struct plan_setting *setting,
		     struct string_list *argv, struct error *err)
{
	CLEANUP(mem_free) char *mpirun = process_find("mpirun");
	CLEANUP(mem_free) char *worker = NULL;
	int64_t ranks = harness->ranks > 0 ? harness->ranks : RANKS_DEFAULT;

	if (!mpirun)
		return error_set(
			err, ERROR_ENVIRONMENT,
			"no mpirun in PATH, which harness '%s' runs with; install Open MPI (openmpi-bin) or load "
			"its module",
			harness->name);
	int r = find_worker(WORKER_MPI, &worker, err);
	if (r < 0)
		return error_wrap(r, err, "harness '%s'", harness->name);
	string_list_add(argv, mpirun);
	if (geteuid() == 0)
		string_list_add(argv, "--allow-run-as-root");
	if (ranks > (int64_t)sysconf(_SC_NPROCESSORS_ONLN))
		string_list_add(argv, "--oversubscribe");
	add_all(argv, &plan->launcher_mpirun_args);
	add_all(argv, &setting->mpirun_args);
	/* So that Open MPI says which transport it chose, also where it bypasses the BTLs. */
	static const char *const layers[][2] = {
		{"btl_base_verbose", "20"}, {"pml_base_verbose", "10"}, {"mtl_base_verbose", "10"}};
	for (size_t i = 0; i < sizeof(layers) / sizeof(layers[0]); i++) {
		string_list_add(argv, "--mca");
		string_list_add(argv, layers[i][0]);
		string_list_add(argv, layers[i][1]);
	}
	add_integer(argv, "-n", ranks);
	for (size_t i = 0; i < setting->env.n; i++) {
		string_list_add(argv, "-x");
		string_list_add(argv, setting->env.names[i]);
	}
	string_list_add(argv, worker);
	add_worker_options(harness, argv);
	return 0;
}

int launch_build(const struct plan *plan, const struct plan_harness *harness, const struct plan_setting *setting,
		 const char *run_dir, struct launch *ret_launch, struct error *err)
{
	struct fill_in fill = {harness, setting, run_dir};
	CLEANUP(launch_release) struct launch launch = {0};
	int r;

	for (size_t i = 0; i < setting->env.n; i++) {
		CLEANUP(text_release) struct text pair = {0};

		text_format(&pair, "%s=%s", setting->env.names[i], setting->env.values[i]);
		string_list_add(&launch.env, text_string(&pair));
	}
	if (harness->command.n > 0)
		r = build_command(&fill, &launch.argv, err);
	else if (harness->backend && strcmp(harness->backend, "mpi") == 0)
		r = build_mpi(plan, harness, setting, &launch.argv, err);
	else
		r = error_set(
			err, ERROR_ENVIRONMENT,
			"harness '%s': this build has no worker for backend '%s'; use backend 'mpi', or a command",
			harness->name, harness->backend ? harness->backend : "none");
	if (r == 0 && launch.argv.n == 0)
		r = error_set(err, ERROR_DATA, "harness '%s': setting '%s': its command is empty", harness->name,
			      setting->name);
	if (r < 0)
		return r;
	*ret_launch = launch;
	launch = (struct launch){0};
	return 0;
}
