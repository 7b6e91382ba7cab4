/*
 * Analysis: reads a campaign's plan and log, gives the analysis document. The only room that computes statistics; it
 * reads no raw log and formats no page.
 */
#ifndef ASSAY_ANALYZE_H
#define ASSAY_ANALYZE_H

#include "assay/record.h"

/**
 * Analyse a campaign directory. Same log, same bytes.
 *
 * @return 0; ERROR_DATA; ERROR_ENVIRONMENT
 */
int analyze_campaign(const char *directory, const struct plan *plan, struct analysis_doc **ret_doc, struct error *err);

/* ---- what a design can resolve, before it is run ---- */

/* Where the spread that a design is judged by comes from. */
enum resolve_source {
	RESOLVE_UNKNOWN, /* none is known: no row */
	RESOLVE_GIVEN,   /* a floor that the caller gave */
	RESOLVE_PAIRED,  /* the paired floor of the setting */
	RESOLVE_WITHIN,  /* the repeatability of the harness within a block */
};

struct resolve_spec {
	const struct analysis_doc *doc;       /* NULL: nothing is recorded */
	const char *harness, *setting;        /* setting NULL: no paired floor is looked for */
	double floor_percent;                 /* > 0, readable between two single runs; NAN: take what doc holds */
	int64_t runs_per_arm, blocks_planned; /* >= 1 */
	double margin_percent;                /* > 0 */
};

struct resolve_row {
	int64_t blocks;
	double gain_percent; /* smallest gain found; NAN for one block */
};

#define RESOLVE_ROWS_MAX 8

struct resolve {
	enum resolve_source source;
	double s_r; /* repeatability SD, logs; NAN when RESOLVE_PAIRED */
	double s_d; /* SD over blocks of the paired difference, logs */
	double df;  /* of the SD; NAN when RESOLVE_GIVEN */
	struct resolve_row rows[RESOLVE_ROWS_MAX];
	size_t n_rows;            /* 2, 3, 4, 6, 8, 12 blocks and the planned ones, ascending */
	double blocks_for_margin; /* NAN when no number of blocks below 1e9 does it */
};

/**
 * The smallest gain that a number of blocks finds with power 0.80, and the blocks that find the margin: two-sided
 * paired t test of size 0.05, both tails of the noncentral t. No allowance for Holm's correction: a family of several
 * settings needs more where few of them work. A given floor is 2.8 s_r, and s_d = s_r sqrt(2 / runs_per_arm). A paired
 * floor stands for the design that it was recorded with and serves its own setting alone; it goes before the
 * repeatability within a block, since it holds the variation of the setting from block to block too.
 *
 * @return 0, RESOLVE_UNKNOWN included; ERROR_DATA for a number outside its range
 * Source: ISO 5725-6 (2.8 s_r); R power.t.test
 */
int analyze_resolve(const struct resolve_spec *spec, struct resolve *ret_resolve, struct error *err);

#endif
