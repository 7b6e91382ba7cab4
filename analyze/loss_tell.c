/* The sentences of the matched loss pairs. */
#include "analyze/findings.h"
#include "analyze/loss_pair.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* "+0.12 % [-0.10, +0.34], 4 blocks of 10 steps to step 500" */
static char *difference_text(const struct doc_loss_pair *pair)
{
	CLEANUP(text_release) struct text text = {0};

	text_format(&text, "%+.3g %%", pair->difference_percent);
	if (isfinite(pair->difference_ci95_percent.lo))
		text_format(&text, ", 95 %% interval [%+.3g, %+.3g] %%", pair->difference_ci95_percent.lo,
			    pair->difference_ci95_percent.hi);
	text_format(&text, ", %" PRId64 " block%s of %" PRId64 " step%s to step %" PRId64, pair->blocks,
		    pair->blocks == 1 ? "" : "s", pair->steps, pair->steps == 1 ? "" : "s", pair->last_step);
	return text_take(&text);
}

static void ask(const struct doc_loss_pair *pair, const char *settles, struct analysis_doc *doc)
{
	struct doc_question *row = analysis_doc_add_question(doc);

	row->code = mem_dup_string("loss_pair");
	row->subject = campaign_format("%s/%s", pair->harness, pair->setting);
	row->text = campaign_format("loss of %s on %s: %s", pair->setting, pair->harness, pair->reason);
	row->settles = mem_dup_string(settles);
}

void loss_pairs_tell(struct analysis_doc *doc)
{
	for (size_t i = 0; i < doc->n_loss_pairs; i++) {
		const struct doc_loss_pair *pair = &doc->loss_pairs[i];
		const char *code = NULL;
		char *text = NULL;
		CLEANUP(mem_free) char *difference = difference_text(pair);
		if (strcmp(pair->verdict, "void") == 0) {
			code = "loss_pair_void";
			text = campaign_format("the loss pair of %s on %s is void: %s; its throughput stands, nothing "
					       "says that training is unharmed",
					       pair->setting, pair->harness, pair->reason);
			ask(pair, "a matched loss pair past the warm-up", doc);
		} else if (strcmp(pair->verdict, "outside") == 0) {
			code = "loss_outside";
			text = campaign_format("%s on %s does not train as %s does: %s%s; tolerance %g %%",
					       pair->setting, pair->harness, pair->control, pair->reason ? "" : "loss ",
					       pair->reason ? pair->reason : difference, pair->tolerance_percent);
		} else if (strcmp(pair->verdict, "inside") == 0) {
			code = "loss_inside";
			text = campaign_format("%s on %s trains as %s does: loss %s, inside the tolerance of %g %%",
					       pair->setting, pair->harness, pair->control, difference,
					       pair->tolerance_percent);
		} else {
			ask(pair, pair->blocks > 0 ? "more matched blocks" : "a matched loss pair past the warm-up",
			    doc);
			continue;
		}
		findings_path(findings_row(doc, code, text), "loss_pairs", i);
	}
}
