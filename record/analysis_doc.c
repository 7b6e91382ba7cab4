/* The analysis document: grown by the analyzer, written and read by the field tables. */
#include "record/fields.h"

#include "base/digest.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

struct analysis_doc *analysis_doc_new(void)
{
	struct analysis_doc *doc = mem_new(1, sizeof(*doc));

	json_init_struct(&analysis_doc_map, doc);
	return doc;
}

void analysis_doc_free(struct analysis_doc *doc)
{
	if (!doc)
		return;
	json_release_struct(&analysis_doc_map, doc);
	free(doc);
}

static void *add(void *array_pointer, size_t *n, const struct json_map *map)
{
	void *row = record_add_row(array_pointer, n, map->size);

	json_init_struct(map, row);
	return row;
}

struct doc_harness *analysis_doc_add_harness(struct analysis_doc *doc)
{
	return add(&doc->harnesses, &doc->n_harnesses, &doc_harness_map);
}

const struct doc_harness *analysis_doc_find_harness(const struct analysis_doc *doc, const char *name)
{
	for (size_t i = 0; i < doc->n_harnesses; i++)
		if (text_equal(doc->harnesses[i].name, name))
			return &doc->harnesses[i];
	return NULL;
}

struct doc_floor *doc_harness_add_floor(struct doc_harness *harness)
{
	return add(&harness->floors, &harness->n_floors, &doc_floor_map);
}

struct doc_run *analysis_doc_add_run(struct analysis_doc *doc)
{
	return add(&doc->runs, &doc->n_runs, &doc_run_map);
}

struct doc_lost_run *analysis_doc_add_lost_run(struct analysis_doc *doc)
{
	return add(&doc->lost_runs, &doc->n_lost_runs, &doc_lost_run_map);
}

struct doc_effect *analysis_doc_add_effect(struct analysis_doc *doc)
{
	return add(&doc->effects, &doc->n_effects, &doc_effect_map);
}

/* json's JSON_NUMBERS rows. */
_Static_assert(offsetof(struct doc_block_gain, block) == 0 &&
		       offsetof(struct doc_block_gain, log_gain) == sizeof(char *) &&
		       sizeof(struct doc_block_gain) == sizeof(char *) + sizeof(double),
	       "a block's gain is a name and a number");

static void add_named_number(struct doc_block_gain **rows, size_t *n, const char *name, double number)
{
	struct doc_block_gain *row = record_add_row(rows, n, sizeof(*row));

	row->block = mem_dup_string(name);
	row->log_gain = number;
}

bool doc_effect_is_declared(const struct doc_effect *effect)
{
	return !effect->relabelled && effect->setting && !strchr(effect->setting, '@');
}

void doc_effect_add_gain(struct doc_effect *effect, const char *block, double log_gain)
{
	add_named_number(&effect->log_gains, &effect->n_log_gains, block, log_gain);
}

struct doc_fraction *analysis_doc_add_fraction(struct analysis_doc *doc)
{
	return add(&doc->fractions, &doc->n_fractions, &doc_fraction_map);
}

struct doc_fraction_fit *analysis_doc_add_fraction_fit(struct analysis_doc *doc)
{
	return add(&doc->fraction_fits, &doc->n_fraction_fits, &doc_fraction_fit_map);
}

void doc_fraction_fit_add_ratio(struct doc_fraction_fit *fit, const char *setting, double payload_ratio)
{
	add_named_number(&fit->ratios, &fit->n_ratios, setting, payload_ratio);
}

struct doc_loss_pair *analysis_doc_add_loss_pair(struct analysis_doc *doc)
{
	return add(&doc->loss_pairs, &doc->n_loss_pairs, &doc_loss_pair_map);
}

struct doc_inference *analysis_doc_add_inference(struct analysis_doc *doc)
{
	return add(&doc->inferences, &doc->n_inferences, &doc_inference_map);
}

struct doc_parity *analysis_doc_add_parity(struct analysis_doc *doc)
{
	return add(&doc->parities, &doc->n_parities, &doc_parity_map);
}

struct doc_spread *analysis_doc_add_spread(struct analysis_doc *doc)
{
	return add(&doc->spreads, &doc->n_spreads, &doc_spread_map);
}

