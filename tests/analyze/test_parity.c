/* Parity: covariance, places, pairs and the sentence; the conformance campaigns hold the ratios and classes. */
#include "analyze/parity.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* An effect whose block gains are these; b1, b2, ... */
static void add_effect(struct analysis_doc *doc, const char *harness, const char *setting, const double *gains,
		       size_t n)
{
	struct doc_effect *effect = analysis_doc_add_effect(doc);

	effect->harness = mem_dup_string(harness);
	effect->setting = mem_dup_string(setting);
	effect->control = mem_dup_string("base");
	effect->verdict = mem_dup_string("win");
	effect->log_gain = 0;
	for (size_t i = 0; i < n; i++) {
		char block[32];
		snprintf(block, sizeof(block), "b%zu", i + 1);
		doc_effect_add_gain(effect, block, gains[i]);
		effect->log_gain += gains[i] / (double)n;
	}
}

static void test_parity__covariance(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();
	static const double x[] = {0.1, 0.2, 0.3}, y[] = {0.1, 0.3, 0.2};

	(void)state;
	add_effect(doc, "bench", "a", x, 3);
	add_effect(doc, "slice", "a", y, 3);
	/* s_xy = 0.005 by hand, over three shared blocks: 0.005 * 3 / 9 */
	double found = parity_covariance(&doc->effects[0], &doc->effects[1]);
	assert_true(fabs(found - 0.005 / 3) < 1e-15);
	doc->effects[1].log_gains[0].block[0] = 'c';
	doc->effects[1].log_gains[1].block[0] = 'c';
	assert_true(parity_covariance(&doc->effects[0], &doc->effects[1]) == 0);
}

static void add_row(struct doc_parity *parity, const char *name, double x, double y)
{
	struct doc_parity_setting *row = doc_parity_add_setting(parity);

	row->setting = mem_dup_string(name);
	row->x_log_gain = x;
	row->y_log_gain = y;
}

static void test_parity__order(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();
	/* On the benchmark c is far ahead, a and b cross from block to block; in production a is far behind. */
	static const double xa[] = {0.10, 0.12, 0.11}, xb[] = {0.11, 0.10, 0.111}, xc[] = {0.30, 0.31, 0.305};
	static const double ya[] = {0.01, 0.012, 0.011}, yb[] = {0.10, 0.11, 0.105}, yc[] = {0.051, 0.052, 0.05};

	(void)state;
	add_effect(doc, "bench", "a", xa, 3);
	add_effect(doc, "bench", "b", xb, 3);
	add_effect(doc, "bench", "c", xc, 3);
	add_effect(doc, "slice", "a", ya, 3);
	add_effect(doc, "slice", "b", yb, 3);
	add_effect(doc, "slice", "c", yc, 3);
	struct doc_parity *parity = analysis_doc_add_parity(doc);
	parity->bench = mem_dup_string("bench");
	parity->slice = mem_dup_string("slice");
	for (size_t i = 0; i < 3; i++)
		add_row(parity, doc->effects[i].setting, doc->effects[i].log_gain, doc->effects[i + 3].log_gain);
	parity_rank(doc, parity);
	const struct doc_parity_setting *a = &parity->settings[0], *b = &parity->settings[1], *c = &parity->settings[2];
	assert_int_equal(parity->ranking.settings, 3);
	assert_int_equal(parity->ranking.agree, 1);      /* c before a */
	assert_int_equal(parity->ranking.reversed, 1);   /* c before b, then b before c */
	assert_int_equal(parity->ranking.unresolved, 1); /* a and b on the benchmark */
	assert_int_equal(c->x_place, 1);
	assert_int_equal(c->x_tied_to, 1);
	assert_int_equal(a->x_place, 2);
	assert_int_equal(a->x_tied_to, 3);
	assert_int_equal(b->x_tied_from, 2);
	assert_int_equal(b->y_place, 1);
	assert_int_equal(a->y_place, 3);
	assert_int_equal(a->y_tied_from, 3);
	/* Orders b c a against c a b, as 3 pairs: one agrees, two do not. */
	assert_true(fabs(parity->ranking.tau_b - (1.0 - 2.0) / 3) < 1e-12);
	assert_true(isnan(parity->ranking.p_exact));
	assert_non_null(parity->ranking.p_exact_reason);
}

static void say(struct doc_parity *parity, const char *x, const char *y, const char *lost)
{
	struct doc_parity_setting *row = doc_parity_add_setting(parity);

	row->setting = mem_dup_string("s");
	row->x_verdict = mem_dup_string(x);
	row->y_verdict = mem_dup_string(y);
	row->y_lost = mem_dup_string(lost);
}

static void test_parity__sentence(void **state)
{
	CLEANUP(analysis_doc_free) struct analysis_doc *doc = analysis_doc_new();
	struct doc_parity *parity = analysis_doc_add_parity(doc);

	(void)state;
	say(parity, "win", "win", NULL);
	say(parity, "win", "null", NULL);
	say(parity, "win", "null", NULL);
	say(parity, "win", "harm", NULL);
	say(parity, "win", "no_number", "out of memory");
	say(parity, "null", "win", NULL);
	parity_sentence(parity);
	assert_string_equal(parity->sentence.text,
			    "Of 5 benchmark wins, 1 was a win, 2 were null, 1 was harmful, 1 did not "
			    "finish in production.");
	assert_int_equal(parity->sentence.other, 0);
	parity = analysis_doc_add_parity(doc);
	say(parity, "null", "win", NULL);
	parity_sentence(parity);
	assert_string_equal(parity->sentence.text, "The benchmark shows no win.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_parity__covariance),
					   cmocka_unit_test(test_parity__order),
					   cmocka_unit_test(test_parity__sentence)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
