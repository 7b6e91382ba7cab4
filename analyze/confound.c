#include "analyze/regime.h"
#include "analyze/validity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void factor_differences_release(struct factor_differences *differences)
{
	for (size_t i = 0; i < differences->n; i++) {
		free(differences->items[i].factor);
		free(differences->items[i].control);
		free(differences->items[i].treatment);
	}
	free(differences->items);
	memset(differences, 0, sizeof(*differences));
}

enum factor_weight { FACTOR_LISTED, FACTOR_VOIDS, FACTOR_VOIDS_BATCH };

static void add_difference(struct factor_differences *list, const char *factor, const char *control,
			   const char *treatment, enum factor_weight weight)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->items[i].factor, factor) == 0)
			return;
	list->items = mem_grow(list->items, &list->capacity, list->n + 1, sizeof(*list->items));
	list->items[list->n++] = (struct factor_difference){
		.factor = mem_dup_string(factor),
		.control = mem_dup_string(control),
		.treatment = mem_dup_string(treatment),
		.voids = weight != FACTOR_LISTED,
		.batch = weight == FACTOR_VOIDS_BATCH,
	};
}

static bool expects_factor(const struct plan_expect *expect, const char *factor)
{
	return (expect->net && strcmp(factor, "net") == 0) ||
	       (expect->net_plugin && strcmp(factor, "net_plugin") == 0) ||
	       (expect->net_plugin_version && strcmp(factor, "net_plugin_version") == 0) ||
	       (expect->algo && strcmp(factor, "algo") == 0) || (expect->proto && strcmp(factor, "proto") == 0);
}

static bool is_declared(const struct plan *plan, const struct plan_setting *setting, const char *factor)
{
	const struct plan_expect *expect = validity_expect(plan, setting);

	if (string_list_has(&setting->declares, factor))
		return true;
	if (string_map_get(&setting->env, factor))
		return true;
	return expect && expects_factor(expect, factor);
}

static const struct plan_setting *control_setting(const struct plan *plan, const struct plan_setting *setting)
{
	const char *name = plan_control_of(plan, setting);

	return name ? plan_setting_find(plan, name) : NULL;
}

static void compare_numbers(struct factor_differences *list, const char *factor, int64_t control, int64_t treatment,
			    enum factor_weight weight)
{
	if (control < 0 || treatment < 0 || control == treatment)
		return;
	CLEANUP(mem_free) char *left = campaign_format("%" PRId64, control);
	CLEANUP(mem_free) char *right = campaign_format("%" PRId64, treatment);
	add_difference(list, factor, left, right, weight);
}

static void compare_words(struct factor_differences *list, const char *factor, const char *control,
			  const char *treatment, enum factor_weight weight)
{
	if (control && treatment && strcmp(control, treatment) != 0)
		add_difference(list, factor, control, treatment, weight);
}

static char *join_hosts(const struct string_list *hosts)
{
	char *joined = mem_dup_string("");

	for (size_t i = 0; i < hosts->n; i++) {
		char *next = campaign_format("%s%s%s", joined, i > 0 ? " " : "", hosts->items[i]);
		free(joined);
		joined = next;
	}
	return joined;
}

static bool same_hosts(const struct string_list *a, const struct string_list *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!string_list_has(b, a->items[i]))
			return false;
	return true;
}

static void compare_maps(struct factor_differences *list, const struct string_map *control,
			 const struct string_map *treatment, const char *absent)
{
	for (size_t i = 0; i < control->n; i++) {
		const char *other = string_map_get(treatment, control->names[i]);
		if (other ? strcmp(other, control->values[i]) != 0 : absent != NULL)
			add_difference(list, control->names[i], control->values[i], other ? other : absent,
				       FACTOR_LISTED);
	}
	for (size_t i = 0; absent && i < treatment->n; i++)
		if (!string_map_get(control, treatment->names[i]))
			add_difference(list, treatment->names[i], absent, treatment->values[i], FACTOR_LISTED);
}

static void compare_runs(const struct campaign_run *control, const struct campaign_run *treatment,
			 struct factor_differences *list)
{
	const struct run_factors *c = &control->record->factors, *t = &treatment->record->factors;

