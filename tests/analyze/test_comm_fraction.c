/* The communication fraction from judged effects. Expected values: the anchor of vectors/comm_fraction.json (mpmath);
 * the rest from the closed form f = (1 - exp(-d)) / (1 - r) and Student's t with 3 df, 3.182446305284263. */
#include "analyze/comm_fraction.h"

#include "tests/reference/close.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CONTROL, HALF, QUARTER, SAME, MORE, N_SETTINGS };

static struct plan_setting settings[N_SETTINGS] = {
	[CONTROL] = {.name = (char *)"fp32", .payload_ratio = NAN},
	[HALF] = {.name = (char *)"bf16", .payload_ratio = 0.5},
	[QUARTER] = {.name = (char *)"fp8", .payload_ratio = 0.25},
	[SAME] = {.name = (char *)"same", .payload_ratio = 1},
	[MORE] = {.name = (char *)"fp64", .payload_ratio = 2},
};
static struct plan plan = {.control = (char *)"fp32", .settings = settings, .n_settings = N_SETTINGS};
static const struct campaign campaign = {.plan = &plan};
static const struct plan_harness slice = {.name = (char *)"train", .kind = PLAN_SLICE};
static const struct plan_harness bench = {.name = (char *)"ring", .kind = PLAN_BENCH};

static struct effect effect_of(int setting, const char *verdict, double log_gain, double half_width)
{
	struct effect effect = {.harness = &slice, .setting = &settings[setting], .role = EFFECT_FAMILY};

	effect.lo95 = log_gain - half_width;
	effect.hi95 = log_gain + half_width;
	effect.row.harness = (char *)"train";
	effect.row.setting = settings[setting].name;
	effect.row.control = (char *)"fp32";
	effect.row.verdict = (char *)verdict;
	effect.row.log_gain = log_gain;
	effect.row.df = 3;
	return effect;
}

static struct analysis_doc *solve(const struct plan_harness *harness, const struct effect *effects, size_t n)
{
	struct analysis_doc *doc = analysis_doc_new();

	comm_fraction_add(&campaign, harness, effects, n, doc);
	return doc;
}

static void test_fraction__anchor(void **state)
{
	const struct effect effect = effect_of(HALF, "win", log(1.145), NAN);
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = solve(&slice, &effect, 1);

	(void)state;
	assert_int_equal(doc->n_fractions, 1);
	const struct doc_fraction *row = &doc->fractions[0];
	assert_close(row->f, 0.25327510917030566, 1e-13);
	assert_close(row->recovered, 0.12663755458515283, 1e-13);
	assert_close(row->exposed.lo, 0.12663755458515283, 1e-13);
	assert_close(row->exposed.hi, 0.25327510917030566, 1e-13);
	assert_close(row->total_at_least, 0.25327510917030566, 1e-13);
	assert_close(row->ceiling_percent, 33.918128654970763, 1e-13); /* 29 / 85.5 */
	assert_true(isnan(row->f_ci95.lo));
	assert_false(row->resolved);
	assert_false(row->model_violated);
	assert_true(row->assumptions.n > 0);
}

/* d = 0.13540459601116253 with s = 0.012568972792102024 over four blocks. */
static void test_fraction__interval(void **state)
{
	const struct effect effect =
		effect_of(HALF, "win", 0.13540459601116253, 3.182446305284263 * 0.012568972792102024 / 2);
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = solve(&slice, &effect, 1);

	(void)state;
	const struct doc_fraction *row = &doc->fractions[0];
	assert_close(row->f_ci95.lo, 0.2179887804714984, 1e-11);
	assert_close(row->f_ci95.hi, 0.2878625785493386, 1e-11);
	assert_close(row->recovered_ci95.hi, 0.1439312892746693, 1e-11);
	/* f -+ t exp(-d) s / sqrt(4) / (1 - r) */
	assert_close(row->f_ci95_delta.hi - row->f, 3.182446305284263 * 0.87336248121837664 * 0.012568972792102024,
		     1e-11);
	assert_true(row->resolved);
	assert_null(row->reason);

	const struct effect strong = effect_of(QUARTER, "win", 0.2, 0.05);
	CLEANUP(analysis_doc_free) struct analysis_doc *quarter = solve(&slice, &strong, 1);
	assert_close(quarter->fractions[0].f_ci95.lo, (1 - exp(-0.15)) / 0.75, 1e-12);
	assert_close(quarter->fractions[0].recovered_ci95.lo, 1 - exp(-0.15), 1e-12);
}

