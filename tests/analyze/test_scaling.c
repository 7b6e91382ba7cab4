/* Scaling series: throughputs a GPU are batch by time by ranks, done by hand. */
#include "analyze/scaling.h"

#include "tests/analyze/campaign_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/reference/close.h"

static struct plan_setting settings[] = {{.name = (char *)"base"}, {.name = (char *)"tuned"}};

/* The second harness is planned first: points come by nodes. */
static char *names[] = {(char *)"two", (char *)"one"};
static struct plan_scaling planned = {.harnesses = {names, 2}, .reference = (char *)"one"};

static struct plan plan_of(struct plan_harness *harnesses, size_t n)
{
	return (struct plan){.control = (char *)"base",
			     .margin_percent = 2,
			     .settings = settings,
			     .n_settings = 2,
			     .harnesses = harnesses,
			     .n_harnesses = n,
			     .scaling = &planned,
			     .n_scaling = 1};
}

static struct analysis_doc *scaling_of(const struct plan *plan, const struct fixture_run *rows, size_t n)
{
	CLEANUP(fixture_release) struct campaign campaign;
	struct analysis_doc *doc = analysis_doc_new();

	fixture_fill(plan, rows, n, &campaign);
	doc->margin_percent = plan->margin_percent;
	doc->control = mem_dup_string(plan->control);
	scaling_add(&campaign, doc);
	scaling_tell(doc);
	return doc;
}

/* Seconds a step that make `per_gpu` samples/s a GPU. */
#define STEP(batch, ranks, per_gpu) ((batch) / ((ranks) * (per_gpu)))

static const struct fixture_run lose_13[] = {
	{.block = "b1", .time = STEP(528.0, 4, 33.0)},
	{.block = "b2", .time = STEP(528.0, 4, 33.0)},
	{.block = "b1", .harness = 1, .time = STEP(528.0, 8, 28.7)},
	{.block = "b2", .harness = 1, .time = STEP(528.0, 8, 28.72)},
	{.block = "b2", .harness = 1, .time = STEP(528.0, 8, 5.0), .role = RUN_SENTINEL},
	{.block = "b2", .harness = 1, .time = STEP(528.0, 8, 5.0), .network = NETWORK_MIXED},
};

static void test_scaling__confounded_regime(void **state)
{
	struct plan_harness harnesses[] = {fixture_slice("one", 1, 4, 528), fixture_slice("two", 2, 8, 528)};
	struct plan plan = plan_of(harnesses, 2);
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = scaling_of(&plan, lose_13, 6);

	(void)state;
	assert_int_equal(doc->n_scalings, 1);
	assert_string_equal(doc->scalings[0].setting, "base");
	assert_string_equal(doc->scalings[0].unit, "samples/s");
	assert_null(doc->scalings[0].reason);
	assert_int_equal(doc->scalings[0].n_points, 2);
	const struct doc_scaling_point *one = &doc->scalings[0].points[0], *two = one + 1;
	assert_string_equal(one->harness, "one");
	assert_true(one->reference);
	assert_close(one->median, 33, 1e-12);
	assert_int_equal(one->confounds.n, 0);
	assert_int_equal(two->nodes, 2);
	assert_int_equal(two->ranks, 8);
	assert_int_equal(two->micro_steps, 66);
	assert_int_equal(two->global_batch, 528);
	assert_int_equal(two->runs, 2);
	assert_int_equal(two->blocks, 2);
	assert_int_equal(two->n_values, 2);
	assert_close(two->median, 28.71, 1e-12);
	assert_close(two->best, 28.72, 1e-12);
	assert_close(two->worst, 28.7, 1e-12);
	assert_close(two->lost_percent, 13, 1e-10);
	assert_true(two->confounded);
	assert_int_equal(two->confounds.n, 1);
	assert_string_equal(two->confounds.items[0], "66 micro-steps, not 132");
	assert_string_equal(two->missing_control, "one node, global batch 264, 66 micro-steps: not run");
	assert_int_equal(doc->n_findings, 1);
	assert_string_equal(doc->findings[0].code, "scaling_confounded");
	assert_string_equal(doc->findings[0].text,
			    "2 nodes lose 13 % a GPU against 1 node, but 66 micro-steps stand against 132: the missing "
			    "control is one node at global batch 264");
	assert_int_equal(doc->findings[0].paths.n, 2);
	assert_string_equal(doc->findings[0].paths.items[0], "/scaling/0/points/1");
	assert_int_equal(doc->n_questions, 1);
	assert_string_equal(doc->questions[0].code, "missing_control");
	assert_string_equal(doc->questions[0].settles, "one with the global batch shrunk to 264");
}