struct doc_throughput *analysis_doc_add_throughput(struct analysis_doc *doc)
{
	return add(&doc->throughputs, &doc->n_throughputs, &doc_throughput_map);
}

struct doc_scaling *analysis_doc_add_scaling(struct analysis_doc *doc)
{
	return add(&doc->scalings, &doc->n_scalings, &doc_scaling_map);
}

struct doc_trace *analysis_doc_add_trace(struct analysis_doc *doc)
{
	return add(&doc->traces, &doc->n_traces, &doc_trace_map);
}

struct doc_price *analysis_doc_add_price(struct analysis_doc *doc)
{
	return add(&doc->prices, &doc->n_prices, &doc_price_map);
}

struct doc_parity_setting *doc_parity_add_setting(struct doc_parity *parity)
{
	return add(&parity->settings, &parity->n_settings, &doc_parity_setting_map);
}

struct doc_curve_point *doc_amdahl_add_point(struct doc_amdahl *amdahl)
{
	return add(&amdahl->points, &amdahl->n_points, &doc_curve_point_map);
}

struct doc_scaling_point *doc_scaling_add_point(struct doc_scaling *scaling)
{
	return add(&scaling->points, &scaling->n_points, &doc_scaling_point_map);
}

void doc_add_double(double **values, size_t *n, double value)
{
	double *slot = record_add_row(values, n, sizeof(*slot));

	*slot = value;
}

struct doc_void *analysis_doc_add_void(struct analysis_doc *doc)
{
	return add(&doc->voids, &doc->n_voids, &doc_void_map);
}

struct doc_relabelled *analysis_doc_add_relabelled(struct analysis_doc *doc)
{
	return add(&doc->relabelled, &doc->n_relabelled, &doc_relabelled_map);
}

struct doc_network *analysis_doc_add_network(struct analysis_doc *doc)
{
	return add(&doc->networks, &doc->n_networks, &doc_network_map);
}

struct doc_confound *analysis_doc_add_confound(struct analysis_doc *doc)
{
	return add(&doc->confounds, &doc->n_confounds, &doc_confound_map);
}

struct doc_drift *analysis_doc_add_drift(struct analysis_doc *doc)
{
	return add(&doc->drifts, &doc->n_drifts, &doc_drift_map);
}

struct doc_note *analysis_doc_add_decision(struct analysis_doc *doc)
{
	return add(&doc->decisions, &doc->n_decisions, &doc_note_map);
}

struct doc_note *analysis_doc_add_correction(struct analysis_doc *doc)
{
	return add(&doc->corrections, &doc->n_corrections, &doc_note_map);
}

struct doc_question *analysis_doc_add_question(struct analysis_doc *doc)
{
	return add(&doc->questions, &doc->n_questions, &doc_question_map);
}

struct doc_finding *analysis_doc_add_finding(struct analysis_doc *doc)
{
	return add(&doc->findings, &doc->n_findings, &doc_finding_map);
}

int analysis_doc_write(struct analysis_doc *doc, const char *path, struct error *err)
{
	CLEANUP(json_writer_release) struct json_writer writer = {.open_depth = 2};

	json_write_struct(&writer, &analysis_doc_map, doc);
	text_add_char(&writer.text, '\n');
	digest_sha256(writer.text.bytes, writer.text.length, doc->sha256);
	return file_replace(path, writer.text.bytes, writer.text.length, err);
}

int analysis_doc_read(const char *path, struct analysis_doc **ret_doc, struct error *err)
{
	CLEANUP(mem_free) char *bytes = NULL;
	CLEANUP(json_free) cJSON *tree = NULL;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();
	size_t n = 0;

	int r = file_read(path, &bytes, &n, err);
	if (r < 0)
		return r;
	r = json_parse(bytes, n, path, 1, &tree, err);
	if (r < 0)
		return r;
	r = json_read_struct(tree, &analysis_doc_map, path, "", doc, err);
	if (r < 0)
		return r;
	digest_sha256(bytes, n, doc->sha256);
	*ret_doc = TAKE(doc);
	return 0;
}
