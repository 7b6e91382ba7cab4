#include "cli/document.h"

#include "assay/analyze.h"
#include "cli/cli.h"

#include <string.h>
#include <unistd.h>

int document_compute(const char *directory, const char *path, struct analysis_doc **ret_doc, struct error *err)
{
	CLEANUP(plan_free) struct plan *plan = NULL;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = NULL;
	int r = cli_plan(directory, &plan, err);
	if (r == 0)
		r = analyze_campaign(directory, plan, &doc, err);
	if (r == 0)
		r = analysis_doc_write(doc, path, err);
	if (r < 0)
		return r;
	*ret_doc = TAKE(doc);
	return 0;
}

static bool same_inputs(const struct analysis_doc *doc, const struct campaign_input *inputs, size_t n)
{
	if (doc->n_inputs != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(doc->inputs[i].segment, inputs[i].segment) != 0 ||
		    strcmp(doc->inputs[i].head_sum, inputs[i].head_sum) != 0)
			return false;
	return true;
}

/* Whether the document stands for the plan and the log as they are now. */
static int is_current(const char *directory, const struct analysis_doc *doc, bool *ret_current, struct error *err)
{
	CLEANUP(plan_free) struct plan *plan = NULL;
	int r = cli_plan(directory, &plan, err);
	if (r < 0)
		return r;
	struct campaign_input *inputs = NULL;
	size_t n = 0;
	const struct campaign_visitor visitor = {0};
	r = campaign_log_each(directory, &visitor, &inputs, &n, err);
	if (r < 0)
		return r;
	*ret_current = doc->plan_sha256 && strcmp(doc->plan_sha256, plan->sha256) == 0 && same_inputs(doc, inputs, n);
	campaign_inputs_free(inputs, n);
	return 0;
}

int document_current(const char *directory, struct analysis_doc **ret_doc, struct error *err)
{
	CLEANUP(mem_free) char *path = cli_path(directory, "analysis.json");
	CLEANUP(mem_free) char *plan_path = cli_path(directory, "campaign.json");
	bool has_plan = access(plan_path, F_OK) == 0;
	if (access(path, F_OK) != 0 && has_plan)
		return document_compute(directory, path, ret_doc, err);

	CLEANUP(analysis_doc_free) struct analysis_doc *doc = NULL;
	int r = analysis_doc_read(path, &doc, err);
	if (r < 0)
		return r;
	if (has_plan) {
		bool current = false;
		r = is_current(directory, doc, &current, err);
		if (r < 0)
			return r;
		if (!current)
			return document_compute(directory, path, ret_doc, err);
	}
	*ret_doc = TAKE(doc);
	return 0;
}
