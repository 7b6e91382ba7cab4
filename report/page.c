#include "report/page.h"

#include "report/format.h"
#include "report/layout.h"
#include "report/template.h"

int page_layout(const struct analysis_doc *doc, const char *template_name, const char *bytes, size_t n,
		struct canvas *canvas, struct error *err)
{
	CLEANUP(text_release) struct text cluster = {0};
	CLEANUP(text_release) struct text dates = {0};
	CLEANUP(text_release) struct text seal = {0};
	CLEANUP(text_release) struct text counts = {0};
	CLEANUP(text_release) struct text foot = {0};
	if (doc->cluster && *doc->cluster)
		text_format(&cluster, "cluster %s", doc->cluster);
	format_dates(&dates, doc->first_started, doc->last_started);
	if (dates.length == 0)
		text_add(&dates, "undated runs");
	text_add(&seal, "seal sha256 ");
	format_digest(&seal, doc->sha256);
	text_format(&counts, "%zu run%s \xC2\xB7 %zu segment%s \xC2\xB7 plan %.8s", doc->n_runs,
		    doc->n_runs == 1 ? "" : "s", doc->n_inputs, doc->n_inputs == 1 ? "" : "s",
		    doc->plan_sha256 ? doc->plan_sha256 : FORMAT_DASH);
	text_format(&foot, "assay \xC2\xB7 seal %.8s \xC2\xB7 plan %.8s", doc->sha256[0] ? doc->sha256 : FORMAT_DASH,
		    doc->plan_sha256 ? doc->plan_sha256 : FORMAT_DASH);
	const struct layout_head head = {.name = doc->name ? doc->name : "campaign",
					 .cluster = text_string(&cluster),
					 .dates = text_string(&dates),
					 .seal = text_string(&seal),
					 .counts = text_string(&counts),
					 .plan = text_string(&foot),
					 .simulated = doc->simulated};
	struct layout layout;
	layout_init(&layout, canvas, &head);
	int r = template_render(template_name, bytes, n, doc, &layout, err);
	if (r < 0)
		return r;
	layout_finish(&layout);
	return 0;
}
