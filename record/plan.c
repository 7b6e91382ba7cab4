/* The plan: form by the field tables, then what crosses from one key to another. */
#include "record/fields.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct check {
	const struct plan *plan;
	const char *file;
	struct error *err;
};

static int no_setting(const struct check *check, const char *path, const char *name)
{
	const struct plan *plan = check->plan;
	CLEANUP(mem_free) const char **known = mem_new(plan->n_settings, sizeof(*known));

	for (size_t i = 0; i < plan->n_settings; i++)
		known[i] = plan->settings[i].name;
	const char *near = nearest_name(name, known, plan->n_settings);
	return error_set(check->err, ERROR_DATA, "%s: %s: no setting is named '%s'%s%s%s", check->file, path, name,
			 near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int check_setting(const struct check *check, const char *path, const char *name)
{
	return !name || plan_setting_find(check->plan, name) ? 0 : no_setting(check, path, name);
}

static int check_harness(const struct check *check, const char *path, const char *name)
{
	const struct plan *plan = check->plan;

	if (plan_harness_find(plan, name))
		return 0;
	CLEANUP(mem_free) const char **known = mem_new(plan->n_harnesses, sizeof(*known));
	for (size_t i = 0; i < plan->n_harnesses; i++)
		known[i] = plan->harnesses[i].name;
	const char *near = nearest_name(name, known, plan->n_harnesses);
	return error_set(check->err, ERROR_DATA, "%s: %s: no harness is named '%s'%s%s%s", check->file, path, name,
			 near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Of {word} only these are known; braces around anything else are the command's own. */
static int check_placeholders(const struct check *check, const char *path, const char *argument)
{
	static const char *const known[] = {"args", "libexec", "mpirun_args", "run_dir", "seed", "steps"};

	for (const char *at = strchr(argument, '{'); at; at = strchr(at + 1, '{')) {
		size_t n = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_");
		bool found = false;

		if (n == 0 || at[n + 1] != '}')
			continue;
		CLEANUP(mem_free) char *word = mem_dup_bytes(at + 1, n);
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			found |= strcmp(word, known[i]) == 0;
		if (!found)
			return error_set(check->err, ERROR_DATA,
					 "%s: %s: unknown placeholder '{%s}': known are {args} {libexec} "
					 "{mpirun_args} {run_dir} {seed} {steps}",
					 check->file, path, word);
		bool several = strcmp(word, "args") == 0 || strcmp(word, "mpirun_args") == 0;
		if (several && (argument[0] != '{' || argument[n + 2] != '\0'))
			return error_set(check->err, ERROR_DATA,
					 "%s: %s: '{%s}' stands for several arguments, so it must be one of its own",
					 check->file, path, word);
	}
	return 0;
}

static int check_harnesses(const struct check *check)
{
	const struct plan *plan = check->plan;
	int r = 0;

	for (size_t i = 0; r == 0 && i < plan->n_harnesses; i++) {
		const struct plan_harness *harness = &plan->harnesses[i];
		CLEANUP(text_release) struct text path = {0};

		for (size_t j = 0; j < i; j++) {
			if (strcmp(plan->harnesses[j].name, harness->name) == 0)
				return error_set(check->err, ERROR_DATA,
						 "%s: harnesses[%zu].name: '%s' is the name of harnesses[%zu] too",
						 check->file, i, harness->name, j);
		}
		for (size_t j = 0; r == 0 && j < harness->settings.n; j++) {
			text_clear(&path);
			text_format(&path, "harnesses[%zu].settings[%zu]", i, j);
			r = check_setting(check, text_string(&path), harness->settings.items[j]);
		}
		for (size_t j = 0; r == 0 && j < harness->command.n; j++) {
			text_clear(&path);
			text_format(&path, "harnesses[%zu].command[%zu]", i, j);
			r = check_placeholders(check, text_string(&path), harness->command.items[j]);
		}
	}
	return r;
}

/* mpirun's -x takes "NAME=value" and patterns: only a plain name means what it says. */
static bool is_variable_name(const char *name)
{
	size_t n = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

	return n > 0 && name[n] == '\0' && !(name[0] >= '0' && name[0] <= '9');
}

static int check_env(const struct check *check, size_t i)
{
	const struct string_map *env = &check->plan->settings[i].env;

	for (size_t k = 0; k < env->n; k++)
		if (!is_variable_name(env->names[k]))
			return error_set(check->err, ERROR_DATA,
					 "%s: settings[%zu].env: '%s' is no name of a variable (letters, digits, _)",
					 check->file, i, env->names[k]);
	return 0;
}

static int check_settings(const struct check *check)
{
	const struct plan *plan = check->plan;
	int r = check_setting(check, "control", plan->control);

	for (size_t i = 0; r == 0 && i < plan->n_settings; i++) {
		CLEANUP(text_release) struct text path = {0};

		for (size_t j = 0; j < i; j++) {
			if (strcmp(plan->settings[j].name, plan->settings[i].name) == 0)
				return error_set(check->err, ERROR_DATA,
						 "%s: settings[%zu].name: '%s' is the name of settings[%zu] too",
						 check->file, i, plan->settings[i].name, j);
		}
		text_format(&path, "settings[%zu].control", i);
		r = check_setting(check, text_string(&path), plan->settings[i].control);
		if (r == 0)
			r = check_env(check, i);
	}
	return r;
}

static int check_kind(const struct check *check, const char *path, const char *name, enum plan_kind kind)
{
	int r = check_harness(check, path, name);
	if (r < 0)
		return r;
	if (plan_harness_find(check->plan, name)->kind != kind)
		return error_set(check->err, ERROR_DATA, "%s: %s: harness '%s' is not a %s", check->file, path, name,
				 kind == PLAN_BENCH ? "bench" : "slice");
	return 0;
}

static int check_lists(const struct check *check)
{
	const struct plan *plan = check->plan;
	CLEANUP(text_release) struct text path = {0};
	int r = 0;

	for (size_t i = 0; r == 0 && i < plan->n_parity; i++) {
		text_clear(&path);
		text_format(&path, "parity[%zu].bench", i);
		r = check_kind(check, text_string(&path), plan->parity[i].bench, PLAN_BENCH);
		text_clear(&path);
		text_format(&path, "parity[%zu].slice", i);
		if (r == 0)
			r = check_kind(check, text_string(&path), plan->parity[i].slice, PLAN_SLICE);
	}
	for (size_t i = 0; r == 0 && i < plan->n_scaling; i++) {
		const struct plan_scaling *scaling = &plan->scaling[i];

		text_clear(&path);
		text_format(&path, "scaling[%zu]", i);
		for (size_t j = 0; r == 0 && j < scaling->harnesses.n; j++)
			r = check_harness(check, text_string(&path), scaling->harnesses.items[j]);
		if (r == 0)
			r = check_harness(check, text_string(&path), scaling->reference);
		if (r == 0)
			r = check_setting(check, text_string(&path), scaling->setting);
	}
	for (size_t i = 0; r == 0 && i < plan->n_loss_pairs; i++) {
		text_clear(&path);
		text_format(&path, "loss_pair[%zu]", i);
		r = check_setting(check, text_string(&path), plan->loss_pairs[i].setting);
		if (r == 0)
			r = check_harness(check, text_string(&path), plan->loss_pairs[i].harness);
	}
	return r;
}

/* What a harness's own design leaves out is the plan's, not the default. */
static int inherit_designs(struct plan *plan, const cJSON *tree, const char *file, struct error *err)
{
	const cJSON *row;
	size_t i = 0;

	cJSON_ArrayForEach(row, json_get(tree, "harnesses"))
	{
		struct plan_harness *harness = &plan->harnesses[i++];
		const cJSON *design = json_get(row, "design");

		if (!design)
			continue;
		harness->design = plan->design;
		harness->design.present = true;
		int r = json_read_struct(design, &plan_design_map, file, "", &harness->design, err);
		if (r < 0)
			return r;
	}
	return 0;
}

int plan_read(const char *path, struct plan **ret_plan, struct error *err)
{
	CLEANUP(mem_free) char *bytes = NULL;
	CLEANUP(json_free) cJSON *tree = NULL;
	CLEANUP(plan_free) struct plan *plan = mem_new(1, sizeof(*plan));
	struct check check = {plan, path, err};
	size_t n = 0;

	json_init_struct(&plan_map, plan);
	int r = file_read(path, &bytes, &n, err);
	if (r < 0)
		return r;
	digest_sha256(bytes, n, plan->sha256);
	r = json_parse(bytes, n, path, 1, &tree, err);
	if (r == 0)
		r = json_read_struct(tree, &plan_map, path, "", plan, err);
	if (r == 0)
		r = inherit_designs(plan, tree, path, err);
	if (r == 0)
		r = check_settings(&check);
	if (r == 0)
		r = check_harnesses(&check);
	if (r == 0)
		r = check_lists(&check);
	if (r < 0)
		return r;
	*ret_plan = TAKE(plan);
	return 0;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	json_release_struct(&plan_map, plan);
	free(plan);
}

const struct plan_harness *plan_harness_find(const struct plan *plan, const char *name)
{
	for (size_t i = 0; name && i < plan->n_harnesses; i++) {
		if (strcmp(plan->harnesses[i].name, name) == 0)
			return &plan->harnesses[i];
	}
	return NULL;
}

const struct plan_setting *plan_setting_find(const struct plan *plan, const char *name)
{
	for (size_t i = 0; name && i < plan->n_settings; i++) {
		if (strcmp(plan->settings[i].name, name) == 0)
			return &plan->settings[i];
	}
	return NULL;
}

const char *plan_control_of(const struct plan *plan, const struct plan_setting *setting)
{
	return setting && setting->control ? setting->control : plan->control;
}

int64_t plan_blocks(const struct plan *plan, const struct plan_harness *harness)
{
	return harness->design.present ? harness->design.blocks : plan->design.blocks;
}

bool plan_harness_runs(const struct plan *plan, const struct plan_harness *harness, const char *setting)
{
	const struct string_list *settings = &harness->settings;

	if (!plan_setting_find(plan, setting))
		return false;
	if (settings->n == 0 || string_list_has(settings, setting) || strcmp(setting, plan->control) == 0)
		return true;
	for (size_t i = 0; i < settings->n; i++) {
		if (strcmp(plan_control_of(plan, plan_setting_find(plan, settings->items[i])), setting) == 0)
			return true;
	}
	return false;
}
