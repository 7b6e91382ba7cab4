#include "assay/collect.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "collect/import/format.h"
#include "collect/run_capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXAMPLE_MAX 100

/* A run that the log holds already. */
struct known_run {
	char *block, *harness, *setting, *sha256;
	int64_t position, attempt;
	enum run_status status;
};

struct known_runs {
	struct known_run *items;
	size_t n, capacity;
	int64_t last_import; /* largest n of the segments import-<n> */
};

static void known_runs_release(struct known_runs *known)
{
	for (size_t i = 0; i < known->n; i++) {
		free(known->items[i].block);
		free(known->items[i].harness);
		free(known->items[i].setting);
		free(known->items[i].sha256);
	}
	free(known->items);
}
CLEANUP_VALUE(struct known_runs, known_runs_release)

/* A row that was read and waits to be written. */
struct pending_run {
	struct run_record *run;
	const struct plan_setting *setting;
	char *bytes;
	size_t n;
};

struct import {
	const struct plan *plan;
	const struct import_manifest *manifest;
	struct known_runs known;
	struct pending_run *pending;
	size_t n, capacity;
	struct import_result *result;
};

static void import_release(struct import *import)
{
	for (size_t i = 0; i < import->n; i++) {
		if (import->pending[i].run)
			run_record_free(import->pending[i].run);
		free(import->pending[i].bytes);
	}
	free(import->pending);
	known_runs_release(&import->known);
}
CLEANUP_VALUE(struct import, import_release)

static void known_add(struct known_runs *known, const struct run_record *run)
{
	known->items = mem_grow(known->items, &known->capacity, known->n + 1, sizeof(*known->items));
	known->items[known->n++] = (struct known_run){
		.block = mem_dup_string(run->block),
		.harness = mem_dup_string(run->harness),
		.setting = mem_dup_string(run->setting),
		.sha256 = mem_dup_string(run->source_sha256 ? run->source_sha256 : ""),
		.position = run->position,
		.attempt = run->attempt,
		.status = run->status,
	};
}

static int visit_run(void *context, struct run_record *run, struct error *err)
{
	(void)err;
	known_add(context, run);
	return 0;
}

static int visit_note(void *context, const struct note_record *note, struct error *err)
{
	(void)context;
	(void)note;
	(void)err;
	return 0;
}

static int read_known(const char *directory, struct known_runs *known, struct error *err)
{
	struct campaign_visitor visitor = {.run = visit_run, .note = visit_note, .context = known};
	struct campaign_input *inputs = NULL;
	size_t n = 0;
	CLEANUP(mem_free) char *log = path_join(directory, "log");

	if (!file_exists(log))
		return 0;
	int r = campaign_log_each(directory, &visitor, &inputs, &n, err);
	for (size_t i = 0; r == 0 && i < n; i++) {
		long long number = 0;
		if (strncmp(inputs[i].segment, "import-", 7) == 0)
			number = strtoll(inputs[i].segment + 7, NULL, 10);
		if (number > known->last_import)
			known->last_import = number;
	}
	if (r == 0)
		campaign_inputs_free(inputs, n);
	return r;
}

static bool same_place(const struct known_run *known, const struct import_row *row)
{
	return strcmp(known->block, row->block) == 0 && strcmp(known->harness, row->harness) == 0 &&
	       strcmp(known->setting, row->setting) == 0 && (row->position < 0 || known->position == row->position);
}

static const struct known_run *find_already(const struct known_runs *known, const struct import_row *row,
					    const char *sha256)
{
	for (size_t i = 0; i < known->n; i++)
		if (strcmp(known->items[i].sha256, sha256) == 0 && same_place(&known->items[i], row))
			return &known->items[i];
	return NULL;
}

/* The log keeps what it recorded: a manifest that now says otherwise must not pass for the same import. */
static int check_same_status(const struct known_run *known, const struct import_row *row, struct error *err)
{
	enum run_status now = known->status;

	if (row->status)
		run_status_parse(row->status, &now);
	if (now == known->status)
		return 0;
	return error_set(
		err, ERROR_DATA,
		"'%s' is already imported with status %s and its row now says %s; add a correction with 'assay "
		"note', or import into a new campaign",
		row->file, run_status_name(known->status), run_status_name(now));
}

static bool position_taken(const struct import *import, const char *block, int64_t position)
{
	for (size_t i = 0; i < import->known.n; i++)
		if (import->known.items[i].position == position && strcmp(import->known.items[i].block, block) == 0)
			return true;
	for (size_t i = 0; i < import->manifest->n; i++)
		if (import->manifest->rows[i].position == position &&
		    strcmp(import->manifest->rows[i].block, block) == 0)
			return true;
	return false;
}

