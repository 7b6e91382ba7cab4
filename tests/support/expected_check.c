/*
 * expected_check CAMPAIGN EXPECTED: the analysis of a campaign against an expected.json. CAMPAIGN is an imported
 * campaign directory, or a folder with campaign.json and runs.csv, which is imported to a temporary directory first.
 * What is absent from EXPECTED is not checked. Prints a line a wrong value; exit 1 when there is one.
 */
#define _XOPEN_SOURCE 700 /* nftw */

#include "tests/support/expected_check.h"
#include "assay/analyze.h"
#include "assay/collect.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK_RTOL 1e-6
#define CHECK_ATOL 1e-12

static size_t n_values, n_wrong;
static char where[512];

static void wrong(const char *key, const char *expected, const char *ours)
{
	n_wrong++;
	printf("wrong: %s %s: expected %s, ours %s\n", where, key, expected, ours);
}

void expected_unknown(const char *key)
{
	wrong(key, "known", "unknown to expected_check");
}

/* An expected value of another kind than ours, null apart, is wrong whatever we hold. */
static bool other_kind(const char *key, const cJSON *expected, bool is_kind)
{
	if (!expected || cJSON_IsNull(expected) || is_kind)
		return false;
	wrong(key, "a value of another kind", "ours");
	return true;
}

void expected_number(const char *key, const cJSON *expected, double ours)
{
	char left[64] = "null", right[64] = "null";

	n_values++;
	if (other_kind(key, expected, cJSON_IsNumber(expected)))
		return;
	bool is_null = !cJSON_IsNumber(expected);
	if (is_null && isnan(ours))
		return;
	if (!is_null) {
		double e = expected->valuedouble;
		if (fabs(e - ours) <= CHECK_ATOL + CHECK_RTOL * fabs(e))
			return;
		snprintf(left, sizeof(left), "%.17g", e);
	}
	if (!isnan(ours))
		snprintf(right, sizeof(right), "%.17g", ours);
	wrong(key, left, right);
}

void expected_string(const char *key, const cJSON *expected, const char *ours)
{
	const char *e = cJSON_IsString(expected) ? expected->valuestring : NULL;

	n_values++;
	if (other_kind(key, expected, e != NULL))
		return;
	if (e && ours ? strcmp(e, ours) == 0 : !e && !ours)
		return;
	wrong(key, e ? e : "null", ours ? ours : "null");
}

void expected_bool(const char *key, const cJSON *expected, bool ours)
{
	n_values++;
	if (cJSON_IsTrue(expected) != ours)
		wrong(key, cJSON_IsTrue(expected) ? "true" : "false", ours ? "true" : "false");
}

void expected_interval(const char *key, const cJSON *expected, struct doc_interval ours)
{
	char name[96];

	if (other_kind(key, expected, cJSON_IsArray(expected)))
		return;
	snprintf(name, sizeof(name), "%s.lo", key);
	expected_number(name, cJSON_GetArrayItem(expected, 0), ours.lo);
	snprintf(name, sizeof(name), "%s.hi", key);
	expected_number(name, cJSON_GetArrayItem(expected, 1), ours.hi);
}

/* Every expected string is in ours; EXACT also the other way. */
enum list_match { LIST_INCLUDES, LIST_EXACT };
static void check_list(const char *key, const cJSON *expected, const struct string_list *ours, enum list_match match)
{
	const cJSON *item;
	size_t n = 0;

	cJSON_ArrayForEach(item, expected)
	{
		n++;
		n_values++;
		if (!string_list_has(ours, item->valuestring))
			wrong(key, item->valuestring, "not there");
	}
	if (match == LIST_INCLUDES)
		return;
	n_values++;
	for (size_t i = 0; ours->n > n && i < ours->n; i++) {
		bool there = false;
		cJSON_ArrayForEach(item, expected) there = there || strcmp(item->valuestring, ours->items[i]) == 0;
		if (!there)
			wrong(key, "not there", ours->items[i]);
	}
}

const char *expected_text_of(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(item) ? item->valuestring : NULL;
}

