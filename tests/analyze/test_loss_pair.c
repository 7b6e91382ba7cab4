/* Matched loss pairs. Intervals by hand: Student's t with 3 df, 3.182446305284263. */
#include "analyze/loss_pair.h"

#include "tests/reference/close.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_BLOCKS = 4, N_STEPS = 5 };

static struct plan_setting settings[] = {
	{.name = (char *)"fp32", .quality_neutral = true},
	{.name = (char *)"bf16", .quality_neutral = false},
};
static struct plan_harness harness = {.name = (char *)"train", .kind = PLAN_SLICE, .ranks = 8};
static struct plan_loss_pair planned = {
	.setting = (char *)"bf16", .harness = (char *)"train", .steps = 2, .tolerance_percent = 0.5};
static struct plan plan = {.control = (char *)"fp32",
			   .settings = settings,
			   .n_settings = 2,
			   .harnesses = &harness,
			   .n_harnesses = 1,
			   .loss_pairs = &planned,
			   .n_loss_pairs = 1};

static struct run_record *run_of(int block, int setting, const double *losses, double lr)
{
	struct run_record *run = run_record_new();
	struct run_table *table = run_record_add_table(run);
	char name[16];

	snprintf(name, sizeof(name), "b%d", block + 1);
	run->block = mem_dup_string(name);
	run->harness = mem_dup_string("train");
	run->setting = mem_dup_string(settings[setting].name);
	run->status = RUN_OK;
	run->role = RUN_ARM;
	run->position = setting + 1;
	table->name = mem_dup_string("iterations");
	string_list_add(&table->columns, "step");
	string_list_add(&table->columns, "loss");
	if (isfinite(lr))
		string_list_add(&table->columns, "lr");
	table->rows = N_STEPS;
	table->values = mem_new(N_STEPS * table->columns.n, sizeof(double));
	for (size_t row = 0; row < N_STEPS; row++) {
		double *cells = &table->values[row * table->columns.n];
		cells[0] = 100 * (double)(row + 1);
		cells[1] = losses[row];
		if (isfinite(lr))
			cells[2] = lr * (double)(row + 1) / N_STEPS;
	}
	return run;
}

/* What a test changes in a run's table before it is read, or NULL. */
static void (*change)(struct run_table *table, int block, int setting);

/* losses[setting][block][step] */
static struct analysis_doc *read_pairs(double losses[2][N_BLOCKS][N_STEPS], double lr)
{
	struct campaign_run runs[2 * N_BLOCKS];
	const struct campaign campaign = {.plan = &plan, .runs = runs, .n_runs = 2 * N_BLOCKS};
	struct analysis_doc *doc = analysis_doc_new();

	for (int i = 0; i < 2 * N_BLOCKS; i++) {
		int setting = i % 2, block = i / 2;
		runs[i] = (struct campaign_run){.record = run_of(block, setting, losses[setting][block], lr),
						.harness = &harness,
						.setting = &settings[setting],
						.response = {.y = NAN},
						.observed = settings[setting].name};
		if (change)
			change(&runs[i].record->tables[0], block, setting);
		assert_true(loss_series_wanted(&plan, runs[i].record));
		loss_series_of(runs[i].record, &runs[i].loss);
	}
	loss_pairs_add(&campaign, doc);
	for (int i = 0; i < 2 * N_BLOCKS; i++) {
		run_record_free(runs[i].record);
		loss_series_release(&runs[i].loss);
	}
	assert_int_equal(doc->n_loss_pairs, 1);
	return doc;
}

/* The last two steps average to 2, 2.01, 1.99, 2 and to 2.004, 2.013, 1.995, 2.006. */
static double close_pairs[2][N_BLOCKS][N_STEPS] = {
	{{9, 8, 3, 2.1, 1.9}, {9, 8, 3, 2.11, 1.91}, {9, 8, 3, 2.09, 1.89}, {9, 8, 3, 2.1, 1.9}},
	{{9, 8, 3, 2.104, 1.904}, {9, 8, 3, 2.113, 1.913}, {9, 8, 3, 2.095, 1.895}, {9, 8, 3, 2.106, 1.906}},
};