static void set_place(const struct import *import, const struct import_row *row, struct run_record *run)
{
	char id[400];

	run->block = mem_dup_string(row->block);
	run->position = row->position;
	if (run->position < 0) {
		run->position = 1;
		while (position_taken(import, row->block, run->position))
			run->position++;
	}
	run->attempt = 1;
	for (size_t i = 0; i < import->known.n; i++) {
		const struct known_run *known = &import->known.items[i];
		if (known->position == run->position && strcmp(known->block, row->block) == 0 &&
		    known->attempt >= run->attempt)
			run->attempt = known->attempt + 1;
	}
	snprintf(id, sizeof(id), "%s/%lld.%lld", run->block, (long long)run->position, (long long)run->attempt);
	run->id = mem_dup_string(id);
}

static void place_of(const struct import *import, const struct import_row *row, char *ret, size_t size)
{
	if (row->line > 0)
		snprintf(ret, size, "%s:%zu", import->manifest->path ? import->manifest->path : "manifest", row->line);
	else
		snprintf(ret, size, "%s", row->file);
}

/* Names of the plan's harnesses or settings, for a message about one that is not there. */
static int unknown_name(const struct import *import, const struct import_row *row, const char *what, const char *name,
			struct error *err)
{
	const struct plan *plan = import->plan;
	bool harness = strcmp(what, "harness") == 0;
	size_t n = harness ? plan->n_harnesses : plan->n_settings;
	CLEANUP(mem_free) const char **names = mem_new(n + 1, sizeof(*names));
	char place[600];

