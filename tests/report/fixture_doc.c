#include "tests/report/fixture_doc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char *dup(const char *text)
{
	return mem_dup_string(text);
}

static struct analysis_doc *doc_base(const char *name)
{
	struct analysis_doc *doc = analysis_doc_new();
	doc->name = dup(name);
	doc->question = dup("Which interconnect settings make this job faster, by how much, and which can be adopted?");
	doc->cluster = dup("slingshot-a100");
	doc->control = dup("plugin-1.6");
	doc->plan_sha256 = dup("4be190aa0c7c1e09b45a3fd810d2f58a314be190aa0c7c1e09b45a3fd810d2f5");
	doc->margin_percent = 2;
	doc->simulated = true;
	doc->seed = 1;
	(void)snprintf(doc->sha256, sizeof doc->sha256, "%s",
		       "7c1e09b45a3fd8104be190aa0c7c1e09b45a3fd810d2f58a314be190d2f58a31");
	return doc;
}

static struct doc_harness *add_harness(struct analysis_doc *doc, const char *name, const char *kind, const char *regime,
				       double floor)
{
	struct doc_harness *h = analysis_doc_add_harness(doc);
	h->name = dup(name);
	h->kind = dup(kind);
	h->regime = regime ? dup(regime) : NULL;
	h->runs = 44;
	h->completed = 41;
	h->unfloored = !isfinite(floor);
	if (isfinite(floor)) {
		struct doc_floor *f = doc_harness_add_floor(h);
		f->kind = dup("within_block");
		f->percent = floor;
		f->blocks = 5;
		f->runs = 20;
	}
	return h;
}

struct row {
	const char *harness, *setting, *verdict;
	double gain, lo, hi, floor;
	int64_t blocks, planned, completed, attempted;
	const char *qualifier, *reason;
	bool adoptable;
};

static void add_effect(struct analysis_doc *doc, const struct row *row)
{
	struct doc_effect *e = analysis_doc_add_effect(doc);
	e->harness = dup(row->harness);
	e->setting = dup(row->setting);
	e->control = dup("plugin-1.6");
	e->verdict = dup(row->verdict);
	e->gain_percent = row->gain;
	e->ci95_percent = (struct doc_interval){row->lo, row->hi};
	if (isfinite(row->floor)) {
		e->floor.kind = dup("paired");
		e->floor.percent = row->floor;
	}
	e->blocks = row->blocks;
	e->blocks_planned = row->planned;
	e->completed = row->completed;
	e->attempted = row->attempted;
	e->adoptable = row->adoptable;
	if (row->qualifier)
		string_list_add(&e->qualifiers, row->qualifier);
	if (row->reason)
		string_list_add(&e->reasons, row->reason);
}

static void add_notes(struct analysis_doc *doc)
{
	static const char *const findings[] = {
		"The only gain left is unproven: bfloat16 sums add 14.5 %, but their loss pair is void, so nothing "
		"says that "
		"training is unharmed.",
		"The benchmark cannot price. Of the four settings it called wins, one won in production, two were null "
		"and one "
		"lost 9.6 %.",
		"The two-node cost of 13 % is confounded: 132 micro-steps on one node, 66 on two.",
	};
	for (size_t i = 0; i < sizeof findings / sizeof *findings; i++)
		analysis_doc_add_finding(doc)->text = dup(findings[i]);
	static const char *const questions[][2] = {
		{"bfloat16 loss, matched pair", "2 runs, 96 GPU-h"},
		{"Registration cache, below its floor", "4 blocks, 64 GPU-h"},
		{"Exposed cost at six nodes, by cause, with the production number of micro-steps", "1 job, 48 GPU-h"},
	};
	for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
		struct doc_question *q = analysis_doc_add_question(doc);
		q->text = dup(questions[i][0]);
		q->settles = dup(questions[i][1]);
	}
	struct doc_void *v = analysis_doc_add_void(doc);
	v->harness = dup("lm7b-exposed");
	v->setting = dup("gdr-off");
	v->block = dup("b3");
	v->check = dup("treatment_applied");
	v->reason = dup("all 8 ranks reported GPUDirect on, so the control met itself");
	v->would_read_percent = -0.1;
	struct doc_note *correction = analysis_doc_add_correction(doc);
	correction->on = dup("lm7b-hidden/regcache-off");
	correction->text = dup("+1.6 % was quoted in week 46 as a ranking. It lies below its floor and is withdrawn.");
}

