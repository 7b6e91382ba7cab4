#include "tests/report/fixture_spread.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct spread_row {
	const char *harness, *kind, *reason;
	int64_t blocks, effects, above;
	double spread, floor;
	double deviations[14];
	size_t n;
};

static void add_spread(struct analysis_doc *doc, const struct spread_row *from)
{
	struct doc_spread *row = analysis_doc_add_spread(doc);

	row->harness = mem_dup_string(from->harness);
	row->kind = mem_dup_string(from->kind);
	row->runs = (int64_t)from->n;
	row->blocks = from->blocks;
	for (size_t i = 0; i < from->n; i++)
		doc_add_double(&row->deviations_percent, &row->n_deviations, from->deviations[i]);
	row->spread_percent = from->spread;
	row->floor_percent = from->floor;
	row->floor_low_percent = 100 * (1 / (1 + from->floor / 100) - 1);
	row->floor_percent_reason = from->reason ? mem_dup_string(from->reason) : NULL;
	row->effects = from->effects;
	row->above_floor = from->above;
}

void fixture_add_spread(struct analysis_doc *doc)
{
	/* The effects of fixture_doc_rich: exposed 14.5, 2.9, 0.5, 0.4, -9.6; hidden 138.8, 0.9, 0.012, -0.2, 1.6 */
	const struct spread_row rows[] = {
		{"lm7b-exposed", "cross_job", NULL, 6, 5, 0, 16.2, 21.2, {-8.4, -4.2, -1.0, 1.0, 4.4, 7.8}, 6},
		{"lm7b-exposed",
		 "within_job",
		 NULL,
		 7,
		 5,
		 3,
		 0.5,
		 0.7,
		 {-0.2, 0.2, -0.1, 0.1, -0.15, 0.15, -0.25, 0.25, -0.05, 0.05, -0.2, 0.2, -0.1, 0.1},
		 14},
		{"lm7b-hidden", "cross_job", NULL, 4, 5, 1, 9.0, 11.5, {-3.9, -0.8, 0.8, 5.1}, 4},
		{"lm7b-hidden", "within_job", NULL, 4, 5, 2, 1.6, 1.2, {-0.8, 0.8, -0.5, 0.5, -0.1, 0.1}, 6},
		{"allreduce-n2",
		 "within_job",
		 "two runs of one job: no spread over jobs",
		 1,
		 2,
		 0,
		 6.0,
		 NAN,
		 {-3.0, 3.0},
		 2},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		add_spread(doc, &rows[i]);
}

struct throughput_row {
	const char *harness, *setting, *unit, *ceiling_harness;
	int64_t ranks, runs, blocks;
	double median, best, worst, change, ceiling;
};

void fixture_add_throughput(struct analysis_doc *doc)
{
	static const struct throughput_row rows[] = {
		{"lm7b-hidden", "plugin-1.6", "tokens/s", "lm7b-n1", 8, 4, 4, 28672, 29120, 28240, 0, 4120},
		{"lm7b-hidden", "plugin-1.6@net_plugin_version=1.9.1-aws", "tokens/s", "lm7b-n1", 8, 1, 1, 13936, 13936,
		 13936, -51.4, 4120},
		{"lm7b-hidden", "sockets-8", "tokens/s", "lm7b-n1", 8, 2, 2, 12264, 12400, 12128, -57.2, 4120},
		{"lm7b-hidden", "sockets", "tokens/s", "lm7b-n1", 8, 4, 4, 12008, 12280, 11880, -58.1, 4120},
		{"lm7b-exposed", "bf16", "steps/s", NULL, -1, 5, 5, 1.374, 1.391, 1.352, 14.5, NAN},
		{"lm7b-exposed", "plugin-1.6", "steps/s", NULL, -1, 5, 5, 1.2, 1.21, 1.19, 0, NAN},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct doc_throughput *row = analysis_doc_add_throughput(doc);
		row->harness = mem_dup_string(rows[i].harness);
		row->setting = mem_dup_string(rows[i].setting);
		row->unit = mem_dup_string(rows[i].unit);
		row->ranks = rows[i].ranks;
		row->runs = rows[i].runs;
		row->blocks = rows[i].blocks;
		row->median = rows[i].median;
		row->best = rows[i].best;
		row->worst = rows[i].worst;
		if (rows[i].ranks > 0) {
			row->median_per_gpu = row->median / (double)rows[i].ranks;
			row->best_per_gpu = row->best / (double)rows[i].ranks;
			row->worst_per_gpu = row->worst / (double)rows[i].ranks;
		}
		row->change_percent = rows[i].change;
		row->ceiling_per_gpu = rows[i].ceiling;
		row->ceiling_harness = rows[i].ceiling_harness ? mem_dup_string(rows[i].ceiling_harness) : NULL;
	}
}

void fixture_add_price(struct analysis_doc *doc)
{
	struct doc_price *row = analysis_doc_add_price(doc);

	row->harness = mem_dup_string("lm7b-exposed");
	row->setting = mem_dup_string("bf16");
	row->gpu_hours_saved_month = 12664;
	row->gpu_hours_saved_month_ci95 = (struct doc_interval){11583, 13719};
	row->gpu_hours_lost_month = 0;
	row->money_saved_month = 25328;
	row->money_lost_month = 0;
	row = analysis_doc_add_price(doc);
	row->harness = mem_dup_string("lm7b-exposed");
	row->setting = mem_dup_string("buffers-16");
	row->gpu_hours_saved_month = 2818;
	row->gpu_hours_saved_month_ci95 = (struct doc_interval){1186, 4489};
	row->gpu_hours_lost_month = 8333;
	row->money_saved_month = 5636;
	row->money_lost_month = 16666;
	row = analysis_doc_add_price(doc);
	row->harness = mem_dup_string("lm7b-exposed");
	row->setting = mem_dup_string("gdr-off");
	row->gpu_hours_saved_month_reason = mem_dup_string("the effect is void");
	doc->cost.gpu_hours = 212.4;
	doc->cost.money = 424.8;
	string_list_add(&doc->scope, "cluster slingshot-a100, one fabric: libfabric, aws-ofi-nccl 1.6.0");
	string_list_add(&doc->scope, "NCCL 2.20.5");
	string_list_add(&doc->scope, "lm7b-exposed: 2 nodes, 8 ranks, 11 micro-steps");
	string_list_add(&doc->scope, "lm7b-hidden: 2 nodes, 8 ranks, 66 micro-steps");
}

struct analysis_doc *fixture_doc_many(size_t n, size_t length, double reach)
{
	static const char *const verdicts[] = {"win",           "null",      "harm", "unreadable",
					       "win_size_open", "no_number", "void", "immaterial"};
	static const char *const qualifiers[] = {"not_the_target", "no_evidence_of_effect", "interim", NULL};
	struct analysis_doc *doc = analysis_doc_new();
	struct doc_harness *harness = analysis_doc_add_harness(doc);

	doc->name = mem_dup_string("many");
	doc->control = mem_dup_string("control");
	doc->margin_percent = 1;
	harness->name = mem_dup_string("slice-with-many-settings");
	harness->kind = mem_dup_string("slice");
	harness->micro_steps = 66;
	harness->completed = harness->runs = (int64_t)(8 * n);
	for (size_t i = 0; i < n; i++) {
		CLEANUP(text_release) struct text name = {0};
		struct doc_effect *e = analysis_doc_add_effect(doc);
		const char *verdict = verdicts[i % (sizeof(verdicts) / sizeof(verdicts[0]))];
		const char *qualifier = qualifiers[i % (sizeof(qualifiers) / sizeof(qualifiers[0]))];
		bool number = strcmp(verdict, "no_number") != 0 && strcmp(verdict, "void") != 0;
		double share = n > 1 ? 2 * (double)i / (double)(n - 1) - 1 : 1;
		double gain = share * reach < -90 ? -90 + (double)i / 10 : share * reach;
		text_format(&name, "s%zu", i);
		while (name.length < length)
			text_add_char(&name, name.length % 9 == 8 ? '-' : 'x');
		e->harness = mem_dup_string(harness->name);
		e->setting = text_take(&name);
		e->control = mem_dup_string("control");
		e->verdict = mem_dup_string(verdict);
		e->blocks = e->blocks_planned = 4;
		e->attempted = e->completed = 8;
		if (qualifier)
			string_list_add(&e->qualifiers, qualifier);
		if (!number) {
			string_list_add(&e->reasons, "ran as its control: all 8 ranks reported the network of it");
			continue;
		}
		e->gain_percent = gain;
		e->log_gain = log1p(e->gain_percent / 100);
		e->ci95_percent = (struct doc_interval){e->gain_percent - reach / 20, e->gain_percent + reach / 20};
		e->floor.kind = mem_dup_string("paired");
		e->floor.percent = reach / 20;
	}
	return doc;
}