bool expected_value_field(const cJSON *field, const struct expected_value *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!text_equal(field->string, values[i].key))
			continue;
		expected_number(field->string, field, values[i].value);
		return true;
	}
	return false;
}

static const cJSON *get(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

bool expected_missing(const void *found)
{
	n_values++;
	if (!found)
		wrong("row", "there", "missing");
	return !found;
}

void expected_where(const char *list, const cJSON *row)
{
	const char *keys[] = {"file", "harness", "setting", "block", "factor", "net_plugin_version"};
	size_t at = (size_t)snprintf(where, sizeof(where), "%s", list);

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && at < sizeof(where); i++)
		if (expected_text_of(row, keys[i]))
			at += (size_t)snprintf(where + at, sizeof(where) - at, " %s", expected_text_of(row, keys[i]));
}

static const struct doc_run *find_run(const struct analysis_doc *doc, const char *file)
{
	for (size_t i = 0; file && i < doc->n_runs; i++) {
		const char *source = doc->runs[i].source;
		if (!source)
			continue;
		size_t a = strlen(source), b = strlen(file);
		if (a >= b && strcmp(source + a - b, file) == 0 && (a == b || source[a - b - 1] == '/'))
			return &doc->runs[i];
	}
	return NULL;
}

static void check_runs(const cJSON *list, const struct analysis_doc *doc)
{
	const cJSON *row, *field;

	cJSON_ArrayForEach(row, list)
	{
		expected_where("run", row);
		const struct doc_run *run = find_run(doc, expected_text_of(row, "file"));
		if (expected_missing(run))
			continue;
		cJSON_ArrayForEach(field, row)
		{
			const char *key = field->string;
			if (same(key, "y"))
				expected_number(key, field, run->y);
			else if (same(key, "units"))
				expected_number(key, field,
						run->status && same(run->status, "ok") ? (double)run->units : 0);
			else if (same(key, "ranks_reporting"))
				expected_number(key, field, (double)run->net.ranks_reporting);
			else if (same(key, "status"))
				expected_string(key, field, run->status);
			else if (same(key, "role"))
				expected_string(key, field, run->role);
			else if (same(key, "net_kind"))
				expected_string(key, field, run->net.kind);
			else if (same(key, "net_raw"))
				expected_string(key, field, run->net.raw);
			else if (same(key, "net_plugin_version"))
				expected_string(key, field, run->net.plugin_version);
		}
	}
}

static const char *source_of(const struct analysis_doc *doc, const char *run)
{
	for (size_t i = 0; i < doc->n_runs; i++)
		if (same(doc->runs[i].id, run))
			return doc->runs[i].source;
	return NULL;
}

static void check_lost(const cJSON *list, const struct analysis_doc *doc)
{
	const cJSON *row;

	cJSON_ArrayForEach(row, list)
	{
		const struct doc_lost_run *found = NULL;
		expected_where("lost", row);
		for (size_t i = 0; i < doc->n_lost_runs && !found; i++) {
			const struct doc_lost_run *lost = &doc->lost_runs[i];
			const char *file = expected_text_of(row, "file");
			if ((!file || same(source_of(doc, lost->run), file)) &&
			    same(lost->harness, expected_text_of(row, "harness")) &&
			    same(lost->setting, expected_text_of(row, "setting")) &&
			    same(lost->block, expected_text_of(row, "block")))
				found = lost;
		}
		if (expected_missing(found))
			continue;
		expected_string("status", get(row, "status"), found->status);
		if (get(row, "proof"))
			expected_string("proof", get(row, "proof"), found->proof);
		if (get(row, "external"))
			expected_bool("external", get(row, "external"), found->external);
	}
	snprintf(where, sizeof(where), "lost_runs");
	expected_number("count", &(cJSON){.type = cJSON_Number, .valuedouble = cJSON_GetArraySize(list)},
			(double)doc->n_lost_runs);
}

static bool same_pair(const struct doc_void *entry, const cJSON *row)
{
	return same(entry->harness, expected_text_of(row, "harness")) &&
	       same(entry->setting, expected_text_of(row, "setting")) &&
	       same(entry->block, expected_text_of(row, "block"));
}