/* A series of another setting says so, and asks for the same control once. */
static void test_scaling__of_a_setting(void **state)
{
	struct plan_harness harnesses[] = {fixture_slice("one", 1, 4, 528), fixture_slice("two", 2, 8, 528)};
	struct plan plan = plan_of(harnesses, 2);
	struct plan_scaling both[] = {planned, planned};
	struct fixture_run rows[8];

	(void)state;
	memcpy(rows, lose_13, 4 * sizeof(*rows));
	memcpy(rows + 4, lose_13, 4 * sizeof(*rows));
	for (size_t i = 4; i < 8; i++)
		rows[i].setting = 1;
	both[1].setting = (char *)"tuned";
	plan.scaling = both;
	plan.n_scaling = 2;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = scaling_of(&plan, rows, 8);
	assert_int_equal(doc->n_scalings, 2);
	assert_int_equal(doc->scalings[1].points[1].runs, 2);
	assert_int_equal(doc->n_findings, 2);
	assert_int_equal(strncmp(doc->findings[1].text, "with tuned, 2 nodes lose 13 % a GPU", 35), 0);
	assert_int_equal(doc->n_questions, 1);
}

static void test_scaling__control_run(void **state)
{
	struct plan_harness harnesses[] = {fixture_slice("one", 1, 4, 528), fixture_slice("two", 2, 8, 528),
					   fixture_slice("one-264", 1, 4, 264)};
	struct plan plan = plan_of(harnesses, 3);
	struct fixture_run rows[5];
	memcpy(rows, lose_13, 4 * sizeof(*rows));
	rows[4] = (struct fixture_run){.block = "b1", .harness = 2, .time = 0};

	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *crashed = scaling_of(&plan, rows, 5);
	assert_string_equal(crashed->scalings[0].points[1].missing_control,
			    "one node, global batch 264, 66 micro-steps: planned as one-264, no run completed");
	assert_int_equal(crashed->n_questions, 1);
	rows[4].time = STEP(264.0, 4, 30.0);
	CLEANUP(analysis_doc_free) struct analysis_doc *run = scaling_of(&plan, rows, 5);
	assert_null(run->scalings[0].points[1].missing_control);
	assert_string_equal(run->scalings[0].points[1].matched_control, "one-264");
	assert_close(run->scalings[0].points[1].matched_lost_percent, 4.3, 1e-10);
	assert_int_equal(run->n_questions, 0);
	assert_non_null(
		strstr(run->findings[0].text, "against 132; against one-264, in the same regime, 4.3 % are lost"));
}

/* Twice the batch on twice the GPUs is the same regime. */
static void test_scaling__single_run(void **state)
{
	struct plan_harness harnesses[] = {fixture_slice("one", 1, 4, 528), fixture_slice("two", 2, 8, 1056)};
	struct plan plan = plan_of(harnesses, 2);
	static const struct fixture_run rows[] = {
		{.block = "b1", .time = STEP(528.0, 4, 50.0), .nccl = "2.18.3"},
		{.block = "b2", .time = STEP(528.0, 4, 50.0), .nccl = "2.18.3"},
		{.block = "b1", .harness = 1, .time = STEP(1056.0, 8, 47.5), .nccl = "2.20.5"},
	};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = scaling_of(&plan, rows, 3);
	const struct doc_scaling_point *two = &doc->scalings[0].points[1];

	(void)state;
	assert_false(two->confounded);
	/* A version is listed and does not confound. */
	assert_int_equal(two->confounds.n, 1);
	assert_string_equal(two->confounds.items[0], "NCCL 2.20.5, not 2.18.3");
	assert_null(two->missing_control);
	assert_int_equal(doc->n_findings, 1);
	assert_string_equal(doc->findings[0].code, "scaling_single_run");
	assert_string_equal(doc->findings[0].text, "2 nodes lose 5.0 % a GPU against 1 node in a single run: no claim");
	assert_int_equal(doc->n_questions, 0);
}