	for (size_t i = 0; i < n; i++)
		names[i] = harness ? plan->harnesses[i].name : plan->settings[i].name;
	const char *near = nearest_name(name, names, n);
	place_of(import, row, place, sizeof(place));
	return error_set(err, ERROR_DATA, "%s: %s '%s' is not in the plan%s%s%s", place, what, name,
			 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void fill_from_row(const struct import *import, const struct import_row *row, const struct plan_harness *harness,
			  struct run_record *run)
{
	const char *cluster = row->cluster ? row->cluster : harness->cluster ? harness->cluster : import->plan->cluster;

	run->harness = mem_dup_string(row->harness);
	run->setting = mem_dup_string(row->setting);
	run->role = RUN_ARM;
	if (row->role)
		run_role_parse(row->role, &run->role);
	if (row->status) {
		enum run_status read = run->status;
		run_status_parse(row->status, &run->status);
		if (read != run->status) { /* the proof of another status is none */
			free(run->reason);
			run->reason = run->status == RUN_OK ? NULL : mem_dup_string("status given in the manifest");
			run->external = run->status == RUN_LAUNCH_FAILED || run->status == RUN_CANCELLED;
		}
	}
	if (row->external >= 0)
		run->external = row->external == 1;
	if (run->status == RUN_OK)
		run->external = false;
	if (cluster && *cluster) {
		free(run->factors.cluster);
		run->factors.cluster = mem_dup_string(cluster);
	}
	run->source_file = mem_dup_string(row->file);
	run->started = mem_dup_string(row->started);
}

static void add_clean(struct text *text, const char *string, size_t max)
{
	size_t n = strlen(string);
	CLEANUP(mem_free) char *clean = utf8_clean(string, n > max ? max : n);

	text_add(text, clean);
	if (n > max)
		text_add(text, "...");
}

static void describe(struct text *readings, const struct import_row *row, const struct run_record *run,
		     const struct import_reading *reading)
{
	const struct run_net *net = &run->factors.net;
	int64_t rows = 0, discarded = 0;

	add_clean(readings, row->file, SIZE_MAX);
	text_format(readings, ": %zu lines, %zu matched as %s, %zu NCCL lines, %zu others", reading->physical,
		    reading->matched, reading->format, reading->debug, reading->skipped);
	if (reading->skipped_example) {
		text_format(readings, ", first: line %zu '", reading->skipped_line);
		add_clean(readings, reading->skipped_example, EXAMPLE_MAX);
		text_add(readings, "'");
	}
	for (size_t i = 0; i < run->n_tables; i++) {
		rows += run->tables[i].rows;
		discarded += run->tables[i].discarded;
	}
	text_format(readings, "\n  status %s%s%s", run_status_name(run->status), run->external ? " (external)" : "",
		    run->reason ? ": " : "");
	if (run->reason)
		add_clean(readings, run->reason, EXAMPLE_MAX);
	text_format(readings, "\n  %zu table%s, %lld rows", run->n_tables, run->n_tables == 1 ? "" : "s",
		    (long long)rows);
	if (discarded > 0)
		text_format(readings, " (%lld warm-up)", (long long)discarded);
	if (run->factors.ranks > 0)
		text_format(readings, "; %lld ranks", (long long)run->factors.ranks);
	text_format(readings, "; network %s", net->kind ? net->kind : "unknown");
	if (net->plugin)
		text_format(readings, " by %s %s", net->plugin, net->plugin_version ? net->plugin_version : "");
	text_format(readings, " (%lld ranks report)", (long long)(net->ranks_reporting > 0 ? net->ranks_reporting : 0));
	if (run->factors.nccl)
		text_format(readings, "; NCCL %s", run->factors.nccl);
	text_add(readings, "\n");
	for (size_t i = 0; i < run->flags.n; i++) {
		text_add(readings, "  check failed: ");
		add_clean(readings, run->flags.items[i], SIZE_MAX);
		text_add(readings, "\n");
	}
}

static int read_row(struct import *import, const struct import_row *row, struct error *err)
{
	const struct plan_harness *harness = plan_harness_find(import->plan, row->harness);
	const struct plan_setting *setting = plan_setting_find(import->plan, row->setting);
	CLEANUP(run_record_free) struct run_record *run = NULL;
	CLEANUP(import_reading_release) struct import_reading reading = {0};
	CLEANUP(mem_free) char *bytes = NULL;
	char sha256[DIGEST_HEX];
	size_t n = 0;

	if (!harness)
		return unknown_name(import, row, "harness", row->harness, err);
	if (!setting)
		return unknown_name(import, row, "setting", row->setting, err);
	int r = file_read(row->path, &bytes, &n, err);
	if (r < 0)
		return r;
	digest_sha256(bytes, n, sha256);
	const struct known_run *already = find_already(&import->known, row, sha256);
	if (already) {
		r = check_same_status(already, row, err);
		if (r < 0)
			return r;
		import->result->already++;
		add_clean(&import->result->readings, row->file, SIZE_MAX);
		text_add(&import->result->readings, ": already imported\n");
		return 0;
	}
	run = run_record_new();
	struct import_source source = {row->path, bytes, n, harness, setting, row->status != NULL};
	r = format_read(&source, run, &reading, err);
	if (r < 0)
		return r;
	fill_from_row(import, row, harness, run);
	run->source_sha256 = mem_dup_string(sha256);
	set_place(import, row, run);
	known_add(&import->known, run);
	describe(&import->result->readings, row, run, &reading);
	import->pending = mem_grow(import->pending, &import->capacity, import->n + 1, sizeof(*import->pending));
	struct pending_run *pending = &import->pending[import->n++];
	*pending = (struct pending_run){.setting = setting, .n = n};
	pending->bytes = TAKE(bytes);
	pending->run = TAKE(run);
	return 0;
}

static int write_run(struct segment_writer *writer, struct pending_run *pending, struct error *err)
{
	int r = run_capture_store(writer, "source", pending->setting, pending->bytes, pending->n, pending->run, err);

	return r < 0 ? r : segment_append_run(writer, pending->run, err);
}

static int write_all(const char *directory, struct import *import, struct error *err)
{
	CLEANUP(segment_close) struct segment_writer *writer = NULL;
	char name[40];

	snprintf(name, sizeof(name), "import-%lld", (long long)import->known.last_import + 1);
	int r = segment_create(directory, name, import->plan->sha256, &writer, err);
	for (size_t i = 0; r == 0 && i < import->n; i++)
		r = write_run(writer, &import->pending[i], err);
	if (r < 0 && writer)
		segment_abandon(TAKE(writer));
	if (r < 0)
		return r;
	import->result->imported = import->n;
	import->result->segment = mem_dup_string(segment_name(writer));
	return 0;
}

int import_run(const char *directory, const struct plan *plan, const struct import_manifest *manifest,
	       struct import_result *ret_result, struct error *err)
{
	CLEANUP(import_release) struct import import = {.plan = plan, .manifest = manifest, .result = ret_result};

	*ret_result = (struct import_result){0};
	int r = read_known(directory, &import.known, err);
	for (size_t i = 0; r == 0 && i < manifest->n; i++)
		r = read_row(&import, &manifest->rows[i], err);
	if (r == 0 && import.n > 0)
		r = write_all(directory, &import, err);
	if (r < 0)
		import_result_release(ret_result);
	return r;
}

void import_result_release(struct import_result *result)
{
	text_release(&result->readings);
	free(result->segment);
	*result = (struct import_result){0};
}
