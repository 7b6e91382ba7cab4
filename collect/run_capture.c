#include "collect/run_capture.h"

#include "base/text.h"
#include "collect/import/env_names.h"

#include <stdlib.h>
#include <string.h>

int run_capture_store(struct segment_writer *writer, const char *name, const struct plan_setting *setting,
		      const char *bytes, size_t n, struct run_record *run, struct error *err)
{
	CLEANUP(text_release) struct text kept = {0};
	CLEANUP(mem_free)
	char *cut = env_cut(bytes, n, (const char *const *)setting->env.names, setting->env.n, &kept);
	struct run_capture capture = {.bytes = (int64_t)kept.length};

	int r = segment_append_data(writer, text_string(&kept), kept.length, &capture.offset, capture.sha256, err);
	if (r < 0)
		return r;
	capture.name = mem_dup_string(name);
	capture.cut = TAKE(cut);
	size_t capacity = run->n_captures;
	run->captures = mem_grow(run->captures, &capacity, run->n_captures + 1, sizeof(capture));
	run->captures[run->n_captures++] = capture;
	return 0;
}
