#include "analyze/scaling.h"

#include "analyze/scaling_series.h"
#include "analyze/stats/summary.h"
#include "analyze/stats/two_sample.h"
#include "analyze/validity.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool scaling_other_regime(const struct doc_scaling_point *point, const struct doc_scaling_point *reference)
{
	return point->micro_steps > 0 && reference->micro_steps > 0 && point->micro_steps != reference->micro_steps;
}

bool scaling_same_size(const struct doc_scaling_point *point, const struct doc_scaling_point *reference)
{
	return point->nodes == reference->nodes && point->ranks == reference->ranks;
}

static void size_words(const struct doc_scaling_point *point, struct text *out)
{
	if (point->nodes == 1)
		text_add(out, "one node");
	else if (point->nodes > 1)
		text_format(out, "%" PRId64 " nodes", point->nodes);
	else if (point->ranks > 0)
		text_format(out, "%" PRId64 " GPU%s", point->ranks, point->ranks == 1 ? "" : "s");
	else
		text_add(out, point->harness);
}

/* The reference's batch shrunk or grown to the point's micro-steps: batch and micro-steps go together on one size. */
static int64_t control_batch(const struct doc_scaling_point *point, const struct doc_scaling_point *reference)
{
	if (reference->global_batch <= 0 || reference->global_batch % reference->micro_steps != 0)
		return RECORD_UNSET;
	return reference->global_batch / reference->micro_steps * point->micro_steps;
}

char *scaling_control_words(const struct doc_scaling_point *point, const struct doc_scaling_point *reference)
{
	CLEANUP(text_release) struct text words = {0};
	int64_t batch = control_batch(point, reference);

	size_words(reference, &words);
	if (batch > 0)
		text_format(&words, " at global batch %" PRId64, batch);
	else
		text_format(&words, " at %" PRId64 " micro-steps", point->micro_steps);
	return text_take(&words);
}

enum weight { LISTED, CONFOUNDS };

/* Takes ownership of words. */
static void add_confound(struct doc_scaling_point *point, enum weight weight, char *words)
{
	string_list_add(&point->confounds, words);
	point->confounded = point->confounded || weight == CONFOUNDS;
	free(words);
}

static void compare_regimes(struct doc_scaling_point *point, const struct doc_scaling_point *reference)
{
	if (scaling_other_regime(point, reference)) {
		add_confound(point, CONFOUNDS,
			     campaign_format("%" PRId64 " micro-steps, not %" PRId64, point->micro_steps,
					     reference->micro_steps));
		return;
	}
	if (point->micro_steps > 0 && reference->micro_steps > 0)
		return;
	if (point->global_batch <= 0 || reference->global_batch <= 0 || point->ranks <= 0 || reference->ranks <= 0)
		add_confound(point, LISTED, mem_dup_string("micro-steps not known"));
	else if (point->global_batch * reference->ranks != reference->global_batch * point->ranks)
		add_confound(
			point, CONFOUNDS,
			campaign_format("global batch %" PRId64 " on %" PRId64 " GPUs, not %" PRId64 " on %" PRId64,
					point->global_batch, point->ranks, reference->global_batch, reference->ranks));
}

/* What a node count does not change by itself. */
static const struct {
	const char *factor, *word;
	enum weight weight;
} factors[] = {
	{"micro_batch", "micro-batch", CONFOUNDS},
	{"dtype", "data type", CONFOUNDS},
	{"nccl", "NCCL", LISTED},
	{"net_plugin_version", "plugin", LISTED},
};

static void compare_factors(const struct scaling_series *series, const struct scaling_member *member,
			    struct doc_scaling_point *point)
{
	const struct plan_harness *reference = series->members[series->reference].harness;
	CLEANUP(factor_differences_release) struct factor_differences differences = {0};
	CLEANUP(arm_release) struct arm own = {0};
	CLEANUP(arm_release) struct arm other = {0};

