#include "collect/import/crash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct example {
	const char *bytes;
	enum run_status status;
	bool external;
	size_t line;
} examples[] = {
	{"step 1\nall fine\n", RUN_OK, false, 0},
	{"Watchdog caught collective operation timeout: x\nn: rank 2 died from signal 6 and dumped core\n", RUN_CRASH,
	 false, 2},
	{"Watchdog caught collective operation timeout: x\n", RUN_TIMEOUT, false, 1},
	{"n: rank 0 died from signal 15\nn: rank 1 died from signal 6\n", RUN_CRASH, false, 2},
	{"slurmstepd: error: *** JOB 1 ON n CANCELLED AT 2026 DUE TO TIME LIMIT ***\n", RUN_TIMEOUT, false, 1},
	{"slurmstepd: error: *** JOB 1 ON n CANCELLED AT 2026 ***\n", RUN_CANCELLED, true, 1},
	{"srun: error: n: task 0: Segmentation fault\nslurmstepd: *** STEP 1.0 CANCELLED AT 2026 ***\n", RUN_CRASH,
	 false, 1},
	{"cudaMalloc failed: out of memory\nmpirun noticed that process exited on signal 6\n", RUN_OOM, false, 1},
	{"slurmstepd-n: error: Detected 1 oom_kill event in StepId=1.0.\n", RUN_OOM, false, 1},
	{"launch failed on n: Couldn't allocate a port for PMI to use\n", RUN_LAUNCH_FAILED, true, 1},
	{"1: [rank1]: Error : no algorithm/protocol available for function AllGather\n", RUN_CRASH, false, 1},
	{"n: Test NCCL failure common.cu:1 'unhandled system error'\n", RUN_CRASH, false, 1},
	{"run.sh: line 4: 123 Killed\n", RUN_OOM, false, 1},
};

static void test_crash__examples(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		struct clean_lines lines;
		struct crash_finding finding;
		unmess(examples[i].bytes, strlen(examples[i].bytes), &lines);
		crash_classify(&lines, &finding);
		assert_int_equal(finding.status, examples[i].status);
		assert_int_equal(finding.external, examples[i].external);
		assert_int_equal(finding.line, examples[i].line);
		clean_lines_release(&lines);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_crash__examples)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
