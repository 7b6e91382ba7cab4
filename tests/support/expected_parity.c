/*
 * parity of an expected.json.
 */
#include "tests/support/expected_check.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static void numbers_of(const cJSON *object, const struct expected_value *numbers, size_t n)
{
	const cJSON *field;

	cJSON_ArrayForEach(field, object)
	{
		if (!expected_value_field(field, numbers, n))
			expected_unknown(field->string);
	}
}

static void check_set(const cJSON *object, const struct doc_ratio_set *set)
{
	const struct expected_value values[] = {{"lo", set->lo}, {"hi", set->hi}, {"df", set->df}};
	const cJSON *field;

	cJSON_ArrayForEach(field, object)
	{
		if (text_equal(field->string, "type"))
			expected_string("type", field, set->type);
		else if (!expected_value_field(field, values, sizeof(values) / sizeof(values[0])))
			expected_unknown(field->string);
	}
}

static void check_setting(const cJSON *object, const struct doc_parity_setting *row)
{
	const struct expected_value values[] = {
		{"x_log_gain", row->x_log_gain}, {"y_log_gain", row->y_log_gain}, {"ratio", row->ratio}};
	const cJSON *field;

	cJSON_ArrayForEach(field, object)
	{
		const char *key = field->string;
		if (text_equal(key, "setting") || text_equal(key, "why")) /* prose is not compared */
			continue;
		if (expected_value_field(field, values, sizeof(values) / sizeof(values[0])))
			continue;
		if (text_equal(key, "fieller"))
			check_set(field, &row->fieller);
		else if (text_equal(key, "class"))
			expected_string(key, field, row->class_name);
		else
			expected_unknown(key);
	}
}

static const struct doc_parity *find_pair(const struct analysis_doc *doc, const cJSON *object)
{
	for (size_t i = 0; i < doc->n_parities; i++)
		if (text_equal(doc->parities[i].bench, expected_text_of(object, "bench")) &&
		    text_equal(doc->parities[i].slice, expected_text_of(object, "slice")))
			return &doc->parities[i];
	return NULL;
}

static const struct doc_parity_setting *find_setting(const struct doc_parity *parity, const char *name)
{
	for (size_t i = 0; i < parity->n_settings; i++)
		if (text_equal(parity->settings[i].setting, name))
			return &parity->settings[i];
	return NULL;
}

static void check_ranking(const cJSON *object, const struct doc_parity_ranking *row)
{
	const struct expected_value numbers[] = {
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
	const struct expected_value numbers[] = {
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
		if (text_equal(key, "bench") || text_equal(key, "slice"))
			continue;
		if (text_equal(key, "ranking"))
			check_ranking(field, &parity->ranking);
		else if (text_equal(key, "sentence"))
			check_sentence(field, &parity->sentence);
		else if (!text_equal(key, "settings"))
			expected_unknown(key);
		if (!text_equal(key, "settings"))
			continue;
		cJSON_ArrayForEach(setting, field)
		{
			const struct doc_parity_setting *row =
				find_setting(parity, expected_text_of(setting, "setting"));
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
