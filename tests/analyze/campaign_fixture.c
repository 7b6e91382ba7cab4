#include "tests/analyze/campaign_fixture.h"

#include <math.h>
#include <stdlib.h>

static struct run_record *record_of(const struct plan *plan, const struct fixture_run *row, size_t index)
{
	struct run_record *run = run_record_new();

	run->id = campaign_format("%s/%zu.1", row->block, index + 1);
	run->block = mem_dup_string(row->block);
	run->harness = mem_dup_string(plan->harnesses[row->harness].name);
	run->setting = mem_dup_string(plan->settings[row->setting].name);
	run->position = (int64_t)index + 1;
	run->attempt = 1;
	run->role = row->role;
	run->status = row->time > 0 ? RUN_OK : RUN_CRASH;
	run->factors.global_batch = row->global_batch > 0 ? row->global_batch : RECORD_UNSET;
	run->factors.cluster = mem_dup_string(row->cluster);
	run->factors.nccl = mem_dup_string(row->nccl);
	run->factors.dtype = mem_dup_string(row->dtype);
	return run;
}

void fixture_fill(const struct plan *plan, const struct fixture_run *rows, size_t n, struct campaign *ret)
{
	*ret = (struct campaign){.plan = plan};
	ret->runs = mem_new(n + 1, sizeof(*ret->runs));
	ret->n_runs = n;
	for (size_t i = 0; i < n; i++) {
		struct campaign_run *run = &ret->runs[i];
		*run = (struct campaign_run){
			.record = record_of(plan, &rows[i], i),
			.response = {.y = rows[i].time > 0 ? log(rows[i].time) : NAN,
				     .unit = mem_dup_string(rows[i].unit ? rows[i].unit : "s")},
			.harness = &plan->harnesses[rows[i].harness],
			.setting = &plan->settings[rows[i].setting],
			.network = rows[i].network,
		};
		run->observed = rows[i].network >= NETWORK_MIXED ? campaign_format("%s@net=other", run->setting->name)
								 : mem_dup_string(run->setting->name);
	}
}

void fixture_release(struct campaign *campaign)
{
	for (size_t i = 0; i < campaign->n_runs; i++) {
		run_record_free(campaign->runs[i].record);
		response_release(&campaign->runs[i].response);
		free(campaign->runs[i].observed);
	}
	free(campaign->runs);
	*campaign = (struct campaign){0};
}

struct plan_harness fixture_slice(const char *name, int64_t nodes, int64_t ranks, int64_t global_batch)
{
	return (struct plan_harness){.name = (char *)name,
				     .kind = PLAN_SLICE,
				     .nodes = nodes,
				     .ranks = ranks,
				     .micro_batch = 1,
				     .global_batch = global_batch,
				     .micro_steps = RECORD_UNSET,
				     .tokens_per_step = NAN};
}