static void test_loss__inside(void **state)
{
	(void)state;
	harness.peak_lr = 1e-4;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = read_pairs(close_pairs, 1e-4);
	const struct doc_loss_pair *row = &doc->loss_pairs[0];
	assert_string_equal(row->verdict, "inside");
	assert_int_equal(row->blocks, 4);
	assert_int_equal(row->steps, 2);
	assert_int_equal(row->last_step, 500);
	assert_close(row->control_loss, 2, 1e-12);
	assert_close(row->treatment_loss, 2.0045, 1e-12);
	assert_close(row->difference_percent, 0.2251275031875799, 1e-9);
	assert_close(row->difference_ci95_percent.lo, 0.12169055446340481, 1e-9);
	assert_close(row->difference_ci95_percent.hi, 0.328564451911755, 1e-9);
	assert_int_equal(doc->n_voids, 0);
	assert_false(loss_pairs_open(doc, &settings[1]));
}

static void test_loss__outside_and_open(void **state)
{
	(void)state;
	planned.tolerance_percent = 0.1;
	CLEANUP(analysis_doc_free) struct analysis_doc *outside = read_pairs(close_pairs, 1e-4);
	assert_string_equal(outside->loss_pairs[0].verdict, "outside");
	assert_true(loss_pairs_open(outside, &settings[1]));
	planned.tolerance_percent = 0.25;
	CLEANUP(analysis_doc_free) struct analysis_doc *open = read_pairs(close_pairs, 1e-4);
	assert_string_equal(open->loss_pairs[0].verdict, "cannot_tell");
	assert_true(loss_pairs_open(open, &settings[1]));
	planned.tolerance_percent = 0.5;
}

/* 6e-7 of a peak of 1e-4 is 0.6 %. */
static void test_loss__untrained(void **state)
{
	(void)state;
	harness.peak_lr = 1e-4;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = read_pairs(close_pairs, 6e-7);
	assert_string_equal(doc->loss_pairs[0].verdict, "void");
	assert_string_equal(doc->loss_pairs[0].reason, "the learning rate reached 0.6 % of its peak");
	assert_true(isnan(doc->loss_pairs[0].difference_percent));
	assert_true(loss_pairs_open(doc, &settings[1]));
	assert_int_equal(doc->n_voids, 4);
	assert_string_equal(doc->voids[0].check, "untrained_loss");
	CLEANUP(analysis_doc_free) struct analysis_doc *edge = read_pairs(close_pairs, 1e-5);
	assert_string_equal(edge->loss_pairs[0].verdict, "void"); /* never above 10 % */
}

static void test_loss__warmup_steps(void **state)
{
	(void)state;
	harness.peak_lr = NAN;
	harness.production_warmup_steps = 8000; /* 500 steps lie in its first tenth */
	CLEANUP(analysis_doc_free) struct analysis_doc *inside = read_pairs(close_pairs, NAN);
	assert_string_equal(inside->loss_pairs[0].verdict, "void");
	harness.production_warmup_steps = 4000;
	CLEANUP(analysis_doc_free) struct analysis_doc *trained = read_pairs(close_pairs, NAN);
	assert_string_equal(trained->loss_pairs[0].verdict, "inside");
	harness.production_warmup_steps = RECORD_UNSET;
	CLEANUP(analysis_doc_free) struct analysis_doc *unknown = read_pairs(close_pairs, NAN);
	assert_string_equal(unknown->loss_pairs[0].verdict, "cannot_tell");
	harness.peak_lr = 1e-4;
}

static void test_loss__equal_to_the_print(void **state)
{
	double losses[2][N_BLOCKS][N_STEPS];

	(void)state;
	memcpy(losses[0], close_pairs[0], sizeof(losses[0]));
	memcpy(losses[1], close_pairs[0], sizeof(losses[1]));
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = read_pairs(losses, 1e-4);
	assert_string_equal(doc->loss_pairs[0].verdict, "void");
	assert_non_null(strstr(doc->loss_pairs[0].reason, "to the printed precision"));
}

static void test_loss__diverged(void **state)
{
	double losses[2][N_BLOCKS][N_STEPS];

	(void)state;
	memcpy(losses, close_pairs, sizeof(losses));
	losses[1][2][N_STEPS - 1] = NAN;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = read_pairs(losses, 1e-4);
	assert_string_equal(doc->loss_pairs[0].verdict, "outside");
	assert_string_equal(doc->loss_pairs[0].reason,
			    "block b3: the loss of bf16 is no number, that of its control 1.99");
}

