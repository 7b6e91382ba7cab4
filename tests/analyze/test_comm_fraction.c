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

/* Four blocks about each mean of the time ratio; the shapes differ, so that no difference is without spread. */
enum { N_BLOCKS = 4 };

struct fit_arm {
	struct doc_block_gain gains[N_BLOCKS];
	struct effect effect;
};

static void fill_arm(struct fit_arm *arm, int setting, double time, double spread)
{
	static char *const blocks[N_BLOCKS] = {(char *)"b1", (char *)"b2", (char *)"b3", (char *)"b4"};
	static const double shapes[N_SETTINGS][N_BLOCKS] = {[HALF] = {1, -1, 1, -1}, [QUARTER] = {1, 1, -1, -1}};
	double d = -log(time);

	for (size_t b = 0; b < N_BLOCKS; b++)
		arm->gains[b] = (struct doc_block_gain){blocks[b], d + shapes[setting][b] * spread};
	/* s = spread * sqrt(4 / 3), its standard error half of that */
	arm->effect = effect_of(setting, "win", d, 3.182446305284263 * spread / sqrt(3));
	arm->effect.row.log_gains = arm->gains;
	arm->effect.row.n_log_gains = N_BLOCKS;
}

static struct analysis_doc *solve_two(double half, double quarter, double spread)
{
	struct fit_arm arms[2];

	fill_arm(&arms[0], HALF, half, spread);
	fill_arm(&arms[1], QUARTER, quarter, spread);
	const struct effect effects[] = {arms[0].effect, arms[1].effect};
	struct analysis_doc *doc = solve(&slice, effects, 2);
	comm_fraction_tell(doc);
	return doc;
}

static size_t n_findings(const struct analysis_doc *doc, const char *code)
{
	size_t n = 0;

	for (size_t i = 0; i < doc->n_findings; i++)
		n += strcmp(doc->findings[i].code, code) == 0;
	return n;
}

static void test_fit__hinge_and_line(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *hinge = solve_two(0.85, 0.85, 0.001);
	CLEANUP(analysis_doc_free) struct analysis_doc *line = solve_two(0.85, 0.775, 0.001);

	(void)state;
	assert_true(hinge->fraction_fits[0].hinge_found);
	assert_false(hinge->fraction_fits[0].model_violated);
	assert_int_equal(n_findings(hinge, "payload_hinge"), 1);
	assert_true(hinge->fractions[0].resolved && hinge->fractions[1].resolved);
	assert_false(line->fraction_fits[0].hinge_found);
	assert_false(line->fraction_fits[0].model_violated);
	assert_int_equal(n_findings(line, "communication_fraction"), 2);
}

/* Half the bytes take 0.85 of the time, a quarter of them 0.95: the brackets [15, 30] and [5, 6.7] % exclude each
 * other. */
static void test_fit__time_rises(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = solve_two(0.85, 0.95, 0.001);
	const struct doc_fraction_fit *fit = &doc->fraction_fits[0];

	(void)state;
	assert_true(fit->model_violated);
	assert_false(fit->hinge_found);
	assert_non_null(strstr(fit->reason, "the ratios contradict one model: time rises as bytes fall"));
	assert_int_equal(n_findings(doc, "payload_hinge"), 0);
	assert_int_equal(n_findings(doc, "communication_fraction"), 0);
	assert_int_equal(n_findings(doc, "payload_model_violated"), 1);
	for (size_t i = 0; i < 2; i++) {
		assert_false(doc->fractions[i].resolved);
		assert_false(doc->fractions[i].model_violated);
		assert_non_null(strstr(doc->fractions[i].reason, "time rises as bytes fall"));
	}
}

/* Slopes 0.1 and then 0.6 of the step. */
static void test_fit__steepens(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = solve_two(0.95, 0.8, 0.001);
	CLEANUP(analysis_doc_free) struct analysis_doc *mild = solve_two(0.878, 0.8, 0.01);
	const struct doc_fraction_fit *fit = &doc->fraction_fits[0];

	(void)state;
	assert_true(fit->model_violated);
	assert_true(fit->hinge_difference < 0);
	assert_non_null(strstr(fit->reason, "time falls faster than the bytes"));
	assert_int_equal(n_findings(doc, "payload_model_violated"), 1);
	/* Slopes 0.244 and 0.312 with intervals that reach the line. */
	assert_false(mild->fraction_fits[0].model_violated);
	assert_true(mild->fractions[0].resolved);
}

/* f = -1.6 % with an interval about 0 is noise, and f = 101 % with one about 1 likewise. */
static void test_fit__outside_by_interval(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *noisy = solve_two(1.008, 0.99, 0.01);
	CLEANUP(analysis_doc_free) struct analysis_doc *outside = solve_two(1.1, 0.85, 0.001);
	const struct effect whole = effect_of(HALF, "win", -log(0.495), 0.02);
	const struct effect alone = effect_of(HALF, "win", -log(1.1), NAN);
	CLEANUP(analysis_doc_free) struct analysis_doc *above = solve(&slice, &whole, 1);
	CLEANUP(analysis_doc_free) struct analysis_doc *single = solve(&slice, &alone, 1);

	(void)state;
	assert_false(noisy->fractions[0].model_violated);
	assert_string_equal(noisy->fractions[0].reason, "not resolved: the interval of f holds 0");
	assert_true(isnan(noisy->fractions[0].exposed.lo));
	assert_int_equal(noisy->fraction_fits[0].left_out.n, 0);
	assert_int_equal(outside->n_fraction_fits, 0); /* one ratio is left */
	assert_true(outside->fractions[0].model_violated);
	assert_non_null(strstr(outside->fractions[0].reason, "model violated"));
	assert_false(above->fractions[0].model_violated);
	assert_false(above->fractions[0].resolved);
	assert_true(single->fractions[0].model_violated);
	assert_non_null(strstr(single->fractions[0].reason, "model violated"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fraction__anchor),       cmocka_unit_test(test_fraction__interval),
		cmocka_unit_test(test_fraction__not_resolved), cmocka_unit_test(test_fit__complete_blocks),
		cmocka_unit_test(test_fit__hinge_and_line),    cmocka_unit_test(test_fit__time_rises),
		cmocka_unit_test(test_fit__steepens),          cmocka_unit_test(test_fit__outside_by_interval),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
