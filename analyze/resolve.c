#include "assay/analyze.h"

#include "analyze/stats/interval.h"
#include "analyze/stats/power.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#define ALPHA 0.05
#define POWER 0.80

/* ISO 5725's factor between the repeatability SD and the difference of two single runs: 1.96 sqrt(2), rounded. */
#define FLOOR_PER_SD 2.8

/* The first usable floor of a kind; of any setting when NULL. */
static const struct doc_floor *find_floor(const struct doc_harness *harness, const char *kind, const char *setting)
{
	for (size_t i = 0; harness && i < harness->n_floors; i++) {
		const struct doc_floor *floor = &harness->floors[i];
		if (!floor->kind || strcmp(floor->kind, kind) != 0 || !isfinite(floor->percent))
			continue;
		if (setting && (!floor->setting || strcmp(floor->setting, setting) != 0))
			continue;
		if (floor->sd_log > 0 && floor->df > 0)
			return floor;
	}
	return NULL;
}

static void spread_find(const struct resolve_spec *spec, struct resolve *ret)
{
	if (!isnan(spec->floor_percent)) {
		ret->source = RESOLVE_GIVEN;
		ret->s_r = log1p(spec->floor_percent / 100) / FLOOR_PER_SD;
		ret->s_d = ret->s_r * sqrt(2 / (double)spec->runs_per_arm);
		return;
	}
	const struct doc_harness *harness = spec->doc ? analysis_doc_find_harness(spec->doc, spec->harness) : NULL;
	const struct doc_floor *paired = spec->setting ? find_floor(harness, "paired", spec->setting) : NULL;
	const struct doc_floor *within = find_floor(harness, "within_block", NULL);
	if (paired) {
		ret->source = RESOLVE_PAIRED;
		ret->s_d = paired->sd_log;
		ret->df = paired->df;
	} else if (within) {
		ret->source = RESOLVE_WITHIN;
		ret->s_r = within->sd_log;
		ret->s_d = within->sd_log * sqrt(2 / (double)spec->runs_per_arm);
		ret->df = within->df;
	}
}

static int check(const struct resolve_spec *spec, struct error *err)
{
	if (!isnan(spec->floor_percent) && !(spec->floor_percent > 0 && isfinite(spec->floor_percent)))
		return error_set(err, ERROR_DATA, "floor '%g' is not a percentage above 0", spec->floor_percent);
	if (!(spec->margin_percent > 0 && isfinite(spec->margin_percent)))
		return error_set(err, ERROR_DATA, "margin '%g' is not a percentage above 0", spec->margin_percent);
	if (spec->runs_per_arm < 1 || spec->blocks_planned < 1)
		return error_set(err, ERROR_DATA, "a design of '%s' has no run", spec->harness);
	return 0;
}

static int add_row(const struct power_test *test, int64_t blocks, struct resolve *ret, struct error *err)
{
	struct resolve_row *row = &ret->rows[ret->n_rows++];
	double gain;

	*row = (struct resolve_row){.blocks = blocks, .gain_percent = NAN};
	if (blocks < 2)
		return 0;
	int r = power_detectable_effect(test, (double)blocks, POWER, &gain, err);
	if (r == 0)
		row->gain_percent = interval_percent_of_log(gain);
	return r;
}

int analyze_resolve(const struct resolve_spec *spec, struct resolve *ret_resolve, struct error *err)
{
	static const int64_t usual[] = {2, 3, 4, 6, 8, 12};
	struct resolve ret = {.s_r = NAN, .s_d = NAN, .df = NAN, .blocks_for_margin = NAN};

	gsl_set_error_handler_off();
	int r = check(spec, err);
	if (r < 0)
		return r;
	spread_find(spec, &ret);
	const struct power_test test = {.design = POWER_PAIRED, .sd = ret.s_d, .alpha = ALPHA};
	bool planned = false;
	for (size_t i = 0; r == 0 && ret.source != RESOLVE_UNKNOWN && i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (!planned && spec->blocks_planned < usual[i])
			r = add_row(&test, spec->blocks_planned, &ret, err);
		planned = planned || spec->blocks_planned <= usual[i];
		if (r == 0)
			r = add_row(&test, usual[i], &ret, err);
	}
	if (r == 0 && ret.source != RESOLVE_UNKNOWN && !planned)
		r = add_row(&test, spec->blocks_planned, &ret, err);
	if (r < 0)
		return r;
	/* More than 1e9 blocks is a number nobody asks for, and no error of theirs. */
	if (ret.source != RESOLVE_UNKNOWN)
		(void)power_sample_size(&test, log1p(spec->margin_percent / 100), POWER, &ret.blocks_for_margin, NULL,
					NULL);
	*ret_resolve = ret;
	return 0;
}