static void test_fraction__not_resolved(void **state)
{
	const struct effect effects[] = {
		effect_of(HALF, "null", 0.001, 0.01),   effect_of(HALF, "void", 0.1, 0.01),
		effect_of(HALF, "no_number", NAN, NAN), effect_of(HALF, "harm", -0.05, 0.01),
		effect_of(MORE, "harm", -0.1, 0.01),    effect_of(SAME, "win", 0.1, 0.01),
		effect_of(CONTROL, "win", 0.1, 0.01),
	};
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = solve(&slice, effects, 7);
	CLEANUP(analysis_doc_free) struct analysis_doc *none = solve(&bench, effects, 7);

	(void)state;
	assert_int_equal(none->n_fractions, 0);
	assert_int_equal(doc->n_fractions, 5); /* neither a ratio of 1 nor one that is not declared */
	assert_close(doc->fractions[0].f, 2 * (1 - exp(-0.001)), 1e-12);
	assert_false(doc->fractions[0].resolved);
	assert_string_equal(doc->fractions[0].reason, "not resolved: the interval of f holds 0");
	for (size_t i = 1; i < 5; i++)
		assert_false(doc->fractions[i].resolved);
	assert_true(isnan(doc->fractions[1].f));
	assert_string_equal(doc->fractions[1].f_reason, "the effect is void: no pair");
	assert_true(isnan(doc->fractions[2].f));
	assert_true(doc->fractions[3].model_violated);
	assert_close(doc->fractions[3].f, 2 * (1 - exp(0.05)), 1e-12);
	assert_true(isnan(doc->fractions[3].ceiling_percent));
	assert_true(isnan(doc->fractions[4].f));
}

/* T = 1 - 0.25 (1 - r) in three blocks of five: only the complete ones make the line. */
static void test_fit__complete_blocks(void **state)
{
	struct doc_block_gain half[] = {{(char *)"b1", -log(0.875)},
					{(char *)"b2", -log(0.875)},
					{(char *)"b3", 0.9},
					{(char *)"b4", -log(0.875)}};
	struct doc_block_gain quarter[] = {{(char *)"b4", -log(0.8125)},
					   {(char *)"b2", -log(0.8125)},
					   {(char *)"b5", 0.9},
					   {(char *)"b1", -log(0.8125)}};
	struct effect effects[] = {effect_of(HALF, "win", -log(0.875), NAN),
				   effect_of(QUARTER, "win", -log(0.8125), NAN)};

	(void)state;
	effects[0].row.log_gains = half;
	effects[1].row.log_gains = quarter;
	effects[0].row.n_log_gains = effects[1].row.n_log_gains = 4;
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = solve(&slice, effects, 2);
	assert_int_equal(doc->n_fraction_fits, 1);
	const struct doc_fraction_fit *fit = &doc->fraction_fits[0];
	assert_int_equal(fit->blocks, 3);
	assert_int_equal(fit->n_ratios, 3);
	assert_close(fit->ratios[2].log_gain, 0.25, 1e-15);
	assert_close(fit->f, 0.25, 1e-13);
	assert_true(fit->equal_weights);
	assert_true(isnan(fit->f_ci95.lo));
	assert_false(fit->hinge_found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fraction__anchor),
		cmocka_unit_test(test_fraction__interval),
		cmocka_unit_test(test_fraction__not_resolved),
		cmocka_unit_test(test_fit__complete_blocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
