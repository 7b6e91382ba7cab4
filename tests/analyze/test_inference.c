/* What verdicts imply together: each case is the rule's own words, set up by hand. */
#include "analyze/inference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/reference/close.h"

static char *trade[] = {(char *)"less_bandwidth", (char *)"less_latency"};
static char *launches[] = {(char *)"fewer_launches"};
static char *channels[] = {(char *)"more_channels"};
static char *bandwidth[] = {(char *)"more_bandwidth"};
static char *proto_names[] = {(char *)"NCCL_PROTO"};
static char *proto_values[] = {(char *)"LL128"};

enum { LL, LL128, BUCKETS, CHANNELS, LINKS, PAYLOAD, N_SETTINGS };

static struct plan_setting settings[N_SETTINGS] = {
	[LL] = {.name = (char *)"ll", .probes = {trade, 2}, .payload_ratio = NAN},
	[LL128] = {.name = (char *)"ll128",
		   .probes = {trade, 2},
		   .payload_ratio = NAN,
		   .env = {proto_names, proto_values, 1}},
	[BUCKETS] = {.name = (char *)"buckets", .probes = {launches, 1}, .payload_ratio = NAN},
	[CHANNELS] = {.name = (char *)"channels", .probes = {channels, 1}, .payload_ratio = NAN},
	[LINKS] = {.name = (char *)"links", .probes = {bandwidth, 1}, .payload_ratio = NAN},
	[PAYLOAD] = {.name = (char *)"half", .payload_ratio = 0.5},
};
static struct plan_harness harnesses[] = {{.name = (char *)"sweep", .kind = PLAN_BENCH},
					  {.name = (char *)"train", .kind = PLAN_SLICE}};
static struct plan plan = {.settings = settings, .n_settings = N_SETTINGS, .harnesses = harnesses, .n_harnesses = 2};

struct row {
	int setting;
	const char *verdict;
	double hi95_percent;
	const char *qualifier, *harness;
};

static struct analysis_doc *document(const struct row *rows, size_t n)
{
	struct analysis_doc *doc = analysis_doc_new();
	struct campaign campaign = {.plan = &plan};

	for (size_t i = 0; i < n; i++) {
		struct doc_effect *effect = analysis_doc_add_effect(doc);
		effect->harness = mem_dup_string(rows[i].harness ? rows[i].harness : "train");
		effect->setting = mem_dup_string(settings[rows[i].setting].name);
		effect->verdict = mem_dup_string(rows[i].verdict);
		effect->ci95_percent = (struct doc_interval){rows[i].hi95_percent - 1, rows[i].hi95_percent};
		if (rows[i].qualifier)
			string_list_add(&effect->qualifiers, rows[i].qualifier);
	}
	inference_add(&campaign, doc);
	inference_tell(doc);
	return doc;
}

static void assert_list(const struct string_list *list, const char *expected)
{
	CLEANUP(mem_free) char *joined = string_list_join(list);

	assert_string_equal(joined ? joined : "", expected);
}

static bool has_code(const struct analysis_doc *doc, const char *code)
{
	for (size_t i = 0; i < doc->n_findings; i++)
		if (strcmp(doc->findings[i].code, code) == 0)
			return true;
	return false;
}

static void test_inference__trade_loses(void **state)
{
	static const struct row rows[] = {
		{LL, "harm", -9, NULL, NULL},
		{BUCKETS, "null", 0, NULL, NULL},
		{CHANNELS, "null", 0, NULL, NULL},
		{PAYLOAD, "win", 12, "not_quality_neutral", NULL},
	};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = document(rows, 4);

	(void)state;
	assert_int_equal(doc->n_inferences, 1);
	assert_string_equal(doc->inferences[0].harness, "train");
	assert_string_equal(doc->inferences[0].implies, "bandwidth_bound");
	assert_list(&doc->inferences[0].supported_by, "ll, half");
	assert_list(&doc->inferences[0].explains, "buckets");
	assert_list(&doc->inferences[0].qualified_by, "channels");
	assert_true(has_code(doc, "bandwidth_bound"));
	assert_true(has_code(doc, "bandwidth_bound_qualified"));
}

static void test_inference__trade_gains(void **state)
{
	static const struct row rows[] = {
		{LL, "win", 9, NULL, NULL}, {LINKS, "null", 0, NULL, NULL}, {BUCKETS, "win_size_open", 2, NULL, NULL}};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = document(rows, 3);

	(void)state;
	assert_int_equal(doc->n_inferences, 1);
	assert_string_equal(doc->inferences[0].implies, "latency_bound");
	assert_list(&doc->inferences[0].supported_by, "ll, buckets");
	assert_list(&doc->inferences[0].explains, "links");
	assert_true(has_code(doc, "latency_bound"));
	assert_false(has_code(doc, "bandwidth_bound"));
}

/* 120 / 128 = 0.9375: a loss of 6.25 % is the protocol's own. */
static void test_inference__tax(void **state)
{
	static const struct row within[] = {{LL128, "harm", -6.2, NULL, NULL}, {BUCKETS, "null", 0, NULL, NULL}};
	static const struct row beyond[] = {{LL128, "harm", -6.3, NULL, NULL}, {BUCKETS, "null", 0, NULL, NULL}};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = document(within, 2);
	CLEANUP(analysis_doc_free) struct analysis_doc *other = document(beyond, 2);

	(void)state;
	assert_close(INFERENCE_LL128_TAX_PERCENT, -6.25, 1e-12);
	assert_int_equal(doc->n_inferences, 1);
	assert_string_equal(doc->inferences[0].implies, "undetermined");
	assert_list(&doc->inferences[0].within_tax, "ll128");
	assert_list(&doc->inferences[0].supported_by, "");
	assert_true(has_code(doc, "within_protocol_tax"));
	assert_false(has_code(doc, "bandwidth_bound"));
	assert_string_equal(other->inferences[0].implies, "bandwidth_bound");
}

static void test_inference__contradictory(void **state)
{
	static const struct row rows[] = {
		{LL, "harm", -9, NULL, NULL}, {LINKS, "null", 0, NULL, NULL}, {BUCKETS, "win", 5, NULL, NULL}};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = document(rows, 3);

	(void)state;
	assert_string_equal(doc->inferences[0].implies, "contradictory");
	assert_list(&doc->inferences[0].contradicted_by, "links, buckets");
	assert_true(has_code(doc, "inference_contradictory"));
	assert_false(has_code(doc, "bandwidth_bound"));
}

/* Nothing is inferred from what was not resolved, from one pair, from a knob that did not move, or from a benchmark. */
static void test_inference__takes_no_part(void **state)
{
	static const struct row rows[] = {
		{LL, "unreadable", 4, NULL, NULL},
		{LL, "harm", -9, "provisional", NULL},
		{LL, "null", 0, "no_evidence_of_effect", NULL},
		{LL, "harm", -9, NULL, "sweep"},
		{BUCKETS, "null", 0, NULL, NULL},
		{PAYLOAD, "win", 12, NULL, NULL},
	};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = document(rows, 6);

	(void)state;
	assert_int_equal(doc->n_inferences, 0);
	assert_int_equal(doc->n_findings, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inference__trade_loses),   cmocka_unit_test(test_inference__trade_gains),
		cmocka_unit_test(test_inference__tax),           cmocka_unit_test(test_inference__contradictory),
		cmocka_unit_test(test_inference__takes_no_part),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
