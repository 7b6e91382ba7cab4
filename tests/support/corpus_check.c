/*
 * corpus_check FOLDER [KIND]: reads FOLDER/MANIFEST.tsv and holds the facts that importers must reproduce. One line a
 * wrong fact, then `corpus: N facts, W wrong, U not yet read`; exit 1 when any is wrong.
 */
#include "base/file.h"
#include "base/text.h"
#include "collect/import/crash.h"
#include "collect/import/nccl_debug.h"
#include "collect/import/nccl_tests.h"
#include "collect/import/unmess.h"
#include "corpus_training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 6
#define NOT_READ NULL

enum listing { LIST_WRONG, LIST_UNREAD };

struct counts {
	size_t facts, wrong, unread;
	enum listing listing; /* of one kind those not yet read are listed too */
};

struct values {
	struct string_map map;
};

static void put(struct values *values, const char *name, const char *value)
{
	string_map_set(&values->map, name, value);
}

static void put_number(struct values *values, const char *name, double number)
{
	char printed[64];

	snprintf(printed, sizeof(printed), "%.15g", number);
	put(values, name, printed);
}

static void put_count(struct values *values, const char *name, int64_t count)
{
	put_number(values, name, (double)(count > 0 ? count : 0));
}

/* ---- nccl-tests ---- */

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void put_types(struct values *values, const struct nccl_tests_log *log)
{
	struct string_list types = {0};
	struct text joined = {0};

	for (size_t i = 0; i < log->n_tests; i++)
		for (size_t k = 0; k < log->tests[i].n_rows; k++)
			if (!string_list_has(&types, log->tests[i].rows[k].type))
				string_list_add(&types, log->tests[i].rows[k].type);
	if (types.n > 0)
		qsort(types.items, types.n, sizeof(char *), compare_strings);
	for (size_t i = 0; i < types.n; i++) {
		text_format(&joined, "%s%s", i > 0 ? "+" : "", types.items[i]);
		free(types.items[i]);
	}
	free(types.items);
	put(values, "types", text_string(&joined));
	text_release(&joined);
}

static void put_sides(struct values *values, const struct nccl_tests_log *log)
{
	static const char *const wrong_names[] = {"wrong_oop", "wrong_ip"};
	static const char *const busbw_names[] = {"max_busbw_oop", "max_busbw_ip"};
	double best = 0;

	for (int side = 0; side < 2; side++) {
		double wrong = NAN, busbw = 0;
		for (size_t i = 0; i < log->n_tests; i++)
			for (size_t k = 0; k < log->tests[i].n_rows; k++) {
				const struct nccl_row *row = &log->tests[i].rows[k];
				if (!isnan(row->wrong[side]))
					wrong = (isnan(wrong) ? 0 : wrong) + row->wrong[side];
				if (row->busbw[side] > busbw)
					busbw = row->busbw[side];
			}
		if (isnan(wrong))
			put(values, wrong_names[side], "NA");
		else
			put_number(values, wrong_names[side], wrong);
		put_number(values, busbw_names[side], busbw);
		best = busbw > best ? busbw : best;
	}
	put_number(values, "max_busbw", best);
}

static void put_summaries(struct values *values, const struct nccl_tests_log *log)
{
	struct text average = {0}, bounds = {0};

	for (size_t i = 0; i < log->n_tests; i++) {
		const struct nccl_test *test = &log->tests[i];
		if (!isnan(test->avg_busbw))
			text_format(&average, "%s%.15g", average.length ? ";" : "", test->avg_busbw);
		if (!isnan(test->out_of_bounds))
			text_format(&bounds, "%s%.15g", bounds.length ? ";" : "", test->out_of_bounds);
	}
	put(values, "avg_busbw", average.length ? text_string(&average) : "absent");
	put(values, "out_of_bounds", bounds.length ? text_string(&bounds) : "absent");
	text_release(&average);
	text_release(&bounds);
}

