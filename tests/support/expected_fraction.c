/*
 * communication_fraction, communication_fraction_multi and loss_pairs of an expected.json.
 */
#include "tests/support/expected_check.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static bool is_name(const char *key)
{
	return text_equal(key, "harness") || text_equal(key, "setting") || text_equal(key, "control");
}

static void fraction_field(const cJSON *field, const struct doc_fraction *row)
{
	const char *key = field->string;
	const struct expected_value numbers[] = {
		{"payload_ratio", row->payload_ratio},
		{"f", row->f},
		{"recovered", row->recovered},
		{"total_at_least", row->total_at_least},
		{"ceiling_percent", row->ceiling_percent},
		{"df", row->df},
		{"blocks", (double)row->blocks},
	};

	if (is_name(key) || expected_value_field(field, numbers, sizeof(numbers) / sizeof(numbers[0])))
		return;
	if (text_equal(key, "f_ci95"))
		expected_interval(key, field, row->f_ci95);
	else if (text_equal(key, "f_ci95_delta"))
		expected_interval(key, field, row->f_ci95_delta);
	else if (text_equal(key, "recovered_ci95"))
		expected_interval(key, field, row->recovered_ci95);
	else if (text_equal(key, "exposed"))
		expected_interval(key, field, row->exposed);
	else if (text_equal(key, "ceiling_ci95_percent"))
		expected_interval(key, field, row->ceiling_ci95_percent);
	else if (text_equal(key, "model_violated"))
		expected_bool(key, field, row->model_violated);
	else if (text_equal(key, "resolved"))
		expected_bool(key, field, row->resolved);
	else
		expected_unknown(key);
}

void expected_fractions(const cJSON *list, const struct analysis_doc *doc)
{
	const cJSON *row, *field;

	cJSON_ArrayForEach(row, list)
	{
		const struct doc_fraction *found = NULL;
		expected_where("communication_fraction", row);
		for (size_t i = 0; i < doc->n_fractions && !found; i++)
			if (text_equal(doc->fractions[i].harness, expected_text_of(row, "harness")) &&
			    text_equal(doc->fractions[i].setting, expected_text_of(row, "setting")))
				found = &doc->fractions[i];
		if (expected_missing(found))
			continue;
		cJSON_ArrayForEach(field, row) fraction_field(field, found);
	}
	expected_where("communication_fraction", NULL);
	expected_number("count", &(cJSON){.type = cJSON_Number, .valuedouble = cJSON_GetArraySize(list)},
			(double)doc->n_fractions);
}

/* Ours are by setting; the list has the ratios alone. */
static void ratios_field(const cJSON *list, const struct doc_fraction_fit *row)
{
	const cJSON *item;
	size_t i = 0;

	expected_number("ratios.count", &(cJSON){.type = cJSON_Number, .valuedouble = cJSON_GetArraySize(list)},
			(double)row->n_ratios);
	cJSON_ArrayForEach(item, list)
	{
		expected_number("ratios", item, i < row->n_ratios ? row->ratios[i].log_gain : (double)NAN);
		i++;
	}
}

void expected_fraction_fits(const cJSON *list, const struct analysis_doc *doc)
{
	const cJSON *row, *field;

	cJSON_ArrayForEach(row, list)
	{
		const struct doc_fraction_fit *found = NULL;
		expected_where("communication_fraction_multi", row);
		for (size_t i = 0; i < doc->n_fraction_fits && !found; i++)
			if (text_equal(doc->fraction_fits[i].harness, expected_text_of(row, "harness")))
				found = &doc->fraction_fits[i];
		if (expected_missing(found))
			continue;
		const struct expected_value numbers[] = {
			{"f", found->f},
			{"df", found->df},
			{"blocks", (double)found->blocks},
			{"hinge_difference", found->hinge_difference},
			{"hinge_p", found->hinge_p},
		};
		cJSON_ArrayForEach(field, row)
		{
			const char *key = field->string;
			if (is_name(key) || expected_value_field(field, numbers, sizeof(numbers) / sizeof(numbers[0])))
				continue;
			if (text_equal(key, "ratios"))
				ratios_field(field, found);
			else if (text_equal(key, "f_ci95"))
				expected_interval(key, field, found->f_ci95);
			else
				expected_unknown(key);
		}
	}
}

void expected_loss_pairs(const cJSON *list, const struct analysis_doc *doc)
{
	const cJSON *row, *field;

	cJSON_ArrayForEach(row, list)
	{
		const struct doc_loss_pair *found = NULL;
		expected_where("loss_pairs", row);
		for (size_t i = 0; i < doc->n_loss_pairs && !found; i++)
			if (text_equal(doc->loss_pairs[i].harness, expected_text_of(row, "harness")) &&
			    text_equal(doc->loss_pairs[i].setting, expected_text_of(row, "setting")))
				found = &doc->loss_pairs[i];
		if (expected_missing(found))
			continue;
		const struct expected_value numbers[] = {
			{"blocks", (double)found->blocks},
			{"steps", (double)found->steps},
			{"control_loss", found->control_loss},
			{"treatment_loss", found->treatment_loss},
			{"difference_percent", found->difference_percent},
			{"tolerance_percent", found->tolerance_percent},
		};
		cJSON_ArrayForEach(field, row)
		{
			const char *key = field->string;
			if (is_name(key) || expected_value_field(field, numbers, sizeof(numbers) / sizeof(numbers[0])))
				continue;
			if (text_equal(key, "difference_ci95_percent"))
				expected_interval(key, field, found->difference_ci95_percent);
			else if (text_equal(key, "verdict"))
				expected_string(key, field, found->verdict);
			else
				expected_unknown(key);
		}
	}
}