	compare_numbers(list, "ranks", c->ranks, t->ranks, FACTOR_VOIDS);
	compare_numbers(list, "nodes", c->nodes, t->nodes, FACTOR_VOIDS);
	compare_numbers(list, "global_batch", c->global_batch, t->global_batch, FACTOR_VOIDS_BATCH);
	compare_numbers(list, "micro_batch", c->micro_batch, t->micro_batch, FACTOR_VOIDS_BATCH);
	compare_numbers(list, "micro_steps", regime_of_run(control), regime_of_run(treatment), FACTOR_VOIDS_BATCH);
	compare_words(list, "dtype", c->dtype, t->dtype, FACTOR_VOIDS);
	compare_words(list, "cluster", c->cluster, t->cluster, FACTOR_LISTED);
	compare_words(list, "net", c->net.kind, t->net.kind, FACTOR_LISTED);
	compare_words(list, "net_plugin", c->net.plugin, t->net.plugin, FACTOR_LISTED);
	compare_words(list, "net_plugin_version", c->net.plugin_version, t->net.plugin_version, FACTOR_LISTED);
	compare_words(list, "nccl", c->nccl, t->nccl, FACTOR_LISTED);
	compare_words(list, "algo", c->algo, t->algo, FACTOR_LISTED);
	compare_words(list, "proto", c->proto, t->proto, FACTOR_LISTED);
	compare_numbers(list, "channels", c->channels, t->channels, FACTOR_LISTED);
	compare_words(list, "debug", c->debug, t->debug, FACTOR_LISTED);
	if (c->hosts.n > 0 && t->hosts.n > 0 && !same_hosts(&c->hosts, &t->hosts)) {
		CLEANUP(mem_free) char *left = join_hosts(&c->hosts);
		CLEANUP(mem_free) char *right = join_hosts(&t->hosts);
		add_difference(list, "hosts", left, right, FACTOR_LISTED);
	}
	compare_maps(list, &c->env, &t->env, "unset");
	compare_maps(list, &c->more, &t->more, NULL);
}

void validity_confounds(const struct plan *plan, const struct plan_setting *setting, const struct arm *control,
			const struct arm *treatment, struct factor_differences *ret)
{
	struct factor_differences all = {0};
	const struct plan_setting *reference = control_setting(plan, setting);
	size_t kept = 0;

	for (size_t i = 0; i < control->n; i++)
		for (size_t j = 0; j < treatment->n; j++)
			if (control->runs[i]->record->status != RUN_LAUNCH_FAILED &&
			    treatment->runs[j]->record->status != RUN_LAUNCH_FAILED)
				compare_runs(control->runs[i], treatment->runs[j], &all);
	for (size_t i = 0; i < all.n; i++) {
		struct factor_difference *item = &all.items[i];
		if (is_declared(plan, setting, item->factor) ||
		    (reference && string_map_get(&reference->env, item->factor))) {
			free(item->factor);
			free(item->control);
			free(item->treatment);
			continue;
		}
		all.items[kept++] = *item;
	}
	all.n = kept;
	*ret = all;
}

static const char *reported(const struct campaign_run *run, const char *factor)
{
	const struct run_factors *f = &run->record->factors;
	const struct {
		const char *name, *value;
	} known[] = {
		{"algo", f->algo},
		{"proto", f->proto},
		{"net", f->net.ranks_reporting > 0 ? f->net.kind : NULL},
		{"net_plugin", f->net.plugin},
		{"net_plugin_version", f->net.plugin_version},
		{"nccl", f->nccl},
		{"NCCL_ALGO", f->algo},
		{"NCCL_PROTO", f->proto},
		{"NCCL_NET", f->net.ranks_reporting > 0 ? f->net.kind : NULL},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, factor) == 0)
			return known[i].value;
	return string_map_get(&f->more, factor);
}

enum knob { KNOB_SILENT, KNOB_SAME, KNOB_CHANGED };

static enum knob knob_of(const char *factor, const struct arm *control, const struct arm *treatment)
{
	enum knob knob = KNOB_SILENT;

	for (size_t i = 0; i < control->n; i++) {
		for (size_t j = 0; j < treatment->n; j++) {
			const struct campaign_run *c = control->runs[i], *t = treatment->runs[j];
			if (strcmp(factor, "channels") == 0) {
				if (c->record->factors.channels < 0 || t->record->factors.channels < 0)
					continue;
				if (c->record->factors.channels != t->record->factors.channels)
					return KNOB_CHANGED;
				knob = KNOB_SAME;
				continue;
			}
			const char *left = reported(c, factor), *right = reported(t, factor);
			if (!left != !right && strncmp(factor, "net", 3) == 0)
				return KNOB_CHANGED;
			if (!left || !right)
				continue;
			if (strcasecmp(left, right) != 0)
				return KNOB_CHANGED;
			knob = KNOB_SAME;
		}
	}
	return knob;
}

bool validity_knob_unchanged(const struct plan_setting *setting, const struct arm *control, const struct arm *treatment)
{
	bool same = false;

	for (size_t i = 0; i < setting->declares.n; i++) {
		enum knob knob = knob_of(setting->declares.items[i], control, treatment);
		if (knob == KNOB_CHANGED)
			return false;
		same = same || knob == KNOB_SAME;
	}
	for (size_t i = 0; setting->declares.n == 0 && i < setting->env.n; i++) {
		enum knob knob = knob_of(setting->env.names[i], control, treatment);
		if (knob == KNOB_CHANGED)
			return false;
		same = same || knob == KNOB_SAME;
	}
	return same;
}