	if (!series->setting)
		return;
	const struct arm_filter filter = {.setting = series->setting->name, .observed = series->setting->name};
	arm_collect(series->campaign, member->harness, NULL, &filter, &own);
	arm_collect(series->campaign, reference, NULL, &filter, &other);
	validity_confounds(series->campaign->plan, series->setting, &other, &own, &differences);
	for (size_t f = 0; f < sizeof(factors) / sizeof(*factors); f++)
		for (size_t i = 0; i < differences.n; i++)
			if (strcmp(differences.items[i].factor, factors[f].factor) == 0)
				add_confound(point, factors[f].weight,
					     campaign_format("%s %s, not %s", factors[f].word,
							     differences.items[i].treatment,
							     differences.items[i].control));
}

/* Means of the logs by block: a block is one allocation. How many. */
static size_t block_means(const struct scaling_member *member, double *ret_means)
{
	size_t n = 0;

	for (size_t i = 0; i < member->n; i++) {
		const char *block = member->runs[i]->record->block;
		double sum = 0;
		size_t runs = 0;
		bool known = false;
		for (size_t j = 0; j < member->n; j++) {
			if (strcmp(member->runs[j]->record->block, block) != 0)
				continue;
			known = known || j < i;
			sum += log(member->per_gpu[j]);
			runs++;
		}
		if (!known)
			ret_means[n++] = sum / (double)runs;
	}
	return n;
}

/* Two one-sided tests at 5 % each: the 90 % interval lies inside the margin. */
static bool is_equivalent(const struct scaling_member *a, const struct scaling_member *b, double margin_ratio)
{
	CLEANUP(mem_free) double *of_a = mem_new(a->n + 1, sizeof(*of_a));
	CLEANUP(mem_free) double *of_b = mem_new(b->n + 1, sizeof(*of_b));
	size_t n_a = block_means(a, of_a), n_b = block_means(b, of_b);
	struct two_sample_t welch;

	return n_a >= 2 && n_b >= 2 && two_sample_welch(of_a, n_a, of_b, n_b, 0.90, &welch, NULL) == 0 &&
	       welch.lo > log1p(-margin_ratio) && welch.hi < log1p(margin_ratio);
}

/* The single-node point of a cluster in the reference's regime, or NULL. */
static const struct scaling_member *single_node(const struct scaling_series *series, const char *cluster)
{
	const struct scaling_member *reference = &series->members[series->reference];

	for (size_t i = 0; i < series->n; i++) {
		const struct scaling_member *member = &series->members[i];
		if (member->n > 0 && member->regime.nodes == 1 && member->cluster &&
		    strcmp(member->cluster, cluster) == 0 &&
		    member->regime.micro_steps == reference->regime.micro_steps &&
		    member->regime.ranks == reference->regime.ranks)
			return member;
	}
	return NULL;
}

static void add_missing(struct doc_scaling_point *point, char *words)
{
	char *both = point->missing_control ? campaign_format("%s; %s", point->missing_control, words) : NULL;

	if (both) {
		free(point->missing_control);
		free(words);
	}
	point->missing_control = both ? both : words;
}

/* Takes ownership of text and settles. Two series of one slice ask once. */
static void ask(struct analysis_doc *doc, const char *subject, char *text, char *settles)
{
	for (size_t i = 0; i < doc->n_questions; i++) {
		if (strcmp(doc->questions[i].text, text) != 0)
			continue;
		free(text);
		free(settles);
		return;
	}
	struct doc_question *question = analysis_doc_add_question(doc);

	question->code = mem_dup_string("missing_control");
	question->subject = mem_dup_string(subject);
	question->text = text;
	question->settles = settles;
}

/* Hardware of two clusters may differ by itself, unless one node of each says that it does not. */
static void compare_clusters(const struct scaling_series *series, const struct scaling_member *member,
			     struct doc_scaling_point *point, struct analysis_doc *doc)
{
	const struct scaling_member *reference = &series->members[series->reference];