static struct analysis_doc *read_changed(void (*how)(struct run_table *table, int block, int setting))
{
	change = how;
	struct analysis_doc *doc = read_pairs(close_pairs, 1e-4);
	change = NULL;
	return doc;
}

static double *cell(struct run_table *table, size_t row, size_t column)
{
	return &table->values[row * table->columns.n + column];
}

/* The treatment's steps 400 and 500 become 600 and 700, past the control's end, and lose their number. */
static void diverge_late(struct run_table *table, int block, int setting)
{
	for (size_t row = 3; row < N_STEPS && setting == 1 && block == 1; row++) {
		*cell(table, row, 0) += 200;
		*cell(table, row, 1) = NAN;
	}
}

static void test_loss__diverged_past_the_control(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = read_changed(diverge_late);
	assert_string_equal(doc->loss_pairs[0].verdict, "outside");
	assert_string_equal(doc->loss_pairs[0].reason,
			    "block b2: the loss of bf16 is no number, that of its control 2.01");
	assert_int_equal(doc->loss_pairs[0].blocks, 4);
}

/* Block 1 shares no step; block 2 diverges. */
static void diverge_and_shift(struct run_table *table, int block, int setting)
{
	diverge_late(table, block, setting);
	for (size_t row = 0; row < N_STEPS && setting == 1 && block == 0; row++)
		*cell(table, row, 0) += 5000;
}

static void test_loss__diverged_keeps_its_reason(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = read_changed(diverge_and_shift);
	assert_string_equal(doc->loss_pairs[0].verdict, "outside");
	assert_string_equal(doc->loss_pairs[0].reason,
			    "block b2: the loss of bf16 is no number, that of its control 2.01");
	assert_int_equal(doc->loss_pairs[0].blocks, 3); /* b2, b3, b4 */
}

static void level_rates(struct run_table *table, int block, int setting)
{
	(void)block, (void)setting;
	for (size_t row = 1; row < N_STEPS; row++)
		*cell(table, row, 2) = 1e-4;
}

/* Without a peak a ramp that never ends tells nothing, a level end does. */
static void test_loss__ramp_without_peak(void **state)
{
	(void)state;
	harness.peak_lr = NAN;
	CLEANUP(analysis_doc_free) struct analysis_doc *ramp = read_pairs(close_pairs, 1e-4);
	assert_string_equal(ramp->loss_pairs[0].verdict, "cannot_tell");
	assert_string_equal(ramp->loss_pairs[0].reason,
			    "nothing shows that the learning rate left the warm-up: give peak_lr or "
			    "production_warmup_steps");
	assert_true(loss_pairs_open(ramp, &settings[1]));
	CLEANUP(analysis_doc_free) struct analysis_doc *still = read_changed(level_rates);
	assert_string_equal(still->loss_pairs[0].verdict, "cannot_tell"); /* rose once inside the last ten rates */
	harness.peak_lr = 1e-4;
}

static void constant_rates(struct run_table *table, int block, int setting)
{
	(void)block, (void)setting;
	for (size_t row = 0; row < N_STEPS; row++)
		*cell(table, row, 2) = 1e-4;
}

static void zero_rates(struct run_table *table, int block, int setting)
{
	(void)block, (void)setting;
	for (size_t row = 0; row < N_STEPS; row++)
		*cell(table, row, 2) = 0;
}

static void test_loss__settled_without_peak(void **state)
{
	(void)state;
	harness.peak_lr = NAN;
	CLEANUP(analysis_doc_free) struct analysis_doc *level = read_changed(constant_rates);
	assert_string_equal(level->loss_pairs[0].verdict, "inside");
	CLEANUP(analysis_doc_free) struct analysis_doc *zero = read_changed(zero_rates);
	assert_string_equal(zero->loss_pairs[0].verdict, "cannot_tell");
	harness.peak_lr = 1e-4;
}

static void fifth_of_the_rate(struct run_table *table, int block, int setting)
{
	(void)block;
	for (size_t row = 0; row < N_STEPS && setting == 1; row++)
		*cell(table, row, 2) /= 5;
}