static void add_annex(struct analysis_doc *doc)
{
	struct doc_relabelled *r = analysis_doc_add_relabelled(doc);
	r->run = dup("b2/3.1");
	r->declared = dup("plugin-1.6");
	r->named = dup("plugin-1.6@net_plugin_version=1.9.1-aws");
	r->evidence = dup("NET/OFI Initializing aws-ofi-nccl 1.9.1-aws");
	struct doc_lost_run *lost = analysis_doc_add_lost_run(doc);
	lost->run = dup("b4/1.1");
	lost->harness = dup("lm7b-exposed");
	lost->setting = dup("tree-alone");
	lost->status = dup("crash");
	lost->proof =
		dup("NCCL WARN no algorithm/protocol available for function AllGather_with_an_endless_word_that_wraps");
	struct doc_network *n = analysis_doc_add_network(doc);
	n->harness = dup("lm7b-exposed");
	n->setting = dup("plugin-1.6");
	n->expected = dup("libfabric");
	n->status = dup("as_expected");
	n->runs = 20;
	n->net.kind = dup("libfabric");
	n->net.plugin = dup("aws-ofi-nccl");
	n->net.plugin_version = dup("1.6.0");
	struct doc_confound *c = analysis_doc_add_confound(doc);
	c->harness = dup("lm7b-hidden");
	c->setting = dup("buffers-16");
	c->factor = dup("hosts");
	c->control = dup("n001, n002");
	c->treatment = dup("n001, n007");
	for (int i = 0; i < 70; i++) {
		struct doc_run *run = analysis_doc_add_run(doc);
		char id[32];
		(void)snprintf(id, sizeof id, "b%d/%d.1", i / 10 + 1, i % 10 + 1);
		run->id = dup(id);
		(void)snprintf(id, sizeof id, "b%d", i / 10 + 1);
		run->block = dup(id);
		run->harness = dup(i % 2 ? "lm7b-exposed" : "lm7b-hidden");
		run->setting = dup(i % 3 ? "plugin-1.6" : "buffers-16");
		run->role = dup("arm");
		run->status = dup(i == 31 ? "crash" : "ok");
		run->net.kind = dup("libfabric");
		run->units = 60;
	}
}

