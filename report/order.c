#include "report/order.h"

#include "base/mem.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum order_family order_family_of(const struct doc_effect *effect)
{
	static const struct {
		const char *verdict;
		enum order_family family;
	} families[] = {
		{"win", ORDER_WIN},
		{"win_size_open", ORDER_WIN_OPEN},
		{"null", ORDER_NULL},
		{"immaterial", ORDER_NULL},
		{"harm", ORDER_HARM},
		{"harm_size_open", ORDER_HARM},
		{"unreadable", ORDER_UNREADABLE},
		{"void", ORDER_UNREADABLE},
		{"no_number", ORDER_NO_NUMBER},
	};
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (effect->verdict && strcmp(effect->verdict, families[i].verdict) == 0)
			return families[i].family;
	return ORDER_UNREADABLE;
}

bool order_is_slice(const struct analysis_doc *doc, const struct doc_effect *effect)
{
	const struct doc_harness *harness = analysis_doc_find_harness(doc, effect->harness);
	return harness && text_equal(harness->kind, "slice");
}

bool order_is_readable(const struct doc_effect *effect)
{
	enum order_family family = order_family_of(effect);
	if (string_list_has(&effect->qualifiers, ORDER_NOT_THE_TARGET))
		return false;
	return family == ORDER_WIN || family == ORDER_WIN_OPEN || family == ORDER_HARM ||
	       (effect->verdict && strcmp(effect->verdict, "immaterial") == 0);
}

/* "harness/setting"; a setting may hold a slash, a harness may too. */
static bool names(const char *on, const struct doc_effect *effect)
{
	size_t n = effect->harness ? strlen(effect->harness) : 0;

	return n > 0 && strncmp(on, effect->harness, n) == 0 && on[n] == '/' && text_equal(on + n + 1, effect->setting);
}

bool order_is_corrected(const struct analysis_doc *doc, const struct doc_effect *effect)
{
	for (size_t i = 0; i < doc->n_corrections; i++) {
		const char *on = doc->corrections[i].on;
		if (on && names(on, effect))
			return true;
		for (size_t r = 0; on && r < doc->n_runs; r++) {
			const struct doc_run *run = &doc->runs[r];
			const char *setting = run->observed ? run->observed : run->setting;
			if (text_equal(run->id, on) && text_equal(run->harness, effect->harness) &&
			    text_equal(setting, effect->setting))
				return true;
		}
	}
	return false;
}

static int compare(const void *left, const void *right)
{
	const struct doc_effect *a = *(const struct doc_effect *const *)left;
	const struct doc_effect *b = *(const struct doc_effect *const *)right;
	enum order_family fa = order_family_of(a);
	enum order_family fb = order_family_of(b);
	if (fa != fb)
		return fa < fb ? -1 : 1;
	if (isfinite(a->gain_percent) != isfinite(b->gain_percent))
		return isfinite(a->gain_percent) ? -1 : 1;
	if (isfinite(a->gain_percent) && fabs(a->gain_percent - b->gain_percent) > 0)
		return a->gain_percent > b->gain_percent ? -1 : 1;
	return a < b ? -1 : a > b; /* the document's own order */
}

const struct doc_effect **order_effects(const struct analysis_doc *doc)
{
	const struct doc_effect **sorted = mem_new(doc->n_effects + 1, sizeof *sorted);
	for (size_t i = 0; i < doc->n_effects; i++)
		sorted[i] = &doc->effects[i];
	qsort(sorted, doc->n_effects, sizeof *sorted, compare);
	return sorted;
}
