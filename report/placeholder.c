#include "report/placeholder.h"

#include "report/answer.h"
#include "report/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum value_kind { VALUE_TEXT, VALUE_NUMBER, VALUE_INTEGER };

struct value {
	enum value_kind kind;
	const char *text;
	double number;
	int64_t integer;
};

static const char *const verdicts[] = {"void", "no_number",     "null",           "immaterial", "win",
				       "harm", "win_size_open", "harm_size_open", "unreadable", NULL};

static int64_t count_verdict(const struct analysis_doc *doc, const char *verdict)
{
	int64_t n = 0;
	for (size_t i = 0; i < doc->n_effects; i++)
		n += doc->effects[i].verdict && strcmp(doc->effects[i].verdict, verdict) == 0;
	return n;
}

static bool lookup(const struct analysis_doc *doc, const char *path, struct text *owned, struct value *ret)
{
	const struct {
		const char *path;
		struct value value;
	} scalars[] = {
		{"name", {.kind = VALUE_TEXT, .text = doc->name}},
		{"question", {.kind = VALUE_TEXT, .text = doc->question}},
		{"cluster", {.kind = VALUE_TEXT, .text = doc->cluster}},
		{"control", {.kind = VALUE_TEXT, .text = doc->control}},
		{"plan_sha256", {.kind = VALUE_TEXT, .text = doc->plan_sha256}},
		{"sha256", {.kind = VALUE_TEXT, .text = doc->sha256}},
		{"first_started", {.kind = VALUE_TEXT, .text = doc->first_started}},
		{"last_started", {.kind = VALUE_TEXT, .text = doc->last_started}},
		{"margin_percent", {.kind = VALUE_NUMBER, .number = doc->margin_percent}},
		{"seed", {.kind = VALUE_INTEGER, .integer = doc->seed}},
		{"count.runs", {.kind = VALUE_INTEGER, .integer = (int64_t)doc->n_runs}},
		{"count.lost_runs", {.kind = VALUE_INTEGER, .integer = (int64_t)doc->n_lost_runs}},
		{"count.effects", {.kind = VALUE_INTEGER, .integer = (int64_t)doc->n_effects}},
		{"count.harnesses", {.kind = VALUE_INTEGER, .integer = (int64_t)doc->n_harnesses}},
		{"count.inputs", {.kind = VALUE_INTEGER, .integer = (int64_t)doc->n_inputs}},
		{"count.void_pairs", {.kind = VALUE_INTEGER, .integer = (int64_t)doc->n_voids}},
		{"count.findings", {.kind = VALUE_INTEGER, .integer = (int64_t)doc->n_findings}},
		{"count.questions", {.kind = VALUE_INTEGER, .integer = (int64_t)doc->n_questions}},
	};
	for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
		if (strcmp(path, scalars[i].path) == 0) {
			*ret = scalars[i].value;
			return true;
		}
	}
	for (size_t i = 0; strncmp(path, "count.", 6) == 0 && verdicts[i]; i++) {
		if (strcmp(path + 6, verdicts[i]) == 0) {
			*ret = (struct value){.kind = VALUE_INTEGER, .integer = count_verdict(doc, verdicts[i])};
			return true;
		}
	}
	*ret = (struct value){.kind = VALUE_TEXT};
	if (strcmp(path, "answer.headline") == 0)
		answer_headline(doc, owned);
	else if (strcmp(path, "answer.standfirst") == 0)
		answer_standfirst(doc, owned);
	else if (strncmp(path, "version.", 8) == 0)
		text_add(owned, string_map_get(&doc->versions, path + 8) ? string_map_get(&doc->versions, path + 8)
									 : FORMAT_DASH);
	else if (strncmp(path, "title.", 6) == 0)
		format_setting(owned, doc, path + 6);
	else
		return false;
	ret->text = text_string(owned);
	return true;
}

static int put(const struct value *value, const char *format, struct text *out, struct error *err, const char *path)
{
	const char *text = value->text && *value->text ? value->text : NULL;
	bool plain = *format == '\0';
	if (value->kind == VALUE_TEXT && (plain || strcmp(format, "text") == 0))
		text_add(out, text ? text : FORMAT_DASH);
	else if (value->kind == VALUE_TEXT && strcmp(format, "date") == 0)
		format_date(out, text);
	else if (value->kind == VALUE_TEXT && strcmp(format, "digest") == 0)
		format_digest(out, text);
	else if (value->kind == VALUE_NUMBER && (plain || strcmp(format, "number") == 0))
		format_number(out, value->number, FORMAT_SIGN_MINUS_ONLY);
	else if (value->kind == VALUE_NUMBER && strcmp(format, "percent") == 0)
		format_margin(out, value->number);
	else if (value->kind == VALUE_INTEGER && (plain || strcmp(format, "number") == 0))
		text_format(out, "%" PRId64, value->integer);
	else if (value->kind == VALUE_INTEGER && strcmp(format, "words") == 0 && value->integer >= 0)
		format_count(out, (size_t)value->integer);
	else
		return error_set(err, ERROR_DATA, "'%s' has no format '%s'", path, format);
	return 0;
}

int placeholder_resolve(const struct analysis_doc *doc, const char *path, size_t n, struct text *out, struct error *err)
{
	CLEANUP(mem_free) char *name = mem_dup_bytes(path, n);
	CLEANUP(text_release) struct text owned = {0};
	struct value value;
	char *colon = strchr(name, ':');
	if (colon)
		*colon = '\0';
	if (*name == '\0' || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.") != strlen(name))
		return error_set(err, ERROR_DATA, "'{{%s}}' is no path: a-z, 0-9, '_' and '.' only", name);
	if (!lookup(doc, name, &owned, &value))
		return error_set(err, ERROR_DATA, "unknown placeholder '%s' (templates/README.md lists them)", name);
	return put(&value, colon ? colon + 1 : "", out, err, name);
}
