/*
 * parity of an expected.json.
 */
#include "tests/support/expected_check.h"

#include <math.h>
#include <string.h>

struct number {
	const char *key;
	double value;
};

static bool same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static const char *text_of(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(item) ? item->valuestring : NULL;
}

static void numbers_of(const cJSON *object, const struct number *numbers, size_t n)
{
	const cJSON *field;

	cJSON_ArrayForEach(field, object)
	{
		size_t i = 0;
		while (i < n && !same(field->string, numbers[i].key))
			i++;
		if (i < n)
			expected_number(field->string, field, numbers[i].value);
		else
			expected_unknown(field->string);
	}
}

static void check_set(const cJSON *object, const struct doc_ratio_set *set)
{
	const cJSON *field;

	cJSON_ArrayForEach(field, object)
	{
		if (same(field->string, "type"))
			expected_string("type", field, set->type);
		else if (same(field->string, "lo"))
			expected_number("lo", field, set->lo);
		else if (same(field->string, "hi"))
			expected_number("hi", field, set->hi);
		else if (same(field->string, "df"))
			expected_number("df", field, set->df);
		else
			expected_unknown(field->string);
	}
}

static void check_setting(const cJSON *object, const struct doc_parity_setting *row)
{
	const cJSON *field;

	cJSON_ArrayForEach(field, object)
	{
		const char *key = field->string;
		if (same(key, "setting") || same(key, "why")) /* prose is not compared */
			continue;
		if (same(key, "x_log_gain"))
			expected_number(key, field, row->x_log_gain);
		else if (same(key, "y_log_gain"))
			expected_number(key, field, row->y_log_gain);
		else if (same(key, "ratio"))
			expected_number(key, field, row->ratio);
		else if (same(key, "fieller"))
			check_set(field, &row->fieller);
		else if (same(key, "class"))
			expected_string(key, field, row->class_name);
		else
			expected_unknown(key);
	}
}

static const struct doc_parity *find_pair(const struct analysis_doc *doc, const cJSON *object)
{
	for (size_t i = 0; i < doc->n_parities; i++)
		if (same(doc->parities[i].bench, text_of(object, "bench")) &&
		    same(doc->parities[i].slice, text_of(object, "slice")))
			return &doc->parities[i];
	return NULL;
}

static const struct doc_parity_setting *find_setting(const struct doc_parity *parity, const char *name)
{
	for (size_t i = 0; i < parity->n_settings; i++)
		if (same(parity->settings[i].setting, name))
			return &parity->settings[i];
	return NULL;
}

static void check_ranking(const cJSON *object, const struct doc_parity_ranking *row)
{
	const struct number numbers[] = {
		{"settings", (double)row->settings},
		{"tau_b", row->tau_b},
		{"p_exact", row->p_exact},
		{"spearman", row->spearman},
		{"resolved_agree", (double)row->agree},
		{"resolved_reversed", (double)row->reversed},
		{"unresolved", (double)row->unresolved},
	};

	numbers_of(object, numbers, sizeof(numbers) / sizeof(numbers[0]));
}

static void check_sentence(const cJSON *object, const struct doc_parity_sentence *row)
{
	const struct number numbers[] = {
		{"benchmark_wins", (double)row->benchmark_wins},
		{"win", (double)row->win},
		{"null", (double)row->null},
		{"harm", (double)row->harm},
		{"crashed", (double)row->crashed},
	};

	numbers_of(object, numbers, sizeof(numbers) / sizeof(numbers[0]));
}

static void check_pair(const cJSON *object, const struct doc_parity *parity)
{
	const cJSON *field, *setting;

	cJSON_ArrayForEach(field, object)
	{
		const char *key = field->string;
		if (same(key, "bench") || same(key, "slice"))
			continue;
		if (same(key, "ranking"))
			check_ranking(field, &parity->ranking);
		else if (same(key, "sentence"))
			check_sentence(field, &parity->sentence);
		else if (!same(key, "settings"))
			expected_unknown(key);
		if (!same(key, "settings"))
			continue;
		cJSON_ArrayForEach(setting, field)
		{
			const struct doc_parity_setting *row = find_setting(parity, text_of(setting, "setting"));
			expected_where("parity", setting);
			if (!expected_missing(row))
				check_setting(setting, row);
		}
	}
}

void expected_parities(const cJSON *list, const struct analysis_doc *doc)
{
	const cJSON *object;

	cJSON_ArrayForEach(object, list)
	{
		const struct doc_parity *parity = find_pair(doc, object);
		expected_where("parity", object);
		if (!expected_missing(parity))
			check_pair(object, parity);
	}
}