static void nccl_tests_values(const struct clean_lines *lines, struct values *values)
{
	struct nccl_tests_log log;
	struct nccl_debug_log debug;
	size_t rows = 0, zero = 0;

	nccl_tests_parse(lines, &log);
	nccl_debug_parse(lines, &debug);
	for (size_t i = 0; i < log.n_tests; i++) {
		rows += log.tests[i].n_rows;
		for (size_t k = 0; k < log.tests[i].n_rows; k++)
			zero += log.tests[i].rows[k].bytes == 0;
	}
	put_number(values, "tests", (double)log.n_tests);
	put_number(values, "rows", (double)rows);
	put_count(values, "ranks", log.ranks);
	put_number(values, "size0_rows", (double)zero);
	if (rows > 0) {
		const struct nccl_test *last = &log.tests[log.n_tests - 1];
		put_number(values, "first_size", log.tests[0].rows[0].bytes);
		put_number(values, "last_size", last->rows[last->n_rows - 1].bytes);
		put_number(values, "last_time_us_oop", last->rows[last->n_rows - 1].time_us[0]);
	}
	put_types(values, &log);
	put_sides(values, &log);
	put_summaries(values, &log);
	put_count(values, "test_nccl_failures", log.failures);
	put(values, "format", log.objects > 0 ? "jsonl" : "text");
	put_count(values, "objects", log.objects);
	if (log.tests_version)
		put(values, "tests_version", log.tests_version);
	if (debug.nccl)
		put(values, "nccl", debug.nccl);
	if (debug.rccl)
		put(values, "rccl", debug.rccl);
	nccl_debug_log_release(&debug);
	nccl_tests_log_release(&log);
}

/* ---- nccl-debug ---- */

static void put_underscored(struct values *values, const char *name, const char *value)
{
	char copy[128];

	snprintf(copy, sizeof(copy), "%s", value);
	for (char *c = copy; *c; c++)
		if (*c == ' ')
			*c = '_';
	put(values, name, copy);
}

static void nccl_debug_values(const struct clean_lines *lines, struct values *values)
{
	struct nccl_debug_log log;

	nccl_debug_parse(lines, &log);
	if (log.nccl)
		put(values, "nccl", log.nccl);
	if (log.rccl)
		put(values, "rccl", log.rccl);
	if (log.networks.n > 0)
		put_underscored(values, "net", log.networks.items[0]);
	put_count(values, "using_network_lines", log.using_network_lines);
	put_underscored(values, "plugin", log.net_plugin ? log.net_plugin : "none");
	if (log.plugin_api)
		put(values, "plugin_api", log.plugin_api);
	if (log.plugin_version)
		put(values, "aws_ofi_nccl", log.plugin_version);
	if (log.provider)
		put(values, "provider", log.provider);
	if (log.tuner)
		put(values, "tuner", log.tuner);
	put_count(values, "nics", log.nics);
	put_count(values, "channels", log.channels);
	put_count(values, "ranks", log.nranks);
	put_count(values, "init_complete", log.init_complete);
	put_count(values, "nccl_warn_lines", log.warn_lines);
	put_count(values, "connected_all_rings", log.rings_connected);
	nccl_debug_log_release(&log);
}

/* ---- training ---- */

static void training_values(const struct clean_lines *lines, struct values *values)
{
	corpus_training_values(lines, &values->map);
}

/* ---- the check ---- */

struct kind {
	const char *name;
	const char *core; /* blank-separated, with a blank at both ends */
	void (*read)(const struct clean_lines *lines, struct values *values);
};

static const struct kind kinds[] = {
	{"nccl-tests",
	 " tests rows ranks types first_size last_size last_time_us_oop max_busbw_oop max_busbw_ip max_busbw wrong_oop "
	 "wrong_ip size0_rows avg_busbw out_of_bounds nccl rccl tests_version format objects complete_sizes "
	 "test_nccl_failures ",
	 nccl_tests_values},
	{"nccl-debug",
	 " nccl rccl net using_network_lines plugin plugin_api aws_ofi_nccl provider nics tuner channels ranks "
	 "init_complete nccl_warn_lines connected_all_rings ",
	 nccl_debug_values},
	{"training",
	 " family steps total first_step_ms last_step_ms median_step_ms lines_with_loss loss_nan_lines median_iter_s "
	 "last_samples_per_sec train_samples_per_second median_tflops tokens_per_sec tokens_per_sec_median "
	 "tokens_per_sec_per_gpu_median median_throughput median_images_per_s last_train_tokens_per_second "
	 "final_train_time_ms final_step_avg_ms last_iter last_step batch last_SamplesPerSec median_delta_ms summaries "
	 "blocks dict_lines bar_updates last rate_key value_pairs throughput_lines eval_lines val_lines tqdm_updates "
	 "hf_final_dict_lines train_samples_per_second_lines ds_steps_lines samplespersec_lines "
	 "ds_time_breakdown_lines step_avg_nan_train_lines ",
	 training_values},
	{"osu",
	 " osu_version osu_tables first_test variant data_rows columns first_row last_row imb_version imb_benchmarks ",
	 NOT_READ},
	{"telemetry", "", NOT_READ}, /* every key but bytes */
	{"crashes", " watchdog_optype watchdog_seq timeout_ms iterations_before last_iteration job ", NOT_READ},
};

