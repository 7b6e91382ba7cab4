/* Text of /proc and /sys as kernels print it, and what it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "collect/host/host.h"
#include "collect/host/host_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_cpu(void **state)
{
	(void)state;
	CLEANUP(mem_free)
	char *cpu = host_text_cpu("processor\t: 0\nmodel\t\t: 143\nmodel name\t: A CPU @ 2.0GHz \n\nprocessor\t: 1\n");
	assert_string_equal(cpu, "A CPU @ 2.0GHz");
	CLEANUP(mem_free) char *power = host_text_cpu("processor\t: 0\ncpu\t\t: POWER9, altivec supported\n");
	assert_string_equal(power, "POWER9, altivec supported");
	assert_null(host_text_cpu("processor\t: 0\nBogoMIPS\t: 50\n"));
	assert_null(host_text_cpu(""));
}

static void test_memory(void **state)
{
	static const char meminfo[] = "MemTotal:       24683652 kB\nMemFree:        24003168 kB\n"
				      "MemAvailable:   24223132 kB\nHugePages_Total:       0\n";

	(void)state;
	/* Times 1024. */
	assert_true(host_text_memory(meminfo, "MemTotal") == INT64_C(25276059648));
	assert_true(host_text_memory(meminfo, "MemAvailable") == INT64_C(24804487168));
	assert_int_equal(host_text_memory(meminfo, "Mem"), -1);
	assert_int_equal(host_text_memory(meminfo, "HugePages_Total"), -1);
	assert_int_equal(host_text_memory("MemTotal: 9223372036854775807 kB\n", "MemTotal"), -1);
	assert_int_equal(host_text_memory("", "MemTotal"), -1);
}

static void test_load(void **state)
{
	(void)state;
	assert_true(host_text_load("0.38 1.10 0.75 2/102 17181\n") == 0.38);
	assert_true(isnan(host_text_load("")));
	assert_true(isnan(host_text_load("much\n")));
}

static void test_speed_and_counters(void **state)
{
	(void)state;
	assert_true(host_text_speed("10000\n") == 1.25e9);
	assert_true(isnan(host_text_speed("-1\n")));
	assert_true(isnan(host_text_speed("")));
	assert_true(host_text_integer("9007199254740993\n") == INT64_C(9007199254740993));
	assert_int_equal(host_text_integer("1500\n"), 1500);
	assert_int_equal(host_text_integer("x"), -1);
}

static void check_mpi(const char *printed, const char *wanted)
{
	CLEANUP(mem_free) char *mpi = host_text_mpi(printed);

	assert_string_equal(mpi, wanted);
}

static void test_mpi(void **state)
{
	(void)state;
	check_mpi("mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n",
		  "Open MPI 4.1.4");
	check_mpi("Intel(R) MPI Library for Linux* OS, Version 2021.5 Build 20211102\n",
		  "Intel(R) MPI Library for Linux* OS, Version 2021.5 Build 20211102");
	assert_null(host_text_mpi(""));
	assert_null(host_text_mpi("\n"));
}

/* Whatever this machine is, it has a name, a kernel, a core and memory. */
static void test_gather(void **state)
{
	CLEANUP(host_record_free) struct host_record *host = NULL, *again = NULL;
	struct error err;

	(void)state;
	assert_int_equal(host_gather("before", "b1/3.1", &host, &err), 0);
	assert_true(strlen(host->host) > 0);
	assert_string_equal(host->run, "b1/3.1");
	assert_string_equal(host->when, "before");
	assert_int_equal(strncmp(host->kernel, "Linux ", 6), 0);
	assert_true(host->cores >= 1);
	assert_true(host->memory_bytes > 0);
	assert_true(host->memory_available_bytes <= host->memory_bytes);
	assert_int_equal(host_gather("after", NULL, &again, &err), 0);
	assert_null(again->run);
	assert_int_equal(again->mpi == NULL, host->mpi == NULL);
	if (host->mpi)
		assert_string_equal(host->mpi, again->mpi);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpu),  cmocka_unit_test(test_memory),
		cmocka_unit_test(test_load), cmocka_unit_test(test_speed_and_counters),
		cmocka_unit_test(test_mpi),  cmocka_unit_test(test_gather),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
