#include "collect/worker/train/trace.h"

#include "base/file.h"
#include "base/json_writer.h"

#include <stdlib.h>

void trace_add(struct trace_track *track, const struct trace_event *event)
{
	if (track->state == TRACE_OFF)
		return;
	track->events = mem_grow(track->events, &track->capacity, track->n + 1, sizeof(*track->events));
	track->events[track->n++] = *event;
}

void trace_track_release(struct trace_track *track)
{
	free(track->events);
	*track = (struct trace_track){0};
}

static void write_event(struct json_writer *json, enum trace_thread thread, const struct trace_event *event,
			double origin_s)
{
	CLEANUP(text_release) struct text name = {0};

	text_add(&name, event->name);
	if (event->number != TRACE_NO_NUMBER)
		text_format(&name, " %lld", (long long)event->number);
	json_write_begin_object(json);
	json_write_key_string(json, "name", text_string(&name));
	json_write_key_string(json, "ph", "X");
	json_write_key_number(json, "ts", (event->start_s - origin_s) * 1e6);
	json_write_key_number(json, "dur", (event->end_s - event->start_s) * 1e6);
	json_write_key_integer(json, "pid", 0);
	json_write_key_integer(json, "tid", thread);
	json_write_key(json, "args");
	json_write_begin_object(json);
	json_write_key_integer(json, "step", event->step);
	if (event->micro != TRACE_NO_NUMBER)
		json_write_key_integer(json, "micro_step", event->micro);
	if (event->bytes > 0)
		json_write_key_integer(json, "bytes", event->bytes);
	json_write_end_object(json);
	json_write_end_object(json);
}

int trace_write(const char *path, const struct trace_track tracks[TRACE_THREADS], double origin_s, struct error *err)
{
	CLEANUP(json_writer_release) struct json_writer json = {.open_depth = 1};

	json_write_begin_array(&json);
	for (enum trace_thread thread = 0; thread < TRACE_THREADS; thread++)
		for (size_t i = 0; i < tracks[thread].n; i++)
			write_event(&json, thread, &tracks[thread].events[i], origin_s);
	json_write_end_array(&json);
	return file_replace(path, json.text.bytes, json.text.length, err);
}