/* Lists joined by ';' are compared part by part, numbers to 1 in 1e5 (the manifest prints few digits). */
static bool same(const char *a, const char *b)
{
	for (;;) {
		size_t n = strcspn(a, ";"), m = strcspn(b, ";");
		char *end_a = NULL, *end_b = NULL;
		double x = strtod(a, &end_a), y = strtod(b, &end_b);
		if (end_a == a + n && end_b == b + m && n > 0 && m > 0) {
			if (!(fabs(x - y) <= 1e-5 * fabs(x)))
				return false;
		} else if (n != m || strncmp(a, b, n) != 0) {
			return false;
		}
		if (!a[n] || !b[m])
			return a[n] == b[m];
		a += n + 1;
		b += m + 1;
	}
}

static bool is_core(const struct kind *kind, const char *name)
{
	char key[100];

	if (!*kind->core)
		return strcmp(name, "bytes") != 0;
	snprintf(key, sizeof(key), " %s ", name);
	return strstr(kind->core, key) != NULL;
}

static void check_facts(const char *file, const struct kind *kind, const struct values *values, char *facts,
			struct counts *counts)
{
	char *rest = NULL;

	for (char *fact = strtok_r(facts, " ", &rest); fact; fact = strtok_r(NULL, " ", &rest)) {
		char *equals = strchr(fact, '=');
		if (!equals)
			continue;
		*equals = '\0';
		if (!is_core(kind, fact))
			continue;
		counts->facts++;
		const char *read = string_map_get(&values->map, fact);
		if (!read) {
			counts->unread++;
			if (counts->listing == LIST_UNREAD)
				printf("%s: %s is %s, not yet read\n", file, fact, equals + 1);
		} else if (!same(equals + 1, read)) {
			counts->wrong++;
			printf("%s: %s is %s, read %s\n", file, fact, equals + 1, read);
		}
	}
}

static int check_file(const char *folder, const char *file, const struct kind *kind, char *facts, struct counts *counts,
		      struct error *err)
{
	CLEANUP(mem_free) char *path = path_join(folder, file);
	CLEANUP(mem_free) char *bytes = NULL;
	struct clean_lines lines = {0};
	struct values values = {0};
	size_t n = 0;

	int r = file_read(path, &bytes, &n, err);
	if (r < 0)
		return r;
	if (kind->read) {
		unmess(bytes, n, &lines);
		kind->read(&lines, &values);
		clean_lines_release(&lines);
	}
	check_facts(file, kind, &values, facts, counts);
	for (size_t i = 0; i < values.map.n; i++) {
		free(values.map.names[i]);
		free(values.map.values[i]);
	}
	free(values.map.names);
	free(values.map.values);
	return 0;
}

int main(int argc, char **argv)
{
	struct counts counts = {0};
	struct error err = {0};
	CLEANUP(mem_free) char *path = NULL;
	CLEANUP(mem_free) char *bytes = NULL;
	size_t n = 0;
	char *rest = NULL;
	int r = 0;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: corpus_check FOLDER [KIND]\n");
		return 2;
	}
	counts.listing = argc == 3 ? LIST_UNREAD : LIST_WRONG;
	path = path_join(argv[1], "MANIFEST.tsv");
	r = file_read(path, &bytes, &n, &err);
	for (char *line = r < 0 ? NULL : strtok_r(bytes, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *columns[COLUMNS] = {0};
		size_t used = 0;
		for (char *part = line; part && used < COLUMNS;) {
			columns[used++] = part;
			part = strchr(part, '\t');
			if (part)
				*part++ = '\0';
		}
		for (size_t i = 0; used == COLUMNS && r == 0 && i < sizeof(kinds) / sizeof(*kinds); i++)
			if (strcmp(columns[1], kinds[i].name) == 0 && (argc < 3 || strcmp(argv[2], columns[1]) == 0))
				r = check_file(argv[1], columns[0], &kinds[i], columns[5], &counts, &err);
		if (r < 0)
			break;
	}
	if (r < 0) {
		fprintf(stderr, "corpus_check: %s\n", err.message);
		return 4;
	}
	printf("corpus: %zu facts, %zu wrong, %zu not yet read\n", counts.facts, counts.wrong, counts.unread);
	return counts.wrong > 0 ? 1 : 0;
}