static void test_scaling__batch_and_dtype(void **state)
{
	struct plan_harness harnesses[] = {fixture_slice("one", 1, 4, 528), fixture_slice("two", 2, 8, 528)};
	struct plan plan = plan_of(harnesses, 2);
	struct fixture_run rows[4];
	memcpy(rows, lose_13, sizeof(rows));

	(void)state;
	rows[0].dtype = rows[1].dtype = "float32";
	rows[2].dtype = rows[3].dtype = "bfloat16";
	harnesses[0].micro_batch = harnesses[1].micro_batch = RECORD_UNSET;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = scaling_of(&plan, rows, 4);
	const struct doc_scaling_point *two = &doc->scalings[0].points[1];
	assert_true(two->confounded);
	assert_int_equal(two->confounds.n, 2);
	assert_string_equal(two->confounds.items[0], "global batch 528 on 8 GPUs, not 528 on 4");
	assert_string_equal(two->confounds.items[1], "data type bfloat16, not float32");
	assert_string_equal(doc->findings[0].text,
			    "2 nodes lose 13 % a GPU against 1 node, but global batch 528 on 8 GPUs, not 528 on 4, and "
			    "data type bfloat16, not float32");
}

/* 100 and 126 of median 113: 26/113. */
static void test_scaling__far_apart(void **state)
{
	struct plan_harness harnesses[] = {fixture_slice("one", 1, 4, 528), fixture_slice("two", 6, 24, 3168)};
	struct plan plan = plan_of(harnesses, 2);
	static const struct fixture_run rows[] = {
		{.block = "b1", .time = STEP(528.0, 4, 113.0)},
		{.block = "b2", .time = STEP(528.0, 4, 115.0)},
		{.block = "b1", .harness = 1, .time = STEP(3168.0, 24, 100.0)},
		{.block = "b2", .harness = 1, .time = STEP(3168.0, 24, 126.0)},
	};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = scaling_of(&plan, rows, 4);

	(void)state;
	/* 2/114 of the reference lies inside the margin of 2 %. */
	assert_int_equal(doc->n_findings, 1);
	assert_string_equal(doc->findings[0].code, "slices_far_apart");
	assert_string_equal(doc->findings[0].text, "two slices of 24 ranks differ by 23 %: one slice is no claim");
	assert_string_equal(doc->findings[0].paths.items[0], "/scaling/0/points/1");
}

#define ON_A .cluster = "a"
#define ON_B .cluster = "b"

