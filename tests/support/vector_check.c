/*
 * vector_check FOLDER: runs every case of a folder of reference vectors at its own tolerance, prints a line for each
 * wrong one and a count. Exit 0 when none is wrong, 1 when one is, 2 on usage.
 */
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <gsl/gsl_errno.h>

#include "base/mem.h"
#include "tests/support/vector_runs.h"

#define ZERO_ATOL 1e-13 /* allowed where the expected value is 0 */
#define ZERO_MAX 1e-40  /* the vectors hold a residue of their 50 digits (5e-52) where 0 was meant */
#define FILE_MAX (64L << 20)

struct tally {
	size_t cases;
	size_t wrong;
	size_t missing;
};

struct tolerance {
	double rtol;
	double atol;
	double reml_rtol;
};

/* What the comparison of one case found first. */
struct finding {
	bool wrong;
	bool missing; /* a field that our routine does not give */
	char what[ERROR_MESSAGE_MAX];
};

CLEANUP_POINTER(cJSON, cJSON_Delete)

static void find_wrong(struct finding *finding, const char *path, double got, double expect)
{
	if (finding->wrong)
		return;
	finding->wrong = true;
	snprintf(finding->what, sizeof(finding->what), "%s is %.17g, not %.17g", path, got, expect);
}

static void compare_number(const char *path, double expect, double got, const struct tolerance *tol,
			   struct finding *finding)
{
	if (isnan(expect) || isinf(expect)) {
		if (!(isnan(expect) ? isnan(got) : got == expect))
			find_wrong(finding, path, got, expect);
		return;
	}
	double allowed = tol->rtol * fabs(expect) + fmax(tol->atol, fabs(expect) < ZERO_MAX ? ZERO_ATOL : 0);
	if (!(fabs(got - expect) <= allowed))
		find_wrong(finding, path, got, expect);
}

static bool all_undefined(const cJSON *got)
{
	const cJSON *item;
	cJSON_ArrayForEach(item, got)
	{
		if (!cJSON_IsNumber(item) || !isnan(item->valuedouble))
			return false;
	}
	return true;
}

static void compare(const char *path, const cJSON *expect, const cJSON *got, const struct tolerance *tol,
		    struct finding *finding);

static void compare_object(const char *path, const cJSON *expect, const cJSON *got, const struct tolerance *tol,
			   struct finding *finding)
{
	if (cJSON_HasObjectItem(expect, "undefined")) {
		if (!all_undefined(got))
			find_wrong(finding, path, 0, NAN);
		return;
	}
	const cJSON *field;
	cJSON_ArrayForEach(field, expect)
	{
		if (strcmp(field->string, "undefined_fields") == 0)
			continue;
		char name[256];
		snprintf(name, sizeof(name), "%s%s%s", path, *path ? "." : "", field->string);
		struct tolerance own = *tol;
		if (strncmp(field->string, "reml", 4) == 0)
			own.rtol = tol->reml_rtol;
		compare(name, field, cJSON_GetObjectItemCaseSensitive(got, field->string), &own, finding);
	}
}

static void compare(const char *path, const cJSON *expect, const cJSON *got, const struct tolerance *tol,
		    struct finding *finding)
{
	if (!got) {
		if (!finding->missing)
			snprintf(finding->what, sizeof(finding->what), "%s is not implemented", path);
		finding->missing = true;
	} else if (cJSON_IsObject(expect)) {
		compare_object(path, expect, got, tol, finding);
	} else if (cJSON_IsArray(expect)) {
		int n = cJSON_GetArraySize(expect);
		if (cJSON_GetArraySize(got) != n) {
			find_wrong(finding, path, cJSON_GetArraySize(got), n);
			return;
		}
		for (int i = 0; i < n; i++)
			compare(path, cJSON_GetArrayItem(expect, i), cJSON_GetArrayItem(got, i), tol, finding);
	} else if (cJSON_IsBool(expect)) {
		if (!cJSON_IsBool(got) || cJSON_IsTrue(expect) != cJSON_IsTrue(got))
			find_wrong(finding, path, cJSON_IsTrue(got), cJSON_IsTrue(expect));
	} else if (cJSON_IsString(expect) && cJSON_IsString(got)) {
		if (strcmp(expect->valuestring, got->valuestring) != 0)
			find_wrong(finding, path, NAN, NAN);
	} else if (cJSON_IsNumber(got)) {
		compare_number(path, vector_number(expect), got->valuedouble, tol, finding);
	} else {
		find_wrong(finding, path, NAN, NAN);
	}
}

