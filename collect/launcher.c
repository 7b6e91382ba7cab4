#include "collect/launcher.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORKER_MPI "assay-worker-mpi"

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

static int64_t ranks_of(const struct plan_harness *harness)
{
	return harness->ranks > 0 ? harness->ranks : LAUNCH_RANKS_DEFAULT;
}

/* What mpirun is given beside ranks and program. */
static void add_mpirun_args(const struct plan *plan, const struct plan_harness *harness,
			    const struct plan_setting *setting, struct string_list *argv)
{
	/* So that Open MPI says which transport it chose, also where it bypasses the BTLs. */
	static const char *const layers[][2] = {
		{"btl_base_verbose", "20"}, {"pml_base_verbose", "10"}, {"mtl_base_verbose", "10"}};

	if (ranks_of(harness) > (int64_t)sysconf(_SC_NPROCESSORS_ONLN))
		string_list_add(argv, "--oversubscribe");
	add_all(argv, &plan->launcher_mpirun_args);
	add_all(argv, &setting->mpirun_args);
	for (size_t i = 0; i < sizeof(layers) / sizeof(layers[0]); i++) {
		string_list_add(argv, "--mca");
		string_list_add(argv, layers[i][0]);
		string_list_add(argv, layers[i][1]);
	}
	for (size_t i = 0; i < setting->env.n; i++) {
		string_list_add(argv, "-x");
		string_list_add(argv, setting->env.names[i]);
	}
}

/* ---- our workers ---- */

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

/* ---- a command of the plan ---- */

static int unknown_placeholder(const struct launch_spec *spec, const char *word, struct error *err)
{
	bool whole = strcmp(word, "args") == 0 || strcmp(word, "mpirun_args") == 0;

	if (whole)
		return error_set(err, ERROR_DATA,
				 "harness '%s': '{%s}' stands for several arguments, so it must be one of its own",
				 spec->harness->name, word);
	return error_set(
		err, ERROR_DATA,
		"harness '%s': unknown placeholder '{%s}' in its command: known are {args} {libexec} {mpirun_args} "
		"{run_dir} {seed} {steps}",
		spec->harness->name, word);
}

/* The folder where the worker is that the rest of the argument names; of the first worker when it names none. */
static int add_libexec(const struct launch_spec *spec, const char *rest, struct text *text, struct error *err)
{
	size_t n = *rest == '/' ? strcspn(rest + 1, "/ \t\n;&|'\"") : 0;
	CLEANUP(mem_free) char *program = n > 0 ? mem_dup_bytes(rest + 1, n) : mem_dup_string(WORKER_MPI);
	CLEANUP(mem_free) char *path = NULL;

	int r = find_worker(program, &path, err);
	if (r < 0)
		return error_wrap(r, err, "harness '%s'", spec->harness->name);
	text_add_bytes(text, path, (size_t)(strrchr(path, '/') - path));
	return 0;
}

/* Both arms of a block train on the same data; another block on other data. */
static void add_seed(const struct launch_spec *spec, struct text *text)
{
	CLEANUP(text_release) struct text key = {0};
	char sha256[DIGEST_HEX];

	text_format(&key, "%lld\n%s", (long long)spec->plan->seed, spec->block);
	digest_sha256(key.bytes, key.length, sha256);
	sha256[7] = '\0';
	text_format(text, "%ld", strtol(sha256, NULL, 16));
}

static int add_word(const struct launch_spec *spec, const char *word, const char *rest, struct text *text,
		    struct error *err)
{
	if (strcmp(word, "libexec") == 0)
		return add_libexec(spec, rest, text, err);
	if (strcmp(word, "run_dir") == 0) {
		text_add(text, spec->run_dir);
		return 0;
	}
	if (strcmp(word, "seed") == 0) {
		add_seed(spec, text);
		return 0;
	}
	if (strcmp(word, "steps") != 0)
		return unknown_placeholder(spec, word, err);
	if (spec->harness->steps < 0)
		return error_set(err, ERROR_DATA, "harness '%s': its command asks for {steps} and the harness has none",
				 spec->harness->name);
	text_format(text, "%lld", (long long)spec->harness->steps);
	return 0;
}

/* Braces around anything but a word are the command's own. */
static int fill_argument(const struct launch_spec *spec, const char *argument, struct string_list *argv,
			 struct error *err)
{
	CLEANUP(text_release) struct text text = {0};

