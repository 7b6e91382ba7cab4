#include "collect/import/bench_run.h"

#include "base/text.h"
#include "collect/import/nccl_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

CLEANUP_VALUE(struct nccl_tests_log, nccl_tests_log_release)

static bool is_first_of_type(const struct nccl_test *test, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (strcmp(test->rows[i].type, test->rows[row].type) == 0)
			return false;
	return true;
}

static void add_table(const struct nccl_test *test, const char *op, const char *type, enum nccl_side side,
		      struct run_record *run)
{
	size_t n = 0;

	for (size_t i = 0; i < test->n_rows; i++)
		n += strcmp(test->rows[i].type, type) == 0 && !isnan(test->rows[i].time_us[side]);
	if (n == 0)
		return;
	struct run_table *table = run_record_add_table(run);
	table->name = mem_dup_string("sizes");
	table->op = mem_dup_string(op);
	table->dtype = mem_dup_string(nccl_dtype_name(type));
	table->placement = mem_dup_string(side == NCCL_IN_PLACE ? "in_place" : "out_of_place");
	table->statistic = mem_dup_string("mean");
	table->averaged_over = test->iterations;
	string_list_add(&table->columns, "bytes");
	string_list_add(&table->columns, "time_s");
	string_list_add(&table->units, "B");
	string_list_add(&table->units, "s");
	table->rows = (int64_t)n;
	table->discarded = 0;
	table->values = mem_new(n * 2, sizeof(double));
	n = 0;
	for (size_t i = 0; i < test->n_rows; i++) {
		const struct nccl_row *row = &test->rows[i];
		if (strcmp(row->type, type) != 0 || isnan(row->time_us[side]))
			continue;
		table->values[2 * n] = row->bytes;
		table->values[2 * n + 1] = row->time_us[side] * 1e-6;
		n++;
	}
}

static void add_tables(const struct plan_harness *harness, const struct nccl_test *test, struct run_record *run)
{
	const char *op = test->name ? nccl_op_name(test->name) : harness->op;

	if (!op)
		op = test->name;
	for (size_t i = 0; i < test->n_rows; i++) {
		if (!is_first_of_type(test, i))
			continue;
		add_table(test, op, test->rows[i].type, NCCL_OUT_OF_PLACE, run);
		add_table(test, op, test->rows[i].type, NCCL_IN_PLACE, run);
	}
}

static void judge(const struct nccl_tests_log *log, enum run_status *ret_status, char **ret_proof)
{
	struct text words = {0};

	for (size_t i = 0; i < log->n_tests && *ret_status == RUN_OK; i++) {
		const struct nccl_test *test = &log->tests[i];
		if (test->oob_failed || test->out_of_bounds > 0) {
			text_format(&words, "# Out of bounds values : %.6g FAILED", test->out_of_bounds);
			*ret_status = RUN_WRONG;
		}
		for (size_t k = 0; k < test->n_rows && *ret_status == RUN_OK; k++)
			for (int side = 0; side < 2 && *ret_status == RUN_OK; side++)
				if (test->rows[k].wrong[side] > 0) {
					text_format(&words, "line %zu: %.6g wrong values at %.0f bytes",
						    test->rows[k].line, test->rows[k].wrong[side], test->rows[k].bytes);
					*ret_status = RUN_WRONG;
				}
	}
	for (size_t i = 0; i < log->n_tests && *ret_status == RUN_OK; i++) {
		const struct nccl_test *test = &log->tests[i];
		bool complete = !isnan(test->avg_busbw) || !isnan(test->out_of_bounds) || log->objects > 0;
		if (complete && !(i + 1 == log->n_tests && log->partial_row))
			continue;
		text_format(&words, "the table ends after %zu rows without its summary", test->n_rows);
		*ret_status = RUN_TRUNCATED;
	}
	if (*ret_status != RUN_OK)
		*ret_proof = text_take(&words);
	text_release(&words);
}

void bench_run_read(const struct plan_harness *harness, const struct clean_lines *lines, struct run_record *run,
		    size_t *ret_matched, size_t *ret_rows, enum run_status *ret_status, char **ret_proof)
{
	CLEANUP(nccl_tests_log_release) struct nccl_tests_log log = {0};

	nccl_tests_parse(lines, &log);
	*ret_matched = log.matched;
	*ret_rows = 0;
	*ret_status = RUN_OK;
	*ret_proof = NULL;
	for (size_t i = 0; i < log.n_tests; i++) {
		*ret_rows += log.tests[i].n_rows;
		add_tables(harness, &log.tests[i], run);
	}
	for (size_t i = 0; i < run->n_tables; i++)
		if (!run->factors.dtype || (harness->dtype && strcmp(run->tables[i].dtype, harness->dtype) == 0)) {
			free(run->factors.dtype);
			run->factors.dtype = mem_dup_string(run->tables[i].dtype);
		}
	if (log.ranks > 0)
		run->factors.ranks = log.ranks;
	for (size_t i = 0; i < log.hosts.n; i++)
		string_list_add(&run->factors.hosts, log.hosts.items[i]);
	if (log.hosts.n > 0)
		run->factors.nodes = (int64_t)log.hosts.n;
	if (log.tests_version)
		string_map_set(&run->factors.more, "tests_version", log.tests_version);
	for (size_t i = 0; i < log.checks.n; i++)
		string_list_add(&run->flags, log.checks.items[i]);
	judge(&log, ret_status, ret_proof);
}
