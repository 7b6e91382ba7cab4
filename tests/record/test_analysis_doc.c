#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/digest.h"
#include "base/file.h"
#include "record/fields.h"
#include "tests/record/schema_walk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void test_schema(void **state)
{
	(void)state;
	schema_compare("record/analysis.schema.json", &analysis_doc_map, NULL);
}

static struct analysis_doc *make_doc(void)
{
	struct analysis_doc *doc = analysis_doc_new();

	doc->name = mem_dup_string("c");
	doc->control = mem_dup_string("base");
	doc->plan_sha256 = mem_dup_string("ab");
	doc->margin_percent = 1;
	string_map_set(&doc->versions, "assay", "0.1.0");
	string_map_set(&doc->versions, "assay", "0.1.1");
	string_map_set(&doc->titles, "ring", "Ring");
	struct doc_harness *harness = analysis_doc_add_harness(doc);
	harness->name = mem_dup_string("s");
	harness->kind = mem_dup_string("slice");
	struct doc_floor *floor = doc_harness_add_floor(harness);
	floor->kind = mem_dup_string("cross_job");
	floor->s_l = 0.1 + 0.2;
	struct doc_run *run = analysis_doc_add_run(doc);
	run->id = mem_dup_string("b1/1.1");
	run->block = mem_dup_string("b1");
	run->harness = mem_dup_string("s");
	run->setting = mem_dup_string("ring");
	run->role = mem_dup_string("arm");
	run->status = mem_dup_string("ok");
	run->y_reason = mem_dup_string("no kept step");
	run->net.kind = mem_dup_string("ib");
	struct doc_effect *effect = analysis_doc_add_effect(doc);
	effect->harness = mem_dup_string("s");
	effect->setting = mem_dup_string("ring");
	effect->control = mem_dup_string("base");
	effect->verdict = mem_dup_string("win");
	effect->ci95_percent = (struct doc_interval){-1, 1.0 / 3};
	doc_effect_add_gain(effect, "b1", 1.0 / 7);
	doc_effect_add_gain(effect, "b2", -2e-17);
	string_list_add(&effect->qualifiers, "interim");
	string_map_set(&effect->holds_for, "nccl", "2.20.5");
	struct doc_parity *parity = analysis_doc_add_parity(doc);
	parity->bench = mem_dup_string("b");
	parity->slice = mem_dup_string("s");
	struct doc_parity_setting *setting = doc_parity_add_setting(parity);
	setting->setting = mem_dup_string("ring");
	setting->class_name = mem_dup_string("transfers");
	setting->fieller.type = mem_dup_string("half_line");
	setting->fieller.lo = 0.1;
	doc_amdahl_add_point(&parity->amdahl)->x = 1;
	parity->amdahl.setting = mem_dup_string("half");
	parity->amdahl.points[0].y = 0.25;
	struct doc_trace *trace = analysis_doc_add_trace(doc);
	trace->run = mem_dup_string("b1/1.1");
	trace->harness = mem_dup_string("s");
	trace->setting = mem_dup_string("ring");
	trace->block = mem_dup_string("b1");
	trace->role = mem_dup_string("arm");
	doc_add_double(&trace->step, &trace->n_step, 1);
	doc_add_double(&trace->time_s, &trace->n_time_s, 0.1 + 0.2);
	struct doc_finding *finding = analysis_doc_add_finding(doc);
	finding->code = mem_dup_string("x");
	finding->text = mem_dup_string("a \"b\"\n");
	return doc;
}

static void test_round_trip(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = make_doc();
	CLEANUP(analysis_doc_free) struct analysis_doc *back = NULL;
	CLEANUP(mem_free) char *bytes = NULL;
	char path[64], first[65], sha256[65];
	size_t n;
	struct error err;

	(void)state;
	snprintf(path, sizeof(path), "test_analysis_doc.%d.json", (int)getpid());
	assert_int_equal(analysis_doc_write(doc, path, &err), 0);
	memcpy(first, doc->sha256, sizeof(first));
	if (analysis_doc_read(path, &back, &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(file_read(path, &bytes, &n, &err), 0);
	digest_sha256(bytes, n, sha256);
	assert_string_equal(sha256, first);
	assert_string_equal(back->sha256, first);
	assert_non_null(strstr(bytes, "\"y\":null") ? "" : strstr(bytes, "\"y\": null"));
	assert_non_null(strstr(bytes, "log_gain_reason"));

	assert_int_equal(back->seed, 1);
	assert_int_equal(back->versions.n, 1);
	assert_string_equal(back->titles.values[0], "Ring");
	assert_true(back->harnesses[0].floors[0].s_l == 0.1 + 0.2);
	assert_true(isnan(back->harnesses[0].floors[0].percent));
	assert_string_equal(back->runs[0].y_reason, "no kept step");
	assert_int_equal(back->runs[0].units, RECORD_UNSET);
	assert_string_equal(back->runs[0].net.kind, "ib");
	assert_null(back->effects[0].floor.kind);
	assert_null(back->effects[0].design);
	assert_true(back->effects[0].ci95_percent.hi == 1.0 / 3);
	assert_true(isnan(back->effects[0].ci90_percent.lo));
	assert_int_equal(back->effects[0].n_log_gains, 2);
	assert_true(back->effects[0].log_gains[1].log_gain == -2e-17);
	assert_string_equal(back->findings[0].text, "a \"b\"\n");
	assert_string_equal(string_map_get(&back->effects[0].holds_for, "nccl"), "2.20.5");
	assert_string_equal(back->parities[0].settings[0].fieller.type, "half_line");
	assert_true(isnan(back->parities[0].settings[0].fieller.hi));
	assert_true(back->parities[0].amdahl.points[0].y == 0.25);
	assert_int_equal(back->traces[0].n_time_s, 1);
	assert_true(back->traces[0].time_s[0] == 0.1 + 0.2);
	assert_true(isnan(back->cost.gpu_hours));

	assert_int_equal(analysis_doc_write(back, path, &err), 0);
	assert_string_equal(back->sha256, first);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_schema), cmocka_unit_test(test_round_trip)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