static void check_voids(const cJSON *list, const struct analysis_doc *doc)
{
	const cJSON *row;

	cJSON_ArrayForEach(row, list)
	{
		const struct doc_void *found = NULL;
		expected_where("void", row);
		for (size_t i = 0; i < doc->n_voids && !found; i++)
			found = same_pair(&doc->voids[i], row) ? &doc->voids[i] : NULL;
		if (expected_missing(found))
			continue;
		expected_string("check", get(row, "check"), found->check);
		if (get(row, "reason"))
			expected_string("reason", get(row, "reason"), found->reason);
		const char *keys[] = {"would_read_percent", "gain_percent_if_read"};
		for (size_t i = 0; i < 2; i++)
			if (get(row, keys[i]))
				expected_number(keys[i], get(row, keys[i]), found->would_read_percent);
	}
	for (size_t i = 0; i < doc->n_voids; i++) {
		bool there = false;
		cJSON_ArrayForEach(row, list) there = there || same_pair(&doc->voids[i], row);
		snprintf(where, sizeof(where), "void %s %s %s", doc->voids[i].harness, doc->voids[i].setting,
			 doc->voids[i].block);
		n_values++;
		if (!there)
			wrong("row", "not there", doc->voids[i].reason ? doc->voids[i].reason : "void");
	}
}

static bool has_gain(const struct doc_effect *effect, const char *block)
{
	for (size_t i = 0; i < effect->n_log_gains; i++)
		if (same(effect->log_gains[i].block, block))
			return true;
	return false;
}

static void check_comparison(const cJSON *row, const struct doc_run *run, const struct analysis_doc *doc)
{
	const struct doc_effect *found = NULL;

	if (!get(row, "comparison_verdict"))
		return;
	for (size_t i = 0; i < doc->n_effects && !found; i++) {
		const struct doc_effect *effect = &doc->effects[i];
		if (effect->relabelled && same(effect->harness, run->harness) &&
		    (same(effect->control, run->observed) || same(effect->setting, run->observed)) &&
		    has_gain(effect, run->block))
			found = effect;
	}
	expected_string("comparison_verdict", get(row, "comparison_verdict"), found ? found->verdict : "no_number");
	expected_number("comparison_log_gain", get(row, "comparison_log_gain"), found ? found->log_gain : NAN);
	expected_number("comparison_gain_percent", get(row, "comparison_gain_percent"),
			found ? found->gain_percent : NAN);
}

static void check_relabelled(const cJSON *list, const struct analysis_doc *doc)
{
	const cJSON *row;

	cJSON_ArrayForEach(row, list)
	{
		const struct doc_relabelled *found = NULL;
		expected_where("relabelled", row);
		const struct doc_run *run = find_run(doc, expected_text_of(row, "file"));
		if (expected_missing(run))
			continue;
		for (size_t i = 0; i < doc->n_relabelled && !found; i++)
			if (same(doc->relabelled[i].run, run->id) && same(doc->relabelled[i].declared, run->setting))
				found = &doc->relabelled[i];
		if (expected_missing(found))
			continue;
		expected_string("declared", get(row, "declared"), found->declared);
		if (get(row, "named"))
			expected_string("named", get(row, "named"), found->named);
		if (get(row, "ranks_reporting"))
			expected_number("ranks_reporting", get(row, "ranks_reporting"),
					(double)run->net.ranks_reporting);
		const char *ran = expected_text_of(row, "ran");
		n_values++;
		if (ran && !same(ran, run->net.kind) && !(found->evidence && strstr(found->evidence, ran)))
			wrong("ran", ran, found->evidence ? found->evidence : "null");
		check_comparison(row, run, doc);
	}
	snprintf(where, sizeof(where), "relabelled");
	expected_number("count", &(cJSON){.type = cJSON_Number, .valuedouble = cJSON_GetArraySize(list)},
			(double)doc->n_relabelled);
}

