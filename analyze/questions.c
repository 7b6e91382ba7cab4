#include "analyze/questions.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Takes ownership of subject and text. */
static void ask(struct analysis_doc *doc, const char *code, char *subject, char *text, const char *settles)
{
	struct doc_question *row = analysis_doc_add_question(doc);

	row->code = mem_dup_string(code);
	row->subject = subject;
	row->text = text;
	row->settles = mem_dup_string(settles);
}

/* A question about several settings of one harness is asked once: settings with the same code, words and remedy share
 * it. */
struct group {
	const char *code, *harness;
	char *words, *settles;
	struct string_list settings;
};

struct groups {
	struct group *items;
	size_t n, capacity;
};

/* Takes ownership of words and settles. */
static void add_to_group(struct groups *groups, const char *code, const struct doc_effect *effect, char *words,
			 char *settles)
{
	for (size_t i = 0; i < groups->n; i++) {
		struct group *group = &groups->items[i];
		if (text_equal(group->code, code) && text_equal(group->harness, effect->harness) &&
		    text_equal(group->words, words) && text_equal(group->settles, settles)) {
			string_list_add(&group->settings, effect->setting);
			free(words);
			free(settles);
			return;
		}
	}
	groups->items = mem_grow(groups->items, &groups->capacity, groups->n + 1, sizeof(*groups->items));
	struct group *group = &groups->items[groups->n++];
	*group = (struct group){.code = code, .harness = effect->harness, .words = words, .settles = settles};
	string_list_add(&group->settings, effect->setting);
}

static bool same_group(const struct group *a, const struct group *b)
{
	CLEANUP(mem_free) char *of_a = string_list_join(&a->settings);
	CLEANUP(mem_free) char *of_b = string_list_join(&b->settings);

	return text_equal(a->code, b->code) && text_equal(a->words, b->words) && text_equal(a->settles, b->settles) &&
	       text_equal(of_a, of_b);
}

/* Harnesses of which the same is asked about the same settings share the question too. */
static void ask_group(const struct groups *groups, size_t first, struct analysis_doc *doc)
{
	const struct group *group = &groups->items[first];
	CLEANUP(text_release) struct text harnesses = {0};

	for (size_t i = 0; i < first; i++)
		if (same_group(&groups->items[i], group))
			return;
	for (size_t i = first; i < groups->n; i++)
		if (same_group(&groups->items[i], group))
			text_format(&harnesses, "%s%s", harnesses.length > 0 ? ", " : "", groups->items[i].harness);
	CLEANUP(mem_free) char *settings = string_list_join(&group->settings);
	ask(doc, group->code, campaign_format("%s/%s", text_string(&harnesses), settings),
	    campaign_format("%s on %s: %s", settings, text_string(&harnesses), group->words), group->settles);
}

static void release_groups(struct groups *groups)
{
	for (size_t i = 0; i < groups->n; i++) {
		struct group *group = &groups->items[i];
		string_list_release(&group->settings);
		free(group->words);
		free(group->settles);
	}
	free(groups->items);
}

static void ask_of_harness(const struct doc_harness *harness, struct analysis_doc *doc)
{
	if (harness->runs == 0)
		ask(doc, "harness_never_run", mem_dup_string(harness->name),
		    campaign_format("%s was planned and never run", harness->name), "one block of its settings");
	else if (harness->spread_n == 0)
		ask(doc, "control_without_number", mem_dup_string(harness->name),
		    campaign_format("%s has no completed control", harness->name), "a completed control in each block");
}

static void ask_of_floors(struct analysis_doc *doc)
{
	CLEANUP(text_release) struct text names = {0};
	size_t n = 0;

	for (size_t i = 0; i < doc->n_harnesses; i++)
		if (doc->harnesses[i].unfloored && doc->harnesses[i].runs > 0)
			text_format(&names, "%s%s", n++ > 0 ? ", " : "", doc->harnesses[i].name);
	if (n > 0)
		ask(doc, "unfloored", mem_dup_string(text_string(&names)),
		    campaign_format("no floor on %s: no difference from %s is a result", text_string(&names),
				    n == 1 ? "it" : "these"),
		    "the control run twice in a block, or in two blocks");
}

/* A planned pair asks for itself what it lacks. */
static bool has_loss_pair(const struct analysis_doc *doc, const char *setting)
{
	for (size_t i = 0; i < doc->n_loss_pairs; i++)
		if (text_equal(doc->loss_pairs[i].setting, setting))
			return true;
	return false;
}

static void ask_of_effect(const struct analysis_doc *doc, const struct doc_effect *effect, struct groups *groups)
{
	if (!doc_effect_is_declared(effect))
		return;
	if (text_equal(effect->verdict, "no_number") && string_list_has(&effect->reasons, "never run"))
		add_to_group(groups, "setting_never_run", effect, mem_dup_string("planned and never run"),
			     mem_dup_string("a run of it beside its control"));
	if (text_equal(effect->verdict, "unreadable") && isfinite(effect->blocks_to_settle))
		add_to_group(groups, "unreadable", effect,
			     campaign_format("unreadable after %" PRId64 " blocks", effect->blocks),
			     campaign_format("%.0f blocks in all", effect->blocks_to_settle));
	else if (text_equal(effect->verdict, "unreadable"))
		add_to_group(groups, "unreadable", effect,
			     campaign_format("unreadable, %s",
					     effect->reasons.n > 0 ? effect->reasons.items[0] : "no interval"),
			     mem_dup_string("the planned blocks"));
	if (text_equal(effect->verdict, "void"))
		add_to_group(groups, "void", effect, mem_dup_string("every pair is void"),
			     mem_dup_string("the same pairs with the check passed"));
	if (string_list_has(&effect->qualifiers, "network_unverified"))
		add_to_group(groups, "network_unverified", effect,
			     mem_dup_string("the logs do not prove the network on every rank"),
			     mem_dup_string("NCCL_DEBUG=INFO on every rank of both arms"));
	if (text_equal(effect->verdict, "win") && string_list_has(&effect->qualifiers, "not_quality_neutral") &&
	    !has_loss_pair(doc, effect->setting))
		add_to_group(groups, "loss_pair", effect, mem_dup_string("a win that may change quality"),
			     mem_dup_string("a matched loss pair"));
	if (text_equal(effect->design, "single_pair") && !text_equal(effect->verdict, "unreadable"))
		add_to_group(groups, "one_slice", effect, mem_dup_string("rests on one pair"),
			     mem_dup_string("the planned blocks"));
}

/* A cost of scaling that stands against another regime, until its control is run. */
static void ask_of_scaling(struct analysis_doc *doc)
{
	for (size_t s = 0; s < doc->n_scalings; s++)
		for (size_t i = 0; i < doc->scalings[s].n_points; i++) {
			const struct doc_scaling_point *point = &doc->scalings[s].points[i];
			if (point->confounded && point->missing_control)
				ask(doc, "scaling_confounded", mem_dup_string(point->harness),
				    campaign_format("the cost of scaling to %s is confounded", point->harness),
				    point->missing_control);
		}
}

void questions_add(struct analysis_doc *doc)
{
	struct groups groups = {0};

	for (size_t i = 0; i < doc->n_harnesses; i++)
		ask_of_harness(&doc->harnesses[i], doc);
	ask_of_floors(doc);
	ask_of_scaling(doc);
	for (size_t i = 0; i < doc->n_effects; i++)
		ask_of_effect(doc, &doc->effects[i], &groups);
	for (size_t i = 0; i < groups.n; i++)
		ask_group(&groups, i, doc);
	release_groups(&groups);
}
