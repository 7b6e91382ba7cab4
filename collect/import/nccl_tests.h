/*
 * Takes clean lines, gives the text tables of nccl-tests and rccl-tests, by header and not by position, and what is
 * wrong with them. Knows nothing of plans or runs.
 */
#ifndef COLLECT_IMPORT_NCCL_TESTS_H
#define COLLECT_IMPORT_NCCL_TESTS_H

#include "assay/record.h"
#include "collect/import/unmess.h"

enum nccl_side { NCCL_OUT_OF_PLACE, NCCL_IN_PLACE };

struct nccl_row {
	double bytes, count;
	char type[16], redop[16];
	double time_us[2], algbw[2], busbw[2], wrong[2]; /* by side; NAN: absent or N/A */
	size_t line;
};

struct nccl_test {
	char *name; /* "all_reduce", NULL when the log does not say */
	struct nccl_row *rows;
	size_t n_rows, capacity;
	double avg_busbw, out_of_bounds; /* NAN when the line is absent */
	bool oob_failed;
	int64_t iterations, warmup; /* RECORD_UNSET */
	size_t first_line;
};

struct nccl_tests_log {
	struct nccl_test *tests; /* those with rows */
	size_t n_tests, capacity;
	int64_t ranks; /* device lines */
	struct string_list hosts;
	bool duplicate_rank; /* rank 0 twice: built without MPI */
	char *tests_version, *rccl;
	int64_t failures;          /* "Test NCCL failure" */
	int64_t objects;           /* of the JSON-lines form */
	bool partial_row;          /* a row was cut off */
	struct string_list checks; /* failed ones, in words */
	size_t matched;            /* clean lines used */
};

void nccl_tests_parse(const struct clean_lines *lines, struct nccl_tests_log *ret_log);
void nccl_tests_log_release(struct nccl_tests_log *log);
/** Whether the lines hold a table or a device list of nccl-tests. */
bool nccl_tests_detect(const struct clean_lines *lines);
/** "float" -> "float32", …; the name itself when unknown. */
const char *nccl_dtype_name(const char *type);
/** "all_reduce" -> "allreduce", …; NULL when unknown. */
const char *nccl_op_name(const char *test);

#endif