static void check_networks(const cJSON *list, const struct analysis_doc *doc)
{
	const cJSON *row;

	cJSON_ArrayForEach(row, list)
	{
		const struct doc_network *found = NULL;
		expected_where("network", row);
		for (size_t i = 0; i < doc->n_networks && !found; i++)
			if (same(doc->networks[i].harness, expected_text_of(row, "harness")) &&
			    same(doc->networks[i].setting, expected_text_of(row, "setting")))
				found = &doc->networks[i];
		if (!expected_missing(found))
			expected_string("status", get(row, "status"), found->status);
	}
}

static void check_confounds(const cJSON *list, const struct analysis_doc *doc)
{
	const cJSON *row;

	cJSON_ArrayForEach(row, list)
	{
		const struct doc_confound *found = NULL;
		expected_where("confound", row);
		for (size_t i = 0; i < doc->n_confounds && !found; i++)
			if (same(doc->confounds[i].harness, expected_text_of(row, "harness")) &&
			    same(doc->confounds[i].setting, expected_text_of(row, "setting")) &&
			    same(doc->confounds[i].factor, expected_text_of(row, "factor")))
				found = &doc->confounds[i];
		if (expected_missing(found))
			continue;
		const char *keys[] = {"control", "treatment"};
		const char *ours[] = {found->control, found->treatment};
		for (size_t i = 0; i < 2; i++) {
			const cJSON *value = get(row, keys[i]);
			if (cJSON_IsNumber(value))
				expected_number(keys[i], value, ours[i] ? strtod(ours[i], NULL) : NAN);
			else if (value)
				expected_string(keys[i], value, ours[i]);
		}
		expected_bool("voids", get(row, "voids"), found->voids);
		if (get(row, "blocks"))
			check_list("blocks", get(row, "blocks"), &found->blocks, LIST_EXACT);
	}
}

static const struct doc_floor *find_floor(const struct doc_harness *harness, const char *kind, const char *setting)
{
	for (size_t i = 0; i < harness->n_floors; i++)
		if (same(harness->floors[i].kind, kind) && (!setting || same(harness->floors[i].setting, setting)))
			return &harness->floors[i];
	return NULL;
}

static void check_floor(const char *name, const cJSON *expected, const struct doc_floor *floor)
{
	const cJSON *field;
	char key[128];

	if (!cJSON_IsObject(expected)) {
		expected_number(name, expected, floor ? floor->percent : NAN);
		return;
	}
	if (expected_missing(floor))
		return;
	cJSON_ArrayForEach(field, expected)
	{
		snprintf(key, sizeof(key), "%s.%s", name, field->string);
		if (same(field->string, "kind"))
			expected_string(key, field, floor->kind);
		else if (same(field->string, "sd_log") || same(field->string, "sd_R_log"))
			expected_number(key, field, floor->sd_log);
		else if (same(field->string, "df"))
			expected_number(key, field, floor->df);
		else if (strncmp(field->string, "percent", 7) == 0)
			expected_number(key, field, floor->percent);
		else if (same(field->string, "sd_r"))
			expected_number(key, field, floor->s_r);
		else if (same(field->string, "sd_L"))
			expected_number(key, field, floor->s_l);
		else if (same(field->string, "s_L2_raw"))
			expected_number(key, field, floor->s_l2_raw);
		else if (same(field->string, "controls"))
			expected_number(key, field, (double)floor->runs);
		else
			wrong(key, "known", "unknown to expected_check");
	}
}

static void check_harness_floors(const cJSON *expected, const struct doc_harness *harness)
{
	const cJSON *field;

	cJSON_ArrayForEach(field, expected)
	{
		const char *key = field->string;
		if (strncmp(key, "paired_", 7) == 0)
			check_floor(key, field, find_floor(harness, "paired", key + 7));
		else if (same(key, "within_block") || same(key, "cross_job"))
			check_floor(key, field, find_floor(harness, key, NULL));
		else if (same(key, "spread_percent"))
			expected_number(key, field, harness->spread_percent);
		else if (same(key, "spread_n"))
			expected_number(key, field, (double)harness->spread_n);
		else if (same(key, "cv_percent"))
			expected_number(key, field, harness->cv_percent);
		else if (same(key, "cv_ci95_percent"))
			expected_interval(key, field, harness->cv_ci95_percent);
		else if (same(key, "unfloored"))
			expected_bool(key, field, harness->unfloored);
		else
			wrong(key, "known", "unknown to expected_check");
	}
}