	if (!member->cluster || !reference->cluster || strcmp(member->cluster, reference->cluster) == 0)
		return;
	const struct scaling_member *beside =
		reference->regime.nodes == 1 ? single_node(series, member->cluster) : NULL;
	double margin_percent = series->campaign->plan->margin_percent;
	if (beside && is_equivalent(beside, reference, margin_percent / 100)) {
		add_confound(point, LISTED,
			     campaign_format("another cluster: %s, not %s; one node of each agrees within %g %%",
					     member->cluster, reference->cluster, margin_percent));
		return;
	}
	add_confound(point, CONFOUNDS,
		     campaign_format(beside ? "another cluster: %s, not %s, and one node of each is not shown to agree"
					    : "another cluster: %s, not %s",
				     member->cluster, reference->cluster));
	if (beside || reference->regime.nodes != 1)
		return;
	add_missing(point, campaign_format("one node of %s: not run", member->cluster));
	ask(doc, point->harness,
	    campaign_format("%s: a single node of %s was not run beside %s", point->harness, member->cluster,
			    reference->harness->name),
	    campaign_format("one node of %s in the regime of %s", member->cluster, reference->harness->name));
}

/* The slice of the reference's size in the point's regime, or NULL. */
static const struct plan_harness *find_control(const struct scaling_series *series, const struct scaling_member *member)
{
	const struct plan *plan = series->campaign->plan;
	const struct regime *of_reference = &series->members[series->reference].regime;

	for (size_t h = 0; h < plan->n_harnesses; h++) {
		struct regime regime = regime_of(series->campaign, &plan->harnesses[h]);
		if (plan->harnesses[h].kind == PLAN_SLICE && regime.ranks == of_reference->ranks &&
		    regime.nodes == of_reference->nodes && regime.micro_steps == member->regime.micro_steps)
			return &plan->harnesses[h];
	}
	return NULL;
}

static bool has_completed(const struct scaling_series *series, const struct plan_harness *harness)
{
	CLEANUP(arm_release) struct arm arm = {0};

	if (!series->setting)
		return false;
	arm_collect(series->campaign, harness, NULL,
		    &(struct arm_filter){.setting = series->setting->name, .observed = series->setting->name}, &arm);
	return arm.n_y > 0;
}

static void compare_with_control(const struct scaling_series *series, const struct plan_harness *control,
				 struct doc_scaling_point *point)
{
	CLEANUP(scaling_member_release) struct scaling_member member = {.harness = control};
	double median;

	scaling_member_read(series, &member);
	point->matched_control = mem_dup_string(control->name);
	if (summary_median(member.per_gpu, member.n, &median, NULL) == 0)
		point->matched_lost_percent = 100 * (1 - point->median / median);
}

static void look_for_control(const struct scaling_series *series, const struct scaling_member *member,
			     struct doc_scaling_point *point, const struct doc_scaling_point *reference,
			     struct analysis_doc *doc)
{
	CLEANUP(text_release) struct text words = {0};

	if (!scaling_other_regime(point, reference) || scaling_same_size(point, reference))
		return;
	const struct plan_harness *control = find_control(series, member);
	if (control && has_completed(series, control)) {
		compare_with_control(series, control, point);
		return;
	}
	int64_t batch = control_batch(point, reference);
	size_words(reference, &words);
	if (batch > 0)
		text_format(&words, ", global batch %" PRId64, batch);
	text_format(&words, ", %" PRId64 " micro-steps: ", point->micro_steps);
	if (control)
		text_format(&words, "planned as %s, no run completed", control->name);
	else
		text_add(&words, "not run");
	add_missing(point, text_take(&words));
	ask(doc, point->harness,
	    campaign_format("%s: its control at the size of %s and %" PRId64 " micro-steps %s", point->harness,
			    reference->harness, point->micro_steps, control ? "has no completed run" : "was not run"),
	    batch > 0 ? campaign_format("%s with the global batch %s to %" PRId64, reference->harness,
					batch < reference->global_batch ? "shrunk" : "grown", batch)
		      : campaign_format("%s at %" PRId64 " micro-steps", reference->harness, point->micro_steps));
}

void scaling_confound(const struct scaling_series *series, size_t index, struct doc_scaling *row,
		      struct analysis_doc *doc)
{
	const struct scaling_member *member = &series->members[index];
	const struct doc_scaling_point *reference = &row->points[series->reference];
	struct doc_scaling_point *point = &row->points[index];

	compare_regimes(point, reference);
	compare_clusters(series, member, point, doc);
	compare_factors(series, member, point);
	look_for_control(series, member, point, reference, doc);
}