static double field_or(const cJSON *item, const char *key, double otherwise)
{
	const cJSON *field = cJSON_GetObjectItemCaseSensitive(item, key);
	return cJSON_IsNumber(field) ? field->valuedouble : otherwise;
}

static void check_values(const cJSON *item, const cJSON *got, struct finding *finding)
{
	struct tolerance tol = {
		.rtol = field_or(item, "rtol", 0),
		.atol = field_or(item, "atol", 0),
		.reml_rtol = field_or(item, "reml_rtol", 0),
	};
	compare("", cJSON_GetObjectItemCaseSensitive(item, "expect"), got, &tol, finding);

	const cJSON *certified = cJSON_GetObjectItemCaseSensitive(item, "certified");
	if (certified) {
		struct tolerance own = {.rtol = field_or(item, "certified_rtol", 0)};
		compare("certified", certified, got, &own, finding);
	}
}

static void check_case(const char *file, const cJSON *item, struct tally *tally)
{
	const cJSON *input = cJSON_GetObjectItemCaseSensitive(item, "input");
	const cJSON *expect = cJSON_GetObjectItemCaseSensitive(item, "expect");
	const cJSON *kind = cJSON_GetObjectItemCaseSensitive(input, "kind");
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");
	tally->cases++;

	const struct vector_run *run = vector_run_find(file, cJSON_IsString(kind) ? kind->valuestring : NULL);
	if (!run || !cJSON_IsObject(expect)) {
		tally->missing++;
		return;
	}

	CLEANUP(cJSON_Delete) cJSON *got = cJSON_CreateObject();
	struct error err = {0};
	struct finding finding = {0};
	int r = run->run(input, got, &err);
	bool refuse = cJSON_HasObjectItem(expect, "undefined");
	if (refuse != (r < 0)) {
		finding.wrong = true;
		snprintf(finding.what, sizeof(finding.what), "%s", r < 0 ? err.message : "must be refused");
	} else if (!refuse) {
		check_values(item, got, &finding);
	}
	if (finding.wrong || finding.missing)
		printf("%s: %s: %s\n", file, cJSON_IsString(name) ? name->valuestring : "?", finding.what);
	tally->wrong += finding.wrong;
	tally->missing += !finding.wrong && finding.missing;
}

/* The whole file, NUL-terminated; NULL with a message. */
static char *read_text(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (!file) {
		perror(path);
		return NULL;
	}
	size_t capacity = 0;
	size_t used = 0;
	char *text = mem_grow(NULL, &capacity, 1 << 16, 1);
	size_t n;
	while ((n = fread(text + used, 1, capacity - used - 1, file)) > 0 && used < FILE_MAX) {
		used += n;
		text = mem_grow(text, &capacity, used + (1 << 16), 1);
	}
	text[used] = '\0';
	fclose(file);
	return text;
}

static bool check_file(const char *folder, const char *name, struct tally *tally)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	CLEANUP(mem_free) char *text = read_text(path);
	if (!text)
		return false;
	CLEANUP(cJSON_Delete) cJSON *root = cJSON_Parse(text);
	const cJSON *cases = cJSON_GetObjectItemCaseSensitive(root, "cases");
	if (!cJSON_IsArray(cases)) {
		fprintf(stderr, "vector_check: '%s' holds no cases\n", path);
		return false;
	}
	char stem[256];
	snprintf(stem, sizeof(stem), "%.*s", (int)(strlen(name) - strlen(".json")), name);
	const cJSON *item;
	cJSON_ArrayForEach(item, cases) check_case(stem, item, tally);
	return true;
}

static int is_vector_file(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);
	return n > 5 && strcmp(entry->d_name + n - 5, ".json") == 0;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: vector_check FOLDER\n");
		return 2;
	}
	gsl_set_error_handler_off();

	struct dirent **entries;
	int n = scandir(argv[1], &entries, is_vector_file, alphasort);
	if (n <= 0) {
		fprintf(stderr, "vector_check: no vectors in '%s'\n", argv[1]);
		return 2;
	}
	struct tally tally = {0};
	bool readable = true;
	for (int i = 0; i < n; i++) {
		readable = check_file(argv[1], entries[i]->d_name, &tally) && readable;
		free(entries[i]);
	}
	free(entries);
	printf("vectors: %zu cases, %zu wrong, %zu not yet implemented\n", tally.cases, tally.wrong, tally.missing);
	if (!readable)
		return 2;
	return tally.wrong > 0 ? 1 : 0;
}
