#include <string.h>

#include "analyze/stats/two_sample.h"
#include "analyze/stats/wilcoxon.h"
#include "tests/support/vector_runs.h"

static void put_t(cJSON *got, const struct two_sample_t *t)
{
	vector_put(got, "diff", t->diff);
	vector_put(got, "se", t->se);
	vector_put(got, "df", t->df);
	vector_put(got, "t", t->t);
	vector_put(got, "p", t->p);
	vector_put(got, "lo", t->lo);
	vector_put(got, "hi", t->hi);
}

static void put_tost(cJSON *got, const struct two_sample_tost *t)
{
	vector_put(got, "diff", t->diff);
	vector_put(got, "se", t->se);
	vector_put(got, "df", t->df);
	vector_put(got, "p_lower", t->p_lower);
	vector_put(got, "p_upper", t->p_upper);
	vector_put(got, "p", t->p);
	vector_put(got, "lo", t->lo);
	vector_put(got, "hi", t->hi);
	cJSON_AddBoolToObject(got, "equivalent", t->equivalent);
}

static int run_welch(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS a = vector_numbers(input, "a");
	NUMBERS b = vector_numbers(input, "b");
	struct two_sample_t t;
	int r = two_sample_welch(a.v, a.n, b.v, b.n, vector_field(input, "level"), &t, err);
	if (r < 0)
		return r;
	put_t(got, &t);
	return 0;
}

static int run_paired(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS a = vector_numbers(input, "a");
	NUMBERS b = vector_numbers(input, "b");
	struct two_sample_t t;
	int r = two_sample_paired(a.v, b.v, a.n, vector_field(input, "level"), &t, err);
	if (r < 0)
		return r;
	put_t(got, &t);
	return 0;
}

static int run_tost(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS a = vector_numbers(input, "a");
	NUMBERS b = vector_numbers(input, "b");
	const char *kind = cJSON_GetObjectItemCaseSensitive(input, "kind")->valuestring;
	struct two_sample_t t;
	int r = strcmp(kind, "tost_welch") == 0 ? two_sample_welch(a.v, a.n, b.v, b.n, 0.95, &t, err)
						: two_sample_paired(a.v, b.v, a.n, 0.95, &t, err);
	if (r < 0)
		return r;
	struct two_sample_tost tost;
	r = two_sample_tost(&t, vector_field(input, "margin"), vector_field(input, "alpha"), &tost, err);
	if (r < 0)
		return r;
	put_tost(got, &tost);
	return 0;
}

static int run_signed_rank(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	struct wilcoxon_test w;
	int r = wilcoxon_signed_rank(x.v, x.n, &w, err);
	if (r < 0)
		return r;
	vector_put(got, "n_used", (double)w.n_used);
	vector_put(got, "V", w.statistic);
	vector_put(got, "p_less", w.p_less);
	vector_put(got, "p_greater", w.p_greater);
	vector_put(got, "p_two_sided", w.p_two_sided);
	return 0;
}

static int run_rank_sum(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS a = vector_numbers(input, "a");
	NUMBERS b = vector_numbers(input, "b");
	struct wilcoxon_test w;
	int r = wilcoxon_rank_sum(a.v, a.n, b.v, b.n, &w, err);
	if (r < 0)
		return r;
	vector_put(got, "W", w.statistic);
	vector_put(got, "p_less", w.p_less);
	vector_put(got, "p_greater", w.p_greater);
	vector_put(got, "p_two_sided", w.p_two_sided);
	vector_put(got, "p_two_sided_abs", w.p_two_sided_abs);
	return 0;
}

static void put_shift(cJSON *got, const struct hodges_lehmann *h)
{
	vector_put(got, "estimate", h->estimate);
	vector_put(got, "k", (double)h->k);
	vector_put(got, "lo", h->lo);
	vector_put(got, "hi", h->hi);
	vector_put(got, "achieved", h->achieved_ratio);
	cJSON_AddBoolToObject(got, "level_reached", h->level_reached);
}

static int run_shift_one(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS x = vector_numbers(input, "x");
	struct hodges_lehmann h;
	int r = wilcoxon_shift_one(x.v, x.n, vector_field(input, "level"), &h, err);
	if (r < 0)
		return r;
	put_shift(got, &h);
	return 0;
}

static int run_shift_two(const cJSON *input, cJSON *got, struct error *err)
{
	NUMBERS a = vector_numbers(input, "a");
	NUMBERS b = vector_numbers(input, "b");
	struct hodges_lehmann h;
	int r = wilcoxon_shift_two(a.v, a.n, b.v, b.n, vector_field(input, "level"), &h, err);
	if (r < 0)
		return r;
	put_shift(got, &h);
	return 0;
}

const struct vector_run vector_runs_tests[] = {
	{"tests_two_sample", "welch", run_welch},
	{"tests_two_sample", "paired", run_paired},
	{"tests_two_sample", "tost_welch", run_tost},
	{"tests_two_sample", "tost_paired", run_tost},
	{"tests_two_sample", "signed_rank", run_signed_rank},
	{"tests_two_sample", "rank_sum", run_rank_sum},
	{"tests_two_sample", "hl_one", run_shift_one},
	{"tests_two_sample", "hl_two", run_shift_two},
	{NULL, NULL, NULL},
};
