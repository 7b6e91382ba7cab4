/*
 * One-way random effects: repeatability and reproducibility (ISO 5725) of values in groups, balanced or not, by moments
 * and by restricted maximum likelihood. A field that is undefined is NaN.
 */
#ifndef ANALYZE_STATS_VARIANCE_H
#define ANALYZE_STATS_VARIANCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct variance_reml {
	double s_r; /* unit of the values, as s_L, s_R, mu and se_mu */
	double sL2; /* unit squared, >= 0 */
	double s_L;
	double s_R;
	double icc_ratio;
	double mu;
	double se_mu;
	double log_likelihood; /* lme4's convention */
};

struct variance {
	size_t k; /* groups */
	size_t N; /* values */
	bool balanced;
	double mean; /* of all values */
	double ss_between;
	double ss_within;
	double ms_between;
	double ms_within;
	double n0;   /* (N - sum n_i^2 / N) / (k - 1) */
	double nu_r; /* N - k */
	double s_r;
	double sL2_raw; /* (ms_between - ms_within) / n0, may be negative */
	double sL2;     /* max(0, raw) */
	double s_L;
	double s_R;
	double limit_r; /* 2.8 s_r */
	double limit_R; /* 2.8 s_R */
	double icc_ratio;
	double icc_raw_ratio;
	double df_R_satterthwaite; /* of s_R^2, from the mean squares with n0, raw components */
	double F;                  /* NaN when ms_within is 0, as p_F */
	double p_F;
	double icc_lo_ratio; /* exact 95 % interval, balanced groups only, else NaN */
	double icc_hi_ratio;
	struct variance_reml reml; /* all NaN when ms_within is 0 */
};

/**
 * Variance components of a one-way layout.
 *
 * @param values  values[sum of sizes], group after group, one unit
 * @param sizes   sizes[k], each >= 1
 * @param k       groups, >= 2; one of them must hold two values
 * @param ret     moments and REML
 * @return 0; ERROR_DATA for k < 2, an empty group, no group of two values or a non-finite value
 * Source: Searle, Casella and McCulloch ch. 3 and 6, ISO 5725-2; vectors/variance_components.json
 */
int variance_oneway(const double *values, const size_t *sizes, size_t k, struct variance *ret, struct error *err);

/**
 * Pooled within-group SD: what is left of variance_oneway when there is one group only.
 *
 * @param values  values[sum of sizes], group after group, one unit
 * @param sizes   sizes[k], each >= 1
 * @param ret_sd  s_r, unit of the values
 * @param ret_df  N - k
 * @return 0; ERROR_DATA for k == 0, an empty group, no group of two values or a non-finite value
 * Source: ISO 5725-2; vectors/variance_components.json
 */
int variance_within(const double *values, const size_t *sizes, size_t k, double *ret_sd, double *ret_df,
		    struct error *err);

#endif
