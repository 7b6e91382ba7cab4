#include "analyze/scaling.h"

#include "analyze/findings.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct doc_scaling_point *reference_of(const struct doc_scaling *row, size_t *ret_index)
{
	for (size_t i = 0; i < row->n_points; i++)
		if (row->points[i].reference) {
			*ret_index = i;
			return &row->points[i];
		}
	return NULL;
}

/* "2 nodes"; the GPUs where both sides have as many nodes. */
static void size_words(const struct doc_scaling_point *point, const struct doc_scaling_point *other, struct text *out)
{
	if (point->nodes > 0 && point->nodes != other->nodes)
		text_format(out, "%" PRId64 " node%s", point->nodes, point->nodes == 1 ? "" : "s");
	else if (point->ranks > 0)
		text_format(out, "%" PRId64 " GPU%s", point->ranks, point->ranks == 1 ? "" : "s");
	else
		text_add(out, point->harness);
}

static void percent_words(double percent, struct text *out)
{
	text_format(out, percent >= 9.95 ? "%.0f %%" : "%.1f %%", percent);
}

/* "with tuned, ", unless the series runs the plan's control. */
static void setting_words(const struct analysis_doc *doc, const struct doc_scaling *row, struct text *out)
{
	if (!doc->control || strcmp(row->setting, doc->control) != 0)
		text_format(out, "with %s, ", row->setting);
}

/* "2 nodes lose 13 % a GPU against 1 node in a single run" */
static void loss_words(const struct doc_scaling_point *point, const struct doc_scaling_point *reference,
		       struct text *out)
{
	if (!isfinite(point->lost_percent)) {
		text_format(out, "%s against %s differs in more than its nodes", point->harness, reference->harness);
		return;
	}
	size_words(point, reference, out);
	bool one = point->nodes == 1 && point->nodes != reference->nodes;
	text_format(out, " %s%s ", point->lost_percent < 0 ? "gain" : "lose", one ? "s" : "");
	percent_words(fabs(point->lost_percent), out);
	text_add(out, " a GPU against ");
	size_words(reference, point, out);
	if (point->runs == 1 || reference->runs == 1)
		text_add(out, " in a single run");
}

/* "66 micro-steps stand against 132, and another cluster: b, not a" */
static void confound_words(const struct doc_scaling_point *point, const struct doc_scaling_point *reference,
			   struct text *out)
{
	bool regime = scaling_other_regime(point, reference);

	for (size_t i = 0; i < point->confounds.n; i++) {
		text_add(out, i > 0 ? ", and " : "");
		if (i == 0 && regime)
			text_format(out, "%" PRId64 " micro-steps stand against %" PRId64, point->micro_steps,
				    reference->micro_steps);
		else
			text_add(out, point->confounds.items[i]);
	}
}

static void add_paths(struct doc_finding *finding, size_t series, size_t point, size_t reference)
{
	CLEANUP(mem_free) char *list = campaign_format("scaling/%zu/points", series);

	findings_path(finding, list, point);
	if (reference != point)
		findings_path(finding, list, reference);
}

/* "; against one-264, in the same regime, 8.0 % are lost" */
static void control_words(const struct doc_scaling_point *point, const struct doc_scaling_point *reference,
			  struct text *out)
{
	if (point->matched_control && isfinite(point->matched_lost_percent)) {
		text_format(out, "; against %s, in the same regime, ", point->matched_control);
		percent_words(fabs(point->matched_lost_percent), out);
		text_add(out, point->matched_lost_percent < 0 ? " are gained" : " are lost");
	} else if (point->matched_control) {
		text_format(out, "; %s is the control that parts them", point->matched_control);
	} else if (point->missing_control && scaling_other_regime(point, reference)) {
		CLEANUP(mem_free) char *wanted = scaling_control_words(point, reference);
		text_format(out, ": the missing control is %s", wanted);
	} else if (point->missing_control) {
		text_format(out, "; the missing control is %s", point->missing_control);
	}
}

static void confounded_text(const struct doc_scaling_point *point, const struct doc_scaling_point *reference,
			    struct text *out)
{
	loss_words(point, reference, out);
	text_add(out, isfinite(point->lost_percent) ? ", but " : ": ");
	confound_words(point, reference, out);
	control_words(point, reference, out);
}

static void tell_point(struct analysis_doc *doc, size_t series, size_t index, size_t at_reference)
{
	const struct doc_scaling_point *point = &doc->scalings[series].points[index];
	const struct doc_scaling_point *reference = &doc->scalings[series].points[at_reference];

	if (point->reference || scaling_same_size(point, reference))
		return;
	CLEANUP(text_release) struct text text = {0};
	const char *code = NULL;

	setting_words(doc, &doc->scalings[series], &text);
	if (point->confounded) {
		code = "scaling_confounded";
		confounded_text(point, reference, &text);
	} else if (isfinite(point->lost_percent) && (point->runs == 1 || reference->runs == 1)) {
		code = "scaling_single_run";
		loss_words(point, reference, &text);
		text_add(&text, ": no claim");
	}
	if (code)
		add_paths(findings_row(doc, code, text_take(&text)), series, index, at_reference);
}

static void tell_far_apart(struct analysis_doc *doc, size_t series, size_t index)
{
	const struct doc_scaling_point *point = &doc->scalings[series].points[index];
	CLEANUP(text_release) struct text text = {0};
	double range_percent = 100 * (point->best - point->worst) / point->median;

	if (point->n_values != 2 || !(range_percent > doc->margin_percent))
		return;
	setting_words(doc, &doc->scalings[series], &text);
	text_add(&text, "two slices of ");
	if (point->ranks > 0)
		text_format(&text, "%" PRId64 " rank%s", point->ranks, point->ranks == 1 ? "" : "s");
	else
		text_add(&text, point->harness);
	text_add(&text, " differ by ");
	percent_words(range_percent, &text);
	text_add(&text, ": one slice is no claim");
	add_paths(findings_row(doc, "slices_far_apart", text_take(&text)), series, index, index);
}

void scaling_tell(struct analysis_doc *doc)
{
	for (size_t s = 0; s < doc->n_scalings; s++) {
		size_t at = 0;
		if (!reference_of(&doc->scalings[s], &at))
			continue;
		for (size_t i = 0; i < doc->scalings[s].n_points; i++)
			tell_point(doc, s, i, at);
		for (size_t i = 0; i < doc->scalings[s].n_points; i++)
			tell_far_apart(doc, s, i);
	}
}