static void test_loss__other_rate(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = read_changed(fifth_of_the_rate);
	assert_string_equal(doc->loss_pairs[0].verdict, "cannot_tell");
	assert_string_equal(doc->loss_pairs[0].reason,
			    "block b1: learning rate 2e-05 against the control's 0.0001 at step 500: the runs are not "
			    "matched");
}

/* Without `steps` ten are wanted; the fixture logs five. */
static void test_loss__short_of_the_default(void **state)
{
	(void)state;
	planned.steps = RECORD_UNSET;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = read_pairs(close_pairs, 1e-4);
	planned.steps = 2;
	assert_string_equal(doc->loss_pairs[0].verdict, "cannot_tell");
	assert_string_equal(doc->loss_pairs[0].reason, "block b1: the arms share 5 logged steps, not 10");
}

static void drop_steps(struct run_table *table, int block, int setting)
{
	(void)block, (void)setting;
	for (size_t row = 0; row < N_STEPS; row++)
		*cell(table, row, 0) = NAN;
}

static void test_loss__no_step(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = read_changed(drop_steps);
	assert_string_equal(doc->loss_pairs[0].verdict, "cannot_tell");
	assert_non_null(strstr(doc->loss_pairs[0].reason, "no step is logged"));
}

static void skip_one(struct run_table *table, int block, int setting)
{
	if (setting == 1 && block == 0)
		*cell(table, 3, 1) = NAN;
}

/* Step 400 is left out in b1: 300 and 500 average to 2.45 and 2.452. */
static void test_loss__step_without_a_print(void **state)
{
	(void)state;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = read_changed(skip_one);
	assert_string_equal(doc->loss_pairs[0].verdict, "inside");
	assert_int_equal(doc->loss_pairs[0].blocks, 4);
	assert_close(doc->loss_pairs[0].control_loss, (2.45 + 2.01 + 1.99 + 2) / 4, 1e-12);
	assert_close(doc->loss_pairs[0].treatment_loss, (2.452 + 2.013 + 1.995 + 2.006) / 4, 1e-12);
}

/* A planned pair holds a setting declared neutral too; without a pair it is not open. */
static void test_loss__neutral_setting_is_held(void **state)
{
	(void)state;
	settings[1].quality_neutral = true;
	CLEANUP(analysis_doc_free) struct analysis_doc *untrained = read_pairs(close_pairs, 6e-7);
	CLEANUP(analysis_doc_free) struct analysis_doc *inside = read_pairs(close_pairs, 1e-4);
	CLEANUP(analysis_doc_free) struct analysis_doc *none = analysis_doc_new();
	assert_true(loss_pairs_open(untrained, &settings[1]));
	assert_false(loss_pairs_open(inside, &settings[1]));
	assert_false(loss_pairs_open(none, &settings[1]));
	double same[2][N_BLOCKS][N_STEPS];
	memcpy(same[0], close_pairs[0], sizeof(same[0]));
	memcpy(same[1], close_pairs[0], sizeof(same[1]));
	CLEANUP(analysis_doc_free) struct analysis_doc *equal = read_pairs(same, 1e-4);
	assert_string_equal(equal->loss_pairs[0].verdict, "inside");
	settings[1].quality_neutral = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loss__inside),
		cmocka_unit_test(test_loss__outside_and_open),
		cmocka_unit_test(test_loss__untrained),
		cmocka_unit_test(test_loss__warmup_steps),
		cmocka_unit_test(test_loss__equal_to_the_print),
		cmocka_unit_test(test_loss__diverged),
		cmocka_unit_test(test_loss__diverged_past_the_control),
		cmocka_unit_test(test_loss__diverged_keeps_its_reason),
		cmocka_unit_test(test_loss__ramp_without_peak),
		cmocka_unit_test(test_loss__settled_without_peak),
		cmocka_unit_test(test_loss__other_rate),
		cmocka_unit_test(test_loss__short_of_the_default),
		cmocka_unit_test(test_loss__no_step),
		cmocka_unit_test(test_loss__step_without_a_print),
		cmocka_unit_test(test_loss__neutral_setting_is_held),
	};
	harness.production_warmup_steps = RECORD_UNSET;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