static void check_floors(const cJSON *floors, const struct analysis_doc *doc)
{
	const cJSON *row;

	cJSON_ArrayForEach(row, floors)
	{
		const struct doc_harness *found = NULL;
		snprintf(where, sizeof(where), "floors %s", row->string);
		for (size_t i = 0; i < doc->n_harnesses; i++) {
			if (same(doc->harnesses[i].name, row->string))
				found = &doc->harnesses[i];
			if (cJSON_IsString(row) && same(doc->harnesses[i].kind, "bench"))
				expected_bool(doc->harnesses[i].name, &(cJSON){.type = cJSON_True},
					      doc->harnesses[i].unfloored);
		}
		if (!cJSON_IsString(row) && !expected_missing(found))
			check_harness_floors(row, found);
	}
}

static const struct doc_effect *find_effect(const struct analysis_doc *doc, const char *harness, const char *setting)
{
	for (size_t i = 0; i < doc->n_effects; i++)
		if (!doc->effects[i].relabelled && same(doc->effects[i].harness, harness) &&
		    same(doc->effects[i].setting, setting))
			return &doc->effects[i];
	return NULL;
}

static void check_gains(const cJSON *expected, const struct doc_effect *effect)
{
	const cJSON *field;

	cJSON_ArrayForEach(field, expected)
	{
		double ours = NAN;
		for (size_t i = 0; i < effect->n_log_gains; i++)
			if (same(effect->log_gains[i].block, field->string))
				ours = effect->log_gains[i].log_gain;
		expected_number(field->string, field, ours);
	}
	expected_number("log_gains.count", &(cJSON){.type = cJSON_Number, .valuedouble = cJSON_GetArraySize(expected)},
			(double)effect->n_log_gains);
}

static bool check_effect_number(const char *key, const cJSON *field, const struct doc_effect *e)
{
	const struct {
		const char *key;
		double value;
	} numbers[] = {
		{"blocks", (double)e->blocks},
		{"runs", (double)e->runs},
		{"attempted", (double)e->attempted},
		{"completed", (double)e->completed},
		{"external", (double)e->external},
		{"mcnemar_p", e->mcnemar_p},
		{"mcnemar_p_with_void", e->mcnemar_p_with_void},
		{"log_gain", e->log_gain},
		{"gain_percent", e->gain_percent},
		{"df", e->df},
		{"p", e->p},
		{"p_holm", e->p_holm},
		{"blocks_to_settle", e->blocks_to_settle},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (!same(key, numbers[i].key))
			continue;
		expected_number(key, field, numbers[i].value);
		return true;
	}
	return false;
}

static void check_effect_field(const cJSON *field, const struct doc_effect *e)
{
	const char *key = field->string;

	if (same(key, "harness") || same(key, "setting") || same(key, "net_plugin_version") ||
	    check_effect_number(key, field, e))
		return;
	if (same(key, "control"))
		expected_string(key, field, e->control);
	else if (same(key, "design"))
		expected_string(key, field, e->design);
	else if (same(key, "verdict"))
		expected_string(key, field, e->verdict);
	else if (same(key, "hypothesis"))
		expected_string(key, field, e->hypothesis);
	else if (same(key, "completed_ci95"))
		expected_interval(key, field, e->completed_ci95);
	else if (same(key, "ci95_percent"))
		expected_interval(key, field, e->ci95_percent);
	else if (same(key, "ci90_percent"))
		expected_interval(key, field, e->ci90_percent);
	else if (same(key, "log_gains"))
		check_gains(field, e);
	else if (same(key, "floor"))
		check_floor(key, field, e->floor.kind || cJSON_IsNull(field) ? &e->floor : NULL);
	else if (same(key, "qualifiers"))
		check_list(key, field, &e->qualifiers, LIST_EXACT);
	else if (same(key, "qualifiers_include"))
		check_list(key, field, &e->qualifiers, LIST_INCLUDES);
	else if (same(key, "reasons"))
		check_list(key, field, &e->reasons, LIST_INCLUDES);
	else if (same(key, "void_blocks"))
		check_list(key, field, &e->void_blocks, LIST_EXACT);
	else if (same(key, "adoptable"))
		expected_bool(key, field, e->adoptable);
	else
		wrong(key, "known", "unknown to expected_check");
}

