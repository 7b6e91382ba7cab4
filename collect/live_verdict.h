/*
 * Whether a launch gave a result: from how its program ended and what was read of its output, the run's status and the
 * reason of a lost one.
 */
#ifndef COLLECT_LIVE_VERDICT_H
#define COLLECT_LIVE_VERDICT_H

#include "assay/record.h"
#include "base/process.h"
#include "base/text.h"

enum live_ending {
	LIVE_BY_ITSELF,  /* or as the process result says */
	LIVE_AS_PLANNED, /* a slice stopped by us, its planned steps logged */
};

struct live_end {
	const struct process_result *process;
	enum live_ending ending;
	int64_t last_planned_step; /* of a slice that ended as planned */
	const char *program;
	double deadline_s;
	size_t max_bytes;
	const struct text *out, *err; /* the streams, as they came */
	const char *problem;          /* why the output could not be read, or NULL */
};

/** Settles status, reason, external and flags of a run whose output was read into it. */
void live_verdict(const struct live_end *end, struct run_record *run);

#endif
