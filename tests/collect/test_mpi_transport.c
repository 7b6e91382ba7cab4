/* Verbose lines as Open MPI 4.1.4 printed them; hosts and numbers replaced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/import/mpi_transport.h"

#include <stdlib.h>
#include <string.h>

struct expected {
	const char *text, *kind, *raw, *interface;
	int64_t reporting;
};

static void check(const struct expected *wanted)
{
	CLEANUP(run_record_free) struct run_record *run = run_record_new();
	struct clean_lines lines;

	unmess(wanted->text, strlen(wanted->text), &lines);
	mpi_transport_fill(&lines, &run->factors);
	clean_lines_release(&lines);
	if (!wanted->kind) {
		assert_null(run->factors.net.kind);
		assert_null(run->factors.net.raw);
		return;
	}
	assert_string_equal(run->factors.net.kind, wanted->kind);
	assert_string_equal(run->factors.net.raw, wanted->raw);
	assert_int_equal(run->factors.net.ranks_reporting, wanted->reporting);
	const char *interface = string_map_get(&run->factors.more, "tcp_interface");
	if (wanted->interface)
		assert_string_equal(interface, wanted->interface);
	else
		assert_null(interface);
}

static void test_fill(void **state)
{
	static const struct expected cases[] = {
		{"[vm:32458] btl: tcp: Using interface: lo \n"
		 "[vm:32458] select: init of component tcp returned success\n"
		 "[vm:32456] btl: tcp: Using interface: lo \n"
		 "[vm:32456] mca: bml: Using self btl for send to [[4689,1],0] on node vm\n"
		 "[vm:32456] mca: bml: Using tcp btl for send to [[4689,1],1] on node vm\n"
		 "[vm:32458] mca: bml: Using tcp btl for send to [[4689,1],0] on node vm\n",
		 "tcp", "tcp", "lo", 2},
		/* TCP was made ready and carried nothing. */
		{"[vm:32653] btl: tcp: Using interface: eth0 \n"
		 "[1,0]<stderr>:[vm:32652] mca: bml: Using vader btl for send to [[5014,1],1] on node vm\n",
		 "shm", "vader", NULL, 1},
		/* One rank alone. */
		{"[vm:32456] mca: bml: Using self btl for send to [[4689,1],0] on node vm\n", NULL, NULL, NULL, 0},
		/* Memory inside the nodes, TCP between them: the network is TCP. */
		{"[a:1] mca: bml: Using vader btl for send to [[1,1],1] on node a\n"
		 "[a:1] mca: bml: Using tcp btl for send to [[1,1],2] on node b\n"
		 "[b:1] btl: tcp: Using interface: fab \n"
		 "[b:1] btl: tcp: Using interface: mgt \n",
		 "tcp", "vader, tcp", "fab, mgt", 1},
		/* On one node two ways are two. */
		{"[a:1] mca: bml: Using vader btl for send to [[1,1],1] on node a\n"
		 "[a:2] mca: bml: Using tcp btl for send to [[1,1],0] on node a\n",
		 "mixed", "vader, tcp", NULL, 2},
		{"[a:1] mca: bml: Using openib btl for send to [[1,1],1] on node b\n"
		 "[b:1] mca: bml: Using tcp btl for send to [[1,1],0] on node a\n",
		 "mixed", "openib, tcp", NULL, 2},
		{"[a:1] mca: bml: Using usnic btl for send to [[1,1],1] on node b\n", "other", "usnic", NULL, 1},
		{"[vm:17108] select: init of component tcp returned success\n"
		 "[vm:17108] mca:base:select:(  mtl) Query of component [ofi] set priority to 25\n"
		 "[vm:17108] mca:base:select:(  mtl) Selected component [ofi]\n"
		 "[vm:17108] select: component ofi selected\n"
		 "[vm:17108] selected cm best priority 25\n"
		 "[vm:17108] select: component cm selected\n",
		 "libfabric", "ofi", NULL, 1},
		{"[vm:17137] selected ucx best priority 51\n"
		 "[vm:17137] select: component ucx selected\n"
		 "[vm:17136] select: component ucx selected\n",
		 "other", "ucx", NULL, 2},
		/* A selection that did not hold. */
		{"[vm:17121] select: init returned failure for component ucx\n"
		 "[vm:17121] PML ucx cannot be selected\n"
		 "[vm:17121] select: component ob1 selected\n",
		 NULL, NULL, NULL, 0},
		/* Words of somebody else. */
		{"loss 1.0 mca: bml: Using tcp btl for send to [[1,1],0] on node b\n", NULL, NULL, NULL, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(&cases[i]);
}

/* What NCCL reports is about the messages measured. */
static void test_fill__nccl_stands(void **state)
{
	static const char text[] = "[a:1] mca: bml: Using tcp btl for send to [[1,1],1] on node b\n";
	CLEANUP(run_record_free) struct run_record *run = run_record_new();
	struct clean_lines lines;

	(void)state;
	run->factors.net.kind = mem_dup_string("ib");
	run->factors.net.raw = mem_dup_string("IB");
	run->factors.net.ranks_reporting = 8;
	unmess(text, sizeof(text) - 1, &lines);
	mpi_transport_fill(&lines, &run->factors);
	clean_lines_release(&lines);
	assert_string_equal(run->factors.net.kind, "ib");
	assert_int_equal(run->factors.net.ranks_reporting, 8);
	assert_int_equal(run->factors.more.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_fill__nccl_stands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
