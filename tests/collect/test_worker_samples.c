/* Lines of the worker protocol. Expected seconds are the printed nanoseconds moved by nine digits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "collect/import/format.h"
#include "collect/import/worker_samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define W "assay-worker 1 "
#define HEAD                                                                                                    \
	W "begin mpi\n" W "library Open MPI v4.1.4\n" W "test allreduce float32 in_place\n" W "shape 2 1 2\n" W \
	  "host 0 node-a\n" W "host 1 node-a\n" W "clock 0 0 0\n" W "clock 1 9 6600\n"
#define FIRST                                                                                      \
	W "times 1024 0 51729 29263\n" W "arrivals 1024 0 0 1352\n" W "times 1024 1 5658 5393\n" W \
	  "arrivals 1024 1 905 0\n" W "times 1024 2 5114 5487\n" W "arrivals 1024 2 0 465\n" W "check 1024 0\n"
#define SECOND                                                                                       \
	W "times 4096 0 20022 17318\n" W "arrivals 4096 0 0 1356\n" W "times 4096 1 12805 12564\n" W \
	  "arrivals 4096 1 537 0\n" W "times 4096 2 14485 14263\n" W "arrivals 4096 2 0 581\n" W "check 4096 0\n"

struct reading {
	struct run_record *run;
	struct worker_reading worker;
	struct error err;
	int r;
};

static struct reading read_text(const char *text)
{
	struct reading ret = {.run = run_record_new()};
	struct clean_lines lines;
	struct import_source source = {.file = "w.log", .bytes = text, .n = strlen(text)};

	unmess(text, strlen(text), &lines);
	ret.r = worker_samples_read(&source, &lines, ret.run, &ret.worker, &ret.err);
	clean_lines_release(&lines);
	return ret;
}

static void reading_free(struct reading *reading)
{
	run_record_free(reading->run);
	free(reading->worker.proof);
}

static void test_read__whole(void **state)
{
	struct reading got = read_text(HEAD "a line of another program\n" FIRST SECOND W "end 22\n");

	(void)state;
	assert_int_equal(got.r, 0);
	assert_int_equal(got.worker.status, RUN_OK);
	assert_null(got.worker.proof);
	assert_int_equal(got.worker.matched, 23);
	assert_int_equal(got.worker.rows, 12);
	assert_int_equal(got.run->n_tables, 2);
	const struct run_table *table = &got.run->tables[1];
	assert_string_equal(table->name, "samples");
	assert_string_equal(table->op, "allreduce");
	assert_string_equal(table->dtype, "float32");
	assert_string_equal(table->placement, "in_place");
	assert_string_equal(table->statistic, "sample");
	CLEANUP(mem_free) char *columns = string_list_join(&table->columns);
	CLEANUP(mem_free) char *units = string_list_join(&table->units);
	assert_string_equal(columns, "bytes, iteration, rank, time_s, arrival_s");
	assert_string_equal(units, "B, 1, 1, s, s");
	assert_int_equal(table->rows, 6);
	assert_int_equal(table->discarded, 2);
	static const double wanted[6][5] = {
		{4096, 0, 0, 20.022e-6, 0}, {4096, 0, 1, 17.318e-6, 1.356e-6}, {4096, 1, 0, 12.805e-6, 537e-9},
		{4096, 1, 1, 12.564e-6, 0}, {4096, 2, 0, 14.485e-6, 0},        {4096, 2, 1, 14.263e-6, 581e-9},
	};
	for (size_t i = 0; i < 30; i++)
		assert_true(fabs(table->values[i] - wanted[i / 5][i % 5]) <= 1e-18);
	assert_int_equal(got.run->factors.ranks, 2);
	assert_int_equal(got.run->factors.nodes, 1);
	assert_int_equal(got.run->factors.hosts.n, 1);
	assert_string_equal(got.run->factors.hosts.items[0], "node-a");
	assert_string_equal(got.run->factors.dtype, "float32");
	assert_string_equal(got.run->factors.collectives.items[0], "allreduce");
	assert_string_equal(string_map_get(&got.run->factors.more, "mpi"), "Open MPI 4.1.4");
	reading_free(&got);
}

static void test_read__library_names(void **state)
{
	static const char *const cases[][2] = {
		{"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, Jan 1, 2023", "Open MPI 4.1.4"},
		{"MPICH Version:      4.0.2", "MPICH 4.0.2"},
		{"Intel(R) MPI Library 2021.5 for Linux* OS", "Intel(R) MPI Library 2021.5 for Linux* OS"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CLEANUP(text_release) struct text text = {0};
		text_format(&text, W "begin mpi\n" W "library %s\n", cases[i][0]);
		struct reading got = read_text(text_string(&text));
		assert_string_equal(string_map_get(&got.run->factors.more, "mpi"), cases[i][1]);
		reading_free(&got);
	}
}

static void test_read__lost_runs(void **state)
{
	static const struct {
		const char *text;
		enum run_status status;
		size_t rows;
		const char *proof;
	} cases[] = {
		{HEAD FIRST SECOND, RUN_TRUNCATED, 12,
		 "the worker's output ends without its end line, after 3 of 3 iterations at 4096 B"},
		{HEAD FIRST W "times 4096 0 20022 17318\n" W "arrivals 4096 0 0 1356\n" W "times 4096 1 12",
		 RUN_TRUNCATED, 8, "the worker's output ends without its end line, after 1 of 3 iterations at 4096 B"},
		{W "begin mpi\n", RUN_TRUNCATED, 0,
		 "the worker's output ends without its end line, before the first sample"},
		{HEAD FIRST SECOND W "end 30\n", RUN_TRUNCATED, 12, "22 of the worker's 30 lines were read"},
		{HEAD W "times 1024 0 5 6\n" W "times 1024 2 5 6\n" W "check 1024 0\n" W "end 11\n", RUN_TRUNCATED, 2,
		 "line 10: iteration 2 of 1024 B comes where 1 is due: output was lost"},
		{HEAD W "times 1024 0 5 6\n" W "check 1024 0\n" W "end 10\n", RUN_TRUNCATED, 2,
		 "1 of 3 iterations at 1024 B were read"},
		{W "begin mpi\n" W "error 'sendrecv' has no form in place\n", RUN_CRASH, 0,
		 "'sendrecv' has no form in place"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct reading got = read_text(cases[i].text);
		assert_int_equal(got.r, 0);
		assert_int_equal(got.worker.status, cases[i].status);
		assert_string_equal(got.worker.proof, cases[i].proof);
		assert_int_equal(got.worker.rows, cases[i].rows);
		reading_free(&got);
	}
}

static void test_read__wrong(void **state)
{
	CLEANUP(text_release) struct text text = {0};

	(void)state;
	text_add(&text, HEAD FIRST SECOND W "wrong 4096 1 999 255 246\n" W "end 23\n");
	char *check = strstr(text.bytes, "check 4096 0");
	check[11] = '7';
	struct reading got = read_text(text_string(&text));
	assert_int_equal(got.worker.status, RUN_WRONG);
	assert_string_equal(got.worker.proof,
			    "rank 1 has 255 where 246 is due in element 999 at 4096 B; 7 wrong elements at 4096 B");
	assert_int_equal(got.run->n_tables, 2);
	reading_free(&got);
}

static void test_read__refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{W "begin mpi\nassay-worker 2 shape 1 1 1\n", "w.log:2: the worker printed version 2 of its protocol, "
							      "and version 1 is read here: use the worker that "
							      "belongs to this assay"},
		{W "begin mpi\n" W "times 8 0 5\n" W "end 2\n", "w.log:2: samples come before the shape of the test"},
		{HEAD W "times 8 0 5\n" W "end 9\n", "w.log:9: 1 values for 2 ranks"},
		{HEAD W "times 8 0 5 6 7\n" W "end 9\n", "w.log:9: 3 values for 2 ranks"},
		{HEAD W "times 8 0 5 -6\n" W "end 9\n", "w.log:9: '-6' of rank 1 is no time in ns"},
		{HEAD W "times 8 0 5 6.5\n" W "end 9\n", "w.log:9: '6.5' of rank 1 is no time in ns"},
		{HEAD W "times 8 0 5 6\n" W "times 8 0 5 6\n" W "end 10\n",
		 "w.log:10: iteration 0 of 8 B comes where 1 is due"},
		{HEAD W "times 8 3 5 6\n" W "end 9\n", "w.log:9: iteration 3 of 8 B, and the shape has 3"},
		{HEAD FIRST HEAD W "end 23\n",
		 "w.log:16: a second worker begins: the log holds two runs; give each a file"},
		{W "shape 2147483647 0 1\n" W "times 8 0 5\n" W "end 2\n", "w.log:2: 1 values for 2147483647 ranks"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct reading got = read_text(cases[i].text);
		assert_int_equal(got.r, ERROR_DATA);
		assert_string_equal(got.err.message, cases[i].message);
		assert_int_equal(got.run->n_tables, 0);
		reading_free(&got);
	}
}

/* Through the table of formats: chosen by its lines, lost by the worker's own words, the transport beside it. */
static void test_format(void **state)
{
	static const char error[] = W "begin mpi\n" W "error out of hats\n";
	static const char whole[] = HEAD FIRST W "end 15\n"
						 "[node-a:11] mca: bml: Using vader btl for send to [[1,1],1] on node "
						 "node-a\n";
	struct plan_harness harness = {.name = (char *)"b", .kind = PLAN_BENCH, .ranks = 2, .nodes = 1};
	CLEANUP(run_record_free) struct run_record *lost = run_record_new();
	CLEANUP(run_record_free) struct run_record *run = run_record_new();
	CLEANUP(import_reading_release) struct import_reading reading = {0};
	struct import_source source = {.file = "w.log", .bytes = error, .n = sizeof(error) - 1, .harness = &harness};
	struct error err;

	(void)state;
	assert_int_equal(format_read(&source, lost, &reading, &err), 0);
	assert_int_equal(lost->status, RUN_CRASH);
	assert_string_equal(lost->reason, "out of hats");
	source.bytes = whole;
	source.n = sizeof(whole) - 1;
	assert_int_equal(format_read(&source, run, &reading, &err), 0);
	assert_string_equal(reading.format, "assay-worker");
	assert_int_equal(reading.matched, 16);
	assert_int_equal(run->status, RUN_OK);
	assert_int_equal(run->factors.ranks, 2);
	assert_string_equal(run->factors.net.kind, "shm");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read__whole),     cmocka_unit_test(test_read__library_names),
		cmocka_unit_test(test_read__lost_runs), cmocka_unit_test(test_read__wrong),
		cmocka_unit_test(test_read__refused),   cmocka_unit_test(test_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