struct analysis_doc *fixture_doc_rich(void)
{
	struct analysis_doc *doc = doc_base("lm7b-fabric");
	doc->first_started = dup("2026-11-23T08:12:00Z");
	doc->last_started = dup("2026-11-29T19:40:11Z");
	add_harness(doc, "lm7b-hidden", "slice", "A, sum hidden", 1.2);
	add_harness(doc, "lm7b-exposed", "slice", "B, sum exposed", 1.7);
	add_harness(doc, "allreduce-n2", "bench", NULL, (double)NAN);
	static const char *const titles[][2] = {
		{"plugin-1.6", "Plugin 1.6.0"},
		{"bf16", "bfloat16 gradient sum"},
		{"buffers-16", "Buffers 16 MiB"},
		{"bucket-50", "Bucket 50 MB"},
		{"phb", "GPUDirect level PHB"},
		{"ch24", "24 channels"},
		{"ll128", "LL128 protocol"},
		{"regcache-off", "Registration cache off"},
		{"gdr-off", "GPUDirect off"},
		{"tree-alone", "Tree alone"},
		{"bucket-400", "Bucket 400 MB"},
		{"long", "A setting whose title is far longer than the column that has to hold it"},
	};
	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
		string_map_set(&doc->titles, titles[i][0], titles[i][1]);
	static const struct row rows[] = {
		{"lm7b-hidden", "plugin-1.6", "win", 138.8, 131.5, 146.3, 3.1, 4, 4, 8, 8, NULL, NULL, true},
		{"lm7b-exposed", "bf16", "win", 14.5, 13.1, 15.9, 1.2, 5, 5, 10, 10, "not_quality_neutral", NULL,
		 false},
		{"lm7b-exposed", "buffers-16", "win_size_open", 2.9, 1.2, 4.7, 1.7, 6, 6, 11, 12, NULL, NULL, false},
		{"lm7b-hidden", "bucket-50", "immaterial", 0.9, 0.4, 1.5, 0.6, 5, 5, 10, 10, NULL, NULL, false},
		{"lm7b-exposed", "phb", "null", 0.5, -0.2, 1.2, 0.7, 1, 4, 2, 2, "provisional", NULL, false},
		{"lm7b-exposed", "ch24", "null", 0.4, -0.9, 1.7, 1.3, 5, 5, 10, 10, NULL, NULL, false},
		{"lm7b-hidden", "buffers-16", "null", 0.012, -0.5, 1.1, 0.8, 5, 5, 10, 10, NULL, NULL, false},
		{"lm7b-hidden", "long", "null", -0.2, -1.0, 0.6, 0.8, 5, 5, 10, 10, NULL, NULL, false},
		{"lm7b-exposed", "ll128", "harm", -9.6, -11.2, -8.0, 1.8, 5, 5, 10, 10, NULL, NULL, false},
		{"lm7b-hidden", "regcache-off", "unreadable", 1.6, -2.0, 5.3, 3.7, 2, 4, 4, 4, "interim", NULL, false},
		{"lm7b-exposed", "gdr-off", "void", NAN, NAN, NAN, NAN, 0, 4, 8, 8, NULL, "ran as its control", false},
		{"lm7b-exposed", "tree-alone", "no_number", NAN, NAN, NAN, NAN, 0, 3, 0, 3, NULL,
		 "crash: no Tree algorithm for all-gather", false},
		{"lm7b-hidden", "bucket-400", "no_number", NAN, NAN, NAN, NAN, 0, 2, 0, 2, NULL, "out of memory",
		 false},
		{"allreduce-n2", "ll128", "unreadable", 4.1, NAN, NAN, NAN, 1, 1, 1, 1, NULL, "single run", false},
		{"allreduce-n2", "ch24", "unreadable", -2.1, NAN, NAN, NAN, 1, 1, 1, 1, NULL, "single run", false},
		{"allreduce-n2", "tree-alone", "no_number", NAN, NAN, NAN, NAN, 0, 1, 0, 1, NULL, "crash", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		add_effect(doc, &rows[i]);
	doc->effects[9].blocks_to_settle = 5.2;
	add_notes(doc);
	add_annex(doc);
	return doc;
}

struct analysis_doc *fixture_doc_singles(void)
{
	struct analysis_doc *doc = doc_base("singles");
	add_harness(doc, "resnet50-n2", "slice", NULL, 2.9);
	const char *const benches[] = {"allreduce-n2", "allgather-n2", "reducescatter-n2"};
	for (size_t b = 0; b < 3; b++)
		add_harness(doc, benches[b], "bench", NULL, (double)NAN);
	const struct row win = {"resnet50-n2",      "setup4", "win", 138.8, 131.5, 146.3, 2.9, 5, 9, 5, 9,
				"when_it_finishes", NULL,     false};
	add_effect(doc, &win);
	for (int i = 0; i < 4; i++) {
		char run[24];
		(void)snprintf(run, sizeof run, "j%d/2.1", i + 1);
		struct doc_lost_run *lost = analysis_doc_add_lost_run(doc);
		lost->run = dup(run);
		lost->harness = dup("resnet50-n2");
		lost->setting = dup("setup4");
		lost->block = dup("j");
		lost->status = dup("crash");
		lost->proof = dup("rank 2 died from signal 6");
	}
	for (int i = 0; i < 36; i++) {
		char name[16];
		(void)snprintf(name, sizeof name, "setup%d", i % 12 + 1);
		struct row row = {
			benches[i / 12],        name, "unreadable", i * 1.3 - 12, NAN, NAN, NAN, 1, 1, 1, 1, NULL,
			"single run, no floor", false};
		if (i % 3 == 2) {
			row.verdict = "no_number";
			row.gain = NAN;
			row.completed = 0;
			row.reason = "crash";
		}
		add_effect(doc, &row);
	}
	add_notes(doc);
	return doc;
}

struct analysis_doc *fixture_doc_empty(void)
{
	return doc_base("empty");
}

static struct doc_fraction *add_fraction(struct analysis_doc *doc, const char *setting, double f)
{
	struct doc_fraction *row = analysis_doc_add_fraction(doc);
	row->harness = dup("lm7b-exposed");
	row->setting = dup(setting);
	row->control = dup("plugin-1.6");
	row->payload_ratio = 0.5;
	row->blocks = 5;
	row->f = f;
	row->recovered = f / 2;
	string_list_add(&row->assumptions, "communication time is linear in bytes");
	string_list_add(&row->assumptions, "compute takes as long with either payload");
	return row;
}

void fixture_add_fractions(struct analysis_doc *doc)
{
	struct doc_fraction *row = add_fraction(doc, "bf16", 0.253);
	row->recovered_ci95 = (struct doc_interval){0.116, 0.137};
	row->f_ci95 = (struct doc_interval){0.232, 0.274};
	row->exposed = (struct doc_interval){row->recovered, row->f};
	row->total_at_least = row->f;
	row->ceiling_percent = 33.9;
	row->ceiling_ci95_percent = (struct doc_interval){30.2, 37.7};
	row->resolved = true;
	row = add_fraction(doc, "long", 1.13);
	row->model_violated = true;
	row->reason = dup("model violated: f = 1.13 lies outside 0 to 1");
	row = add_fraction(doc, "gdr-off", NAN);
	row->reason = dup("the effect is void: all 8 ranks reported GPUDirect on, so the control met itself in each "
			  "of its blocks");
	struct doc_fraction_fit *fit = analysis_doc_add_fraction_fit(doc);
	fit->harness = dup("lm7b-exposed");
	fit->control = dup("plugin-1.6");
	doc_fraction_fit_add_ratio(fit, "plugin-1.6", 1);
	doc_fraction_fit_add_ratio(fit, "bf16", 0.5);
	doc_fraction_fit_add_ratio(fit, "fp8", 0.25);
	fit->blocks = 5;
	fit->f = 0.249;
	fit->f_ci95 = (struct doc_interval){0.23, 0.268};
	fit->hinge_p = 0.62;
	string_list_add(&fit->left_out, "long");
	struct doc_loss_pair *pair = analysis_doc_add_loss_pair(doc);
	pair->harness = dup("lm7b-exposed");
	pair->setting = dup("bf16");
	pair->control = dup("plugin-1.6");
	pair->tolerance_percent = 0.5;
	pair->verdict = dup("void");
	pair->reason = dup("the learning rate reached 0.6 % of its peak; both losses read 10.8249 to the printed "
			   "precision, in arms that change the arithmetic");
	pair = analysis_doc_add_loss_pair(doc);
	pair->harness = dup("lm7b-hidden");
	pair->setting = dup("long");
	pair->control = dup("plugin-1.6");
	pair->blocks = 4;
	pair->control_loss = 2.3051;
	pair->treatment_loss = 2.4102;
	pair->difference_percent = 4.56;
	pair->difference_ci95_percent = (struct doc_interval){3.1, 6.0};
	pair->tolerance_percent = 0.5;
	pair->verdict = dup("outside");
}
