#include "analyze/validity.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct plan_expect *validity_expect(const struct plan *plan, const struct plan_setting *setting)
{
	if (setting && setting->expect.present)
		return &setting->expect;
	return plan->expect.present ? &plan->expect : NULL;
}

int64_t validity_ranks(const struct campaign_run *run)
{
	return run->record->factors.ranks >= 0 ? run->record->factors.ranks : run->harness->ranks;
}

static enum network_status worse(enum network_status a, enum network_status b)
{
	return a > b ? a : b;
}

static enum network_status judge_word(const char *expected, const char *observed)
{
	if (!expected)
		return NETWORK_AS_EXPECTED;
	if (!observed)
		return NETWORK_UNVERIFIED;
	if (strcmp(observed, "mixed") == 0)
		return strcasecmp(expected, "mixed") == 0 ? NETWORK_AS_EXPECTED : NETWORK_MIXED;
	return strcasecmp(expected, observed) == 0 ? NETWORK_AS_EXPECTED : NETWORK_DIFFERENT;
}

static enum network_status judge_net(const char *expected, const struct run_net *net)
{
	if (!net->kind || strcmp(net->kind, "unknown") == 0 || net->ranks_reporting <= 0)
		return NETWORK_UNVERIFIED;
	if (strcmp(net->kind, "mixed") == 0)
		return NETWORK_MIXED;
	if (!expected)
		return NETWORK_AS_EXPECTED;
	const char *kind = run_net_kind(expected);
	if (kind && strcmp(kind, net->kind) == 0) {
		/* Two networks that both normalise to "other" are told apart by their raw names. */
		if (strcmp(kind, "other") == 0 && net->raw && strcasecmp(net->raw, expected) != 0)
			return NETWORK_DIFFERENT;
		return NETWORK_AS_EXPECTED;
	}
	return NETWORK_DIFFERENT;
}

enum network_status validity_network(const struct plan *plan, const struct campaign_run *run)
{
	const struct plan_expect *expect = validity_expect(plan, run->setting);
	const struct run_factors *factors = &run->record->factors;
	enum network_status status = judge_net(expect ? expect->net : NULL, &factors->net);
	int64_t ranks = validity_ranks(run);

	if (expect) {
		status = worse(status, judge_word(expect->net_plugin, factors->net.plugin));
		status = worse(status, judge_word(expect->net_plugin_version, factors->net.plugin_version));
		status = worse(status, judge_word(expect->algo, factors->algo));
		status = worse(status, judge_word(expect->proto, factors->proto));
	}
	if (ranks > 0 && factors->net.ranks_reporting < ranks)
		status = worse(status, NETWORK_UNVERIFIED);
	return status;
}

const char *validity_network_name(enum network_status status)
{
	static const char *const names[] = {"as_expected", "unverified", "mixed", "different"};

	return names[status];
}

char *validity_observed_name(const struct plan *plan, const struct campaign_run *run)
{
	const struct plan_expect *expect = validity_expect(plan, run->setting);
	const struct run_factors *factors = &run->record->factors;
	const char *declared = run->record->setting;

	if (!campaign_contradicted(run) || run->record->status == RUN_LAUNCH_FAILED)
		return mem_dup_string(declared);
	if (factors->net.kind && strcmp(factors->net.kind, "mixed") == 0)
		return campaign_format("%s@net=mixed", declared);
	if (judge_word(expect->algo, factors->algo) > NETWORK_UNVERIFIED)
		return campaign_format("%s@algo=%s", declared, factors->algo);
	if (judge_word(expect->proto, factors->proto) > NETWORK_UNVERIFIED)
		return campaign_format("%s@proto=%s", declared, factors->proto);
	if (factors->net.plugin_version)
		return campaign_format("%s@net_plugin_version=%s", declared, factors->net.plugin_version);
	if (factors->net.plugin)
		return campaign_format("%s@net_plugin=%s", declared, factors->net.plugin);
	return campaign_format("%s@net=%s", declared, factors->net.kind);
}

char *validity_evidence(const struct campaign_run *run)
{
	CLEANUP(text_release) struct text text = {0};
	const struct run_net *net = &run->record->factors.net;
	int64_t ranks = validity_ranks(run);

	text_add(&text, net->kind && strcmp(net->kind, "mixed") == 0 ? "mixed networks"
			: net->raw                                   ? net->raw
			: net->kind                                  ? net->kind
								     : "no network");
	if (net->plugin)
		text_format(&text, " %s", net->plugin);
	if (net->plugin_version)
		text_format(&text, " %s", net->plugin_version);
	if (ranks > 0)
		text_format(&text, " on %" PRId64 " of %" PRId64 " ranks",
			    net->ranks_reporting > 0 ? net->ranks_reporting : 0, ranks);
	return text_take(&text);
}

char *validity_contradiction(const struct plan *plan, const char *side, const struct campaign_run *run)
{
	CLEANUP(text_release) struct text text = {0};
	CLEANUP(mem_free) char *evidence = validity_evidence(run);
	static const struct plan_expect nothing = {0};
	const struct plan_expect *expect = validity_expect(plan, run->setting);

	expect = expect ? expect : &nothing;
	const char *words[] = {expect->net, expect->net_plugin, expect->net_plugin_version, expect->algo,
			       expect->proto};

	text_format(&text, "%s arm reports %s", side, evidence);
	if (judge_word(expect->algo, run->record->factors.algo) > NETWORK_UNVERIFIED)
		text_format(&text, ", algorithm %s", run->record->factors.algo);
	if (judge_word(expect->proto, run->record->factors.proto) > NETWORK_UNVERIFIED)
		text_format(&text, ", protocol %s", run->record->factors.proto);
	if (expect != &nothing)
		text_add(&text, ", expected");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i])
			text_format(&text, " %s", words[i]);
	return text_take(&text);
}

const char *validity_unsteady(const struct arm *arm)
{
	for (size_t i = 0; i < arm->n; i++) {
		const struct campaign_run *run = arm->runs[i];
		if (run->record->status != RUN_OK)
			continue;
		if (run->response.unsteady && arm->n_y == 0)
			return run->response.y_reason;
		for (size_t j = 0; j < run->record->flags.n; j++)
			if (strstr(run->record->flags.items[j], "built without MPI"))
				return run->record->flags.items[j];
	}
	return NULL;
}