	while (*argument) {
		size_t n = *argument == '{' ? strspn(argument + 1, "abcdefghijklmnopqrstuvwxyz_") : 0;

		if (n == 0 || argument[n + 1] != '}') {
			text_add_char(&text, *argument++);
			continue;
		}
		CLEANUP(mem_free) char *word = mem_dup_bytes(argument + 1, n);
		argument += n + 2;
		int r = add_word(spec, word, argument, &text, err);
		if (r < 0)
			return r;
	}
	string_list_add(argv, text_string(&text));
	return 0;
}

static int build_command(const struct launch_spec *spec, struct string_list *argv, struct error *err)
{
	const struct string_list *command = &spec->harness->command;
	int r = 0;

	for (size_t i = 0; r == 0 && i < command->n; i++) {
		if (strcmp(command->items[i], "{args}") == 0)
			add_all(argv, &spec->setting->args);
		else if (strcmp(command->items[i], "{mpirun_args}") == 0)
			add_mpirun_args(spec->plan, spec->harness, spec->setting, argv);
		else
			r = fill_argument(spec, command->items[i], argv, err);
	}
	return r;
}

/* Runs start in folders of their own, where a path that is relative to ours leads nowhere. */
static int check_program(const struct launch_spec *spec, const struct launch *launch, struct error *err)
{
	const char *harness = spec->harness->name, *setting = spec->setting->name;
	const char *program = launch->argv.n > 0 ? launch->argv.items[0] : "";
	CLEANUP(mem_free) char *path = NULL;

	if (!*program)
		return error_set(
			err, ERROR_DATA,
			"harness '%s': setting '%s': its command names no program; write one as its first argument",
			harness, setting);
	if (strchr(program, '/') && *program != '/')
		return error_set(
			err, ERROR_DATA,
			"harness '%s': setting '%s': the program '%s' of its command is a relative path; give an "
			"absolute path: runs start in their own folder",
			harness, setting, program);
	if (*program != '/' && string_map_get(&spec->setting->env, "PATH"))
		return 0;
	path = process_find(program);
	if (path && *path == '/')
		return 0;
	if (path)
		return error_set(err, ERROR_DATA,
				 "harness '%s': setting '%s': the program '%s' is found in PATH through a relative "
				 "folder only; give an absolute path: runs start in their own folder",
				 harness, setting, program);
	return error_set(
		err, ERROR_ENVIRONMENT,
		*program == '/'
			? "harness '%s': setting '%s': no executable file '%s', which its command runs; correct "
			  "the path, or make the file executable"
			: "harness '%s': setting '%s': no program '%s' in PATH, which its command runs; install "
			  "it, load its module, or give an absolute path",
		harness, setting, program);
}

static void allow_root(const struct plan_setting *setting, struct launch *launch)
{
	static const char *const names[] = {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"};
	const char *program = launch->argv.n > 0 ? launch->argv.items[0] : "";
	const char *slash = strrchr(program, '/');

	if (geteuid() != 0 || strcmp(slash ? slash + 1 : program, "mpirun") != 0)
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CLEANUP(text_release) struct text pair = {0};

		text_format(&pair, "%s=1", names[i]);
		if (!string_map_get(&setting->env, names[i]))
			string_list_add(&launch->env, text_string(&pair));
	}
}

/* ---- the worker under mpirun ---- */

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
	add_mpirun_args(plan, harness, setting, argv);
	add_integer(argv, "-n", ranks_of(harness));
	string_list_add(argv, worker);
	add_worker_options(harness, argv);
	return 0;
}

int launch_build(const struct launch_spec *spec, struct launch *ret_launch, struct error *err)
{
	const struct plan_harness *harness = spec->harness;
	const struct plan_setting *setting = spec->setting;
	CLEANUP(launch_release) struct launch launch = {0};
	int r;

	for (size_t i = 0; i < setting->env.n; i++) {
		CLEANUP(text_release) struct text pair = {0};

		text_format(&pair, "%s=%s", setting->env.names[i], setting->env.values[i]);
		string_list_add(&launch.env, text_string(&pair));
	}
	if (harness->command.n > 0)
		r = build_command(spec, &launch.argv, err);
	else if (harness->backend && strcmp(harness->backend, "mpi") == 0)
		r = build_mpi(spec->plan, harness, setting, &launch.argv, err);
	else
		r = error_set(
			err, ERROR_ENVIRONMENT,
			"harness '%s': this build has no worker for backend '%s'; use backend 'mpi', or a command",
			harness->name, harness->backend ? harness->backend : "none");
	if (r == 0)
		r = check_program(spec, &launch, err);
	if (r < 0)
		return r;
	if (harness->command.n > 0)
		allow_root(setting, &launch);
	*ret_launch = launch;
	launch = (struct launch){0};
	return 0;
}
