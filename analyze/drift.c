#include "analyze/drift.h"

#include "analyze/stats/interval.h"
#include "analyze/stats/summary.h"
#include "analyze/stats/two_sample.h"

#include <math.h>
#include <string.h>

/* Last minus first sentinel of a block, NAN when there are not two. */
static double block_change(const struct campaign *campaign, const struct plan_harness *harness, const char *block)
{
	const struct campaign_run *first = NULL, *last = NULL;

	for (size_t i = 0; i < campaign->n_runs; i++) {
		const struct campaign_run *run = &campaign->runs[i];
		if (run->harness != harness || run->record->role != RUN_SENTINEL || !isfinite(run->response.y) ||
		    run->superseded || strcmp(run->record->block, block) != 0)
			continue;
		if (!first || run->record->position < first->record->position)
			first = run;
		if (!last || run->record->position > last->record->position)
			last = run;
	}
	return first && last && first != last ? last->response.y - first->response.y : NAN;
}

void drift_of(const struct campaign *campaign, const struct plan_harness *harness, struct drift *ret)
{
	size_t n_blocks, n = 0;
	CLEANUP(mem_free) const char **blocks = campaign_blocks(campaign, harness, &n_blocks);
	CLEANUP(mem_free) double *changes = mem_new(n_blocks + 1, sizeof(*changes));
	struct two_sample_t t;
	double sd;

	*ret = (struct drift){.mean_log_change = NAN, .p = NAN, .lo = NAN, .hi = NAN};
	for (size_t b = 0; b < n_blocks; b++) {
		double change = block_change(campaign, harness, blocks[b]);
		if (isfinite(change))
			changes[n++] = change;
	}
	ret->blocks = (int64_t)n;
	if (n == 0 || summary_mean_sd(changes, n, &ret->mean_log_change, &sd, NULL) < 0)
		return;
	if (n < 2 || !(sd > 0) ||
	    two_sample_from_se(ret->mean_log_change, sd / sqrt((double)n), (double)n - 1, 0.95, &t, NULL) < 0)
		return;
	ret->p = t.p;
	ret->lo = t.lo;
	ret->hi = t.hi;
	ret->flagged = t.p < 0.05;
}

double drift_limit(const struct drift *drift)
{
	return drift->flagged ? fmax(fabs(drift->lo), fabs(drift->hi)) : 0;
}