static void check_effects(const char *name, const cJSON *list, const struct analysis_doc *doc)
{
	const cJSON *row, *field;

	cJSON_ArrayForEach(row, list)
	{
		char setting[256];
		const char *version = expected_text_of(row, "net_plugin_version");
		expected_where(name, row);
		snprintf(setting, sizeof(setting), "%s%s%s", expected_text_of(row, "setting"),
			 version ? "@net_plugin_version=" : "", version ? version : "");
		const struct doc_effect *effect = find_effect(doc, expected_text_of(row, "harness"), setting);
		if (expected_missing(effect))
			continue;
		cJSON_ArrayForEach(field, row) check_effect_field(field, effect);
	}
}

static void check_drift(const cJSON *list, const struct analysis_doc *doc)
{
	const cJSON *row;

	cJSON_ArrayForEach(row, list)
	{
		const struct doc_drift *found = NULL;
		expected_where("drift", row);
		for (size_t i = 0; i < doc->n_drifts && !found; i++)
			if (same(doc->drifts[i].harness, expected_text_of(row, "harness")))
				found = &doc->drifts[i];
		if (expected_missing(found))
			continue;
		expected_number("blocks", get(row, "blocks"), (double)found->blocks);
		expected_bool("flagged", get(row, "flagged"), found->flagged);
		expected_number("mean_log_change", get(row, "mean_log_change"), found->mean_log_change);
	}
}

static void check_counts(const cJSON *counts, const struct analysis_doc *doc)
{
	const cJSON *field;

	snprintf(where, sizeof(where), "counts");
	cJSON_ArrayForEach(field, counts)
	{
		const char *key = field->string;
		enum run_status status;
		size_t n = 0;
		if (same(key, "runs")) {
			n = doc->n_runs;
		} else if (run_status_parse(key, &status) == 0) {
			for (size_t i = 0; i < doc->n_runs; i++)
				n += same(doc->runs[i].status, key);
		} else {
			for (size_t i = 0; i < doc->n_effects; i++)
				n += !doc->effects[i].relabelled && !strchr(doc->effects[i].setting, '@') &&
				     (same(key, "effects") || same(key, doc->effects[i].verdict));
		}
		expected_number(key, field, (double)n);
	}
}

static void check_all(const cJSON *expected, const struct analysis_doc *doc)
{
	const cJSON *section;

	cJSON_ArrayForEach(section, expected)
	{
		const char *key = section->string;
		snprintf(where, sizeof(where), "%s", key);
		if (same(key, "note"))
			continue;
		if (same(key, "counts"))
			check_counts(section, doc);
		else if (same(key, "runs"))
			check_runs(section, doc);
		else if (same(key, "lost_runs"))
			check_lost(section, doc);
		else if (same(key, "void"))
			check_voids(section, doc);
		else if (same(key, "relabelled"))
			check_relabelled(section, doc);
		else if (same(key, "network"))
			check_networks(section, doc);
		else if (same(key, "confounds"))
			check_confounds(section, doc);
		else if (same(key, "floors"))
			check_floors(section, doc);
		else if (same(key, "effects") || same(key, "sub_arms"))
			check_effects(key, section, doc);
		else if (same(key, "drift"))
			check_drift(section, doc);
		else if (same(key, "communication_fraction"))
			expected_fractions(section, doc);
		else if (same(key, "communication_fraction_multi"))
			expected_fraction_fits(section, doc);
		else if (same(key, "loss_pairs"))
			expected_loss_pairs(section, doc);
		else if (same(key, "parity"))
			expected_parities(section, doc);
		else
			wrong("section", "known", "unknown to expected_check");
	}
}