static void test_scaling__two_clusters(void **state)
{
	struct plan_harness harnesses[] = {fixture_slice("one", 1, 4, 528), fixture_slice("two", 2, 8, 1056),
					   fixture_slice("one-b", 1, 4, 528)};
	struct plan plan = plan_of(harnesses, 3);
	char *three[] = {(char *)"one", (char *)"two", (char *)"one-b"};
	struct plan_scaling series = {.harnesses = {three, 3}, .reference = (char *)"one"};
	struct fixture_run rows[] = {
		{.block = "b1", .time = STEP(528.0, 4, 100.0), ON_A},
		{.block = "b2", .time = STEP(528.0, 4, 100.2), ON_A},
		{.block = "b3", .harness = 1, .time = STEP(1056.0, 8, 90.0), ON_B},
		{.block = "b4", .harness = 1, .time = STEP(1056.0, 8, 90.1), ON_B},
		{.block = "b5", .harness = 2, .time = STEP(528.0, 4, 100.1), ON_B},
		{.block = "b6", .harness = 2, .time = STEP(528.0, 4, 100.3), ON_B},
	};
	plan.scaling = &series;

	(void)state;
	/* Welch: difference 0.001, 2 df, t(0.95) = 2.92: the interval is 0.001 -+ 0.0041, inside 2 %. */
	CLEANUP(analysis_doc_free) struct analysis_doc *alike = scaling_of(&plan, rows, 6);
	assert_string_equal(alike->scalings[0].points[1].harness, "one-b");
	assert_false(alike->scalings[0].points[2].confounded);
	assert_string_equal(alike->scalings[0].points[2].confounds.items[0],
			    "another cluster: b, not a; one node of each agrees within 2 %");
	/* Welch: difference 0.0138, standard error 0.0138, 1.01 df: the interval is 0.014 -+ 0.087. */
	rows[5].time = STEP(528.0, 4, 102.9);
	CLEANUP(analysis_doc_free) struct analysis_doc *unlike = scaling_of(&plan, rows, 6);
	assert_true(unlike->scalings[0].points[2].confounded);
	assert_string_equal(unlike->scalings[0].points[2].confounds.items[0],
			    "another cluster: b, not a, and one node of each is not shown to agree");
	assert_null(unlike->scalings[0].points[2].missing_control);
	/* Tight and 2.5 % apart, either way: outside. */
	static const double apart[] = {97.5, 102.6};
	for (size_t i = 0; i < 2; i++) {
		rows[4].time = STEP(528.0, 4, apart[i]);
		rows[5].time = STEP(528.0, 4, apart[i] + 0.01);
		CLEANUP(analysis_doc_free) struct analysis_doc *outside = scaling_of(&plan, rows, 6);
		assert_true(outside->scalings[0].points[2].confounded);
	}
	rows[4].time = STEP(528.0, 4, 100.1);
	/* Two runs of one job are one observation. */
	rows[5] = rows[4];
	rows[5].time = STEP(528.0, 4, 100.3);
	CLEANUP(analysis_doc_free) struct analysis_doc *one_job = scaling_of(&plan, rows, 6);
	assert_true(one_job->scalings[0].points[2].confounded);
	/* Without a node of b. */
	CLEANUP(analysis_doc_free) struct analysis_doc *alone = scaling_of(&plan, rows, 4);
	assert_true(alone->scalings[0].points[2].confounded);
	assert_string_equal(alone->scalings[0].points[2].missing_control, "one node of b: not run");
	assert_int_equal(alone->n_questions, 1);
}

/* Steps of unknown work are no throughput a GPU. */
static void test_scaling__no_curve(void **state)
{
	struct plan_harness harnesses[] = {fixture_slice("one", 1, 4, 528), fixture_slice("two", 2, 8, 528)};
	struct plan plan = plan_of(harnesses, 2);

	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *lost = scaling_of(&plan, lose_13, 2);
	assert_string_equal(lost->scalings[0].reason, "only the reference has a throughput a GPU");
	assert_int_equal(lost->scalings[0].points[1].runs, 0);
	assert_true(isnan(lost->scalings[0].points[1].lost_percent));
	/* It was not tried: nothing is confounded yet. */
	assert_false(lost->scalings[0].points[1].confounded);
	assert_int_equal(lost->n_findings, 0);
	harnesses[0].global_batch = harnesses[1].global_batch = RECORD_UNSET;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = scaling_of(&plan, lose_13, 4);
	assert_non_null(strstr(doc->scalings[0].reason, "the work of a step is not known"));
	assert_null(doc->scalings[0].unit);
	assert_true(isnan(doc->scalings[0].points[1].median));
	assert_int_equal(doc->scalings[0].points[1].n_values, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scaling__confounded_regime), cmocka_unit_test(test_scaling__control_run),
		cmocka_unit_test(test_scaling__single_run),        cmocka_unit_test(test_scaling__batch_and_dtype),
		cmocka_unit_test(test_scaling__far_apart),         cmocka_unit_test(test_scaling__two_clusters),
		cmocka_unit_test(test_scaling__no_curve),          cmocka_unit_test(test_scaling__of_a_setting),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
