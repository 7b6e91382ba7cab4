#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/collect/collect_fixture.h"

#include "base/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plan *read_plan(const char *design, const char *harness, const char *settings)
{
	CLEANUP(mem_free) char *path = path_join(folder, "campaign.json");
	CLEANUP(text_release) struct text text = {0};
	struct plan *plan = NULL;
	struct error err = {0};

	text_format(&text,
		    "{\"name\":\"p\",\"control\":\"c\",\"cluster\":\"here\",\"design\":%s,\"harnesses\":[{\"name\":"
		    "\"h\",%s}],"
		    "\"settings\":%s}",
		    design, harness, settings);
	assert_int_equal(file_replace(path, text.bytes, text.length, NULL), 0);
	if (plan_read(path, &plan, &err) < 0)
		fail_msg("%s", err.message);
	return plan;
}

struct plan *slice(const char *design, const char *script)
{
	CLEANUP(text_release) struct text harness = {0};

	text_format(&harness, "\"kind\":\"slice\",\"ranks\":2,\"deadline_s\":30," PATTERN ",\"command\":%s", script);
	return read_plan(design, text_string(&harness), TWO_SETTINGS);
}

void seen_release(struct seen *seen)
{
	text_release(&seen->runs);
	text_release(&seen->events);
	text_release(&seen->words);
	text_release(&seen->reason);
}

static int see_run(void *context, struct run_record *run, struct error *err)
{
	struct seen *seen = context;

	(void)err;
	text_format(&seen->runs, "%s:%s:%s:%s ", run->id, run_role_name(run->role), run->setting,
		    run_status_name(run->status));
	seen->external += run->external;
	seen->flags += run->flags.n;
	seen->timed += isfinite(run->elapsed_s);
	assert_int_equal(run->n_captures, 2);
	assert_string_equal(run->captures[0].name, "stdout");
	assert_string_equal(run->captures[1].name, "stderr");
	assert_string_equal(run->factors.cluster, "here");
	assert_int_equal(run->factors.ranks, 2);
	assert_non_null(run->started);
	assert_true(run->elapsed_s >= 0);
	if (run->reason) {
		text_clear(&seen->reason);
		text_add(&seen->reason, run->reason);
	}
	if (run->status == RUN_OK)
		assert_int_equal(run->tables[0].rows, 3);
	if (strcmp(run->setting, "s") == 0)
		assert_string_equal(string_map_get(&run->factors.env, "TRY"), "1");
	return 0;
}

static int see_block(void *context, const struct block_record *block, struct error *err)
{
	struct seen *seen = context;

	(void)err;
	seen->blocks++;
	seen->planned = block->n_planned;
	return 0;
}

static int see_block_end(void *context, const char *block, struct error *err)
{
	(void)block;
	(void)err;
	((struct seen *)context)->ends++;
	return 0;
}

static int see_host(void *context, const struct host_record *host, struct error *err)
{
	(void)host;
	(void)err;
	((struct seen *)context)->hosts++;
	return 0;
}

void read_log(struct seen *seen)
{
	struct campaign_visitor visitor = {.run = see_run,
					   .block = see_block,
					   .block_end = see_block_end,
					   .host = see_host,
					   .context = seen,
					   .load_tables = true};
	struct error err = {0};

	if (campaign_log_each(folder, &visitor, NULL, NULL, &err) < 0)
		fail_msg("%s", err.message);
}

void see_event(void *context, const struct collect_event *event)
{
	struct seen *seen = context;

	if (event->kind != COLLECT_TICK)
		text_add_char(&seen->events, "BXRrtEe"[event->kind]);
	if (event->text)
		text_format(&seen->words, "%s; ", event->text);
	if (event->kind == COLLECT_TICK && event->step != RECORD_UNSET) {
		seen->tick_step = event->step;
		seen->tick_loss = event->loss;
	}
	if (event->kind != COLLECT_TICK) {
		assert_int_equal(event->step, RECORD_UNSET);
		assert_true(isnan(event->loss));
	}
	assert_true(event->done <= event->total);
	seen->remaining_known = isfinite(event->remaining_s);
}

int collect(const struct plan *plan, const volatile sig_atomic_t *cancel, struct seen *seen,
	    struct collect_result *ret_result, struct error *err)
{
	struct collect_options options = {.directory = folder, .cancel = cancel, .report = see_event, .context = seen};

	err->message[0] = '\0';
	return collect_run(plan, &options, ret_result, err);
}

void collect_ok(const struct plan *plan, struct seen *seen, struct collect_result *ret_result)
{
	struct error err;

	if (collect(plan, NULL, seen, ret_result, &err) < 0)
		fail_msg("%s", err.message);
	read_log(seen);
}