static char *read_whole(const char *path, size_t *ret_n)
{
	FILE *file = fopen(path, "rb");

	if (!file)
		return NULL;
	char *bytes = NULL;
	size_t n = 0, capacity = 0;
	for (;;) {
		bytes = mem_grow(bytes, &capacity, n + 65536 + 1, 1);
		size_t got = fread(bytes + n, 1, 65536, file);
		n += got;
		if (got == 0)
			break;
	}
	fclose(file);
	bytes[n] = '\0';
	*ret_n = n;
	return bytes;
}

static int copy_file(const char *from, const char *to, struct error *err)
{
	size_t n;
	CLEANUP(mem_free) char *bytes = read_whole(from, &n);
	FILE *file = bytes ? fopen(to, "wb") : NULL;

	if (!file)
		return error_set(err, ERROR_ENVIRONMENT, "cannot copy '%s' to '%s'", from, to);
	size_t written = fwrite(bytes, 1, n, file);
	return fclose(file) == 0 && written == n ? 0 : error_set(err, ERROR_ENVIRONMENT, "cannot write '%s'", to);
}

static int import_folder(const char *directory, const struct plan *plan, const char *manifest_path, struct error *err)
{
	CLEANUP(import_manifest_free) struct import_manifest *manifest = NULL;
	CLEANUP(import_result_release) struct import_result result = {0};

	int r = import_manifest_read(manifest_path, &manifest, err);
	return r < 0 ? r : import_run(directory, plan, manifest, &result, err);
}

static int analyse(const char *source, const char *directory, struct analysis_doc **ret_doc, struct error *err)
{
	CLEANUP(plan_free) struct plan *plan = NULL;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = NULL;
	char from[4096], to[4096], manifest[4096];

	snprintf(from, sizeof(from), "%s/campaign.json", source);
	snprintf(to, sizeof(to), "%s/campaign.json", directory);
	snprintf(manifest, sizeof(manifest), "%s/runs.csv", source);
	bool folder = access(manifest, R_OK) == 0;
	int r = folder ? copy_file(from, to, err) : 0;
	if (r == 0)
		r = plan_read(folder ? to : from, &plan, err);
	if (r == 0 && folder)
		r = import_folder(directory, plan, manifest, err);
	if (r == 0)
		r = analyze_campaign(folder ? directory : source, plan, &doc, err);
	if (r < 0)
		return r;
	snprintf(to, sizeof(to), "%s/analysis.json", directory);
	r = analysis_doc_write(doc, to, err);
	return r < 0 ? r : analysis_doc_read(to, ret_doc, err);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *level)
{
	(void)status;
	(void)kind;
	(void)level;
	return remove(path);
}

int main(int argc, char **argv)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = NULL;
	char directory[] = "/tmp/expected_check.XXXXXX";
	struct error err = {0};
	size_t n;

	if (argc != 3) {
		fprintf(stderr, "usage: expected_check CAMPAIGN EXPECTED\n");
		return 2;
	}
	if (!mkdtemp(directory)) {
		fprintf(stderr, "expected_check: cannot make a temporary directory\n");
		return 4;
	}
	int r = analyse(argv[1], directory, &doc, &err);
	nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	if (r < 0) {
		fprintf(stderr, "expected_check: %s\n", err.message);
		return error_exit_code(r);
	}
	CLEANUP(mem_free) char *bytes = read_whole(argv[2], &n);
	cJSON *expected = bytes ? cJSON_Parse(bytes) : NULL;
	if (!expected) {
		fprintf(stderr, "expected_check: cannot read '%s'\n", argv[2]);
		return 3;
	}
	check_all(expected, doc);
	cJSON_Delete(expected);
	printf("expected: %zu values, %zu wrong\n", n_values, n_wrong);
	return n_wrong > 0;
}
