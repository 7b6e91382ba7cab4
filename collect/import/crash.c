#include "collect/import/crash.h"

#include <string.h>

/* In order of precedence: the cause before what it led to. */
static const struct rule {
	const char *words, *also, *never; /* also: must stand in the line too; never: must not */
	enum run_status status;
	bool external;
} rules[] = {
	{"launch failed on ", NULL, NULL, RUN_LAUNCH_FAILED, true},
	{"start failed on ", NULL, NULL, RUN_LAUNCH_FAILED, true},
	{"Couldn't allocate a port for PMI", NULL, NULL, RUN_LAUNCH_FAILED, true},
	{"CUDA out of memory", NULL, NULL, RUN_OOM, false},
	{"CUDA error: out of memory", NULL, NULL, RUN_OOM, false},
	{"OutOfMemoryError", NULL, NULL, RUN_OOM, false},
	{"cudaMalloc", "out of memory", NULL, RUN_OOM, false},
	{"uda failure", "out of memory", NULL, RUN_OOM, false},
	{"oom_kill", NULL, NULL, RUN_OOM, false},
	{"oom-kill", NULL, NULL, RUN_OOM, false},
	{"srun: error:", "Out Of Memory", NULL, RUN_OOM, false},
	{"DUE TO TIME LIMIT", NULL, NULL, RUN_TIMEOUT, false},
	{"killed: walltime", NULL, NULL, RUN_TIMEOUT, false},
	{"walltime", "exceeded limit", NULL, RUN_TIMEOUT, false},
	{"no algorithm/protocol available", NULL, NULL, RUN_CRASH, false},
	{"no algorithm/protocol", NULL, NULL, RUN_CRASH, false},
	{"died from signal ", NULL, "signal 15", RUN_CRASH, false},
	{"exited on signal ", NULL, "signal 15", RUN_CRASH, false},
	{"Segmentation fault", NULL, NULL, RUN_CRASH, false},
	{"SIGSEGV", NULL, NULL, RUN_CRASH, false},
	{"Test NCCL failure", NULL, NULL, RUN_CRASH, false},
	{"Test CUDA failure", NULL, NULL, RUN_CRASH, false},
	{"DUE TO NODE FAILURE", NULL, NULL, RUN_CRASH, true},
	{"DUE TO NODE FAIL", NULL, NULL, RUN_CRASH, true},
	{"Watchdog caught collective operation timeout", NULL, NULL, RUN_TIMEOUT, false},
	{"atchdog", "timeout", NULL, RUN_TIMEOUT, false},
	{"unhandled system error", NULL, NULL, RUN_CRASH, false},
	{"unhandled cuda error", NULL, NULL, RUN_CRASH, false},
	{"Bus error", NULL, NULL, RUN_CRASH, false},
	{"CUDA error: ", NULL, NULL, RUN_CRASH, false},
	{"ChildFailedError", NULL, NULL, RUN_CRASH, false},
	{"dumped core", NULL, NULL, RUN_CRASH, false},
	{"CANCELLED AT", NULL, "DUE TO", RUN_CANCELLED, true},
	{"died from signal 15", NULL, NULL, RUN_CRASH, false},
};

static bool holds(const struct rule *rule, const char *raw)
{
	return strstr(raw, rule->words) && (!rule->also || strstr(raw, rule->also)) &&
	       (!rule->never || !strstr(raw, rule->never));
}

static bool ends_killed(const char *raw)
{
	size_t n = strlen(raw);

	while (n > 0 && raw[n - 1] == ' ')
		n--;
	return (n == 6 && strncmp(raw, "Killed", 6) == 0) || (n > 7 && strncmp(raw + n - 7, " Killed", 7) == 0);
}

void crash_classify(const struct clean_lines *lines, struct crash_finding *ret_finding)
{
	size_t best = sizeof(rules) / sizeof(*rules);
	const struct clean_line *killed = NULL;

	*ret_finding = (struct crash_finding){.status = RUN_OK};
	for (size_t i = 0; i < lines->n; i++) {
		const struct clean_line *line = &lines->items[i];
		if (!killed && !line->nccl && ends_killed(line->raw))
			killed = line;
		for (size_t k = 0; k < best; k++) {
			if (!holds(&rules[k], line->raw))
				continue;
			best = k;
			*ret_finding =
				(struct crash_finding){rules[k].status, rules[k].external, line->raw, line->line};
			break;
		}
	}
	if (killed && (ret_finding->status == RUN_OK || ret_finding->status == RUN_CANCELLED))
		*ret_finding = (struct crash_finding){RUN_OOM, false, killed->raw, killed->line};
}
