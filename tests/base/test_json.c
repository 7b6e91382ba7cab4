#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"

#include <math.h>
#include <string.h>

static int parse(const char *text, struct error *err)
{
	CLEANUP(json_free) cJSON *tree = NULL;

	return json_parse(text, strlen(text), "f.json", 1, &tree, err);
}

static void test_parse__accepts(void **state)
{
	static const char *const good[] = {"{}", " [1, -0.5e3, true, null, \"\\u00e9\\ud83d\\ude00\"]\n", "\"a\\\"b\"",
					   "0"};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_int_equal(parse(good[i], NULL), 0);
}

static void test_parse__refuses(void **state)
{
	static const char *const bad[] = {
		"",
		"{} x",
		"{\"a\":1,\"a\":2}",
		"[{\"b\":{\"a\":1,\"a\":2}}]",
		"\"\xff\"",
		"1e999",
		"[1,]",
		"[01]",
		"[+1]",
		"[1.]",
		"[.5]",
		"[nan]",
		"{\"a\" 1}",
		"\"a",
		"\"\\ud800\"",
		"\"\\u0000\"",
		"\"a\nb\"",
		"\"\\x\"",
		"[1 2]",
		"tru",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (parse(bad[i], NULL) != ERROR_DATA)
			fail_msg("accepted %s", bad[i]);
	}
}

static void test_parse__names_the_line(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(parse("{\n\"a\": 1,\n\"b\" 2}", &err), ERROR_DATA);
	assert_non_null(strstr(err.message, "f.json:3:"));
	assert_int_equal(parse("{\n\"a\": \"\xff\"}", &err), ERROR_DATA);
	assert_non_null(strstr(err.message, "f.json:2: invalid UTF-8"));
}

static void test_parse__deep(void **state)
{
	char deep[2001];

	(void)state;
	memset(deep, '[', 2000);
	deep[2000] = '\0';
	assert_int_equal(parse(deep, NULL), ERROR_DATA);
}

struct sample {
	char *name;
	double x;
	int64_t n;
	int64_t *list;
	size_t n_list;
};

static const struct json_field sample_fields[] = {
	{.name = "name", .type = JSON_STRING, .flags = JSON_REQUIRED, .offset = offsetof(struct sample, name)},
	{.name = "x",
	 .type = JSON_NUMBER,
	 .flags = JSON_NULLABLE | JSON_REASON | JSON_ABOVE | JSON_BELOW,
	 .min = 0,
	 .max = 10,
	 .offset = offsetof(struct sample, x)},
	{.name = "n", .type = JSON_INTEGER, .offset = offsetof(struct sample, n)},
	{.name = "list",
	 .type = JSON_INTEGERS,
	 .offset = offsetof(struct sample, list),
	 .count = offsetof(struct sample, n_list)},
};
static const struct json_map sample_map = {.fields = sample_fields, .n = 4, .size = sizeof(struct sample)};

static int read_sample(const char *text, struct sample *sample, struct error *err)
{
	CLEANUP(json_free) cJSON *tree = NULL;

	assert_int_equal(json_parse(text, strlen(text), "f", 1, &tree, err), 0);
	json_init_struct(&sample_map, sample);
	return json_read_struct(tree, &sample_map, "f", "", sample, err);
}

static void test_map__round_trip(void **state)
{
	CLEANUP(json_writer_release) struct json_writer writer = {0};
	struct sample sample;

	(void)state;
	assert_int_equal(read_sample("{\"list\":[1,2],\"name\":\"a\",\"x\":0.1}", &sample, NULL), 0);
	assert_int_equal(sample.n, -1);
	json_write_struct(&writer, &sample_map, &sample);
	assert_string_equal(text_string(&writer.text), "{\"name\":\"a\",\"x\":0.1,\"list\":[1,2]}");
	json_release_struct(&sample_map, &sample);
}

static void test_map__null_has_reason(void **state)
{
	CLEANUP(json_writer_release) struct json_writer writer = {0};
	struct sample sample;

	(void)state;
	assert_int_equal(read_sample("{\"name\":\"a\",\"x\":null}", &sample, NULL), 0);
	assert_true(isnan(sample.x));
	json_write_struct(&writer, &sample_map, &sample);
	assert_string_equal(text_string(&writer.text),
			    "{\"name\":\"a\",\"x\":null,\"x_reason\":\"not determined\",\"list\":[]}");
	json_release_struct(&sample_map, &sample);
}

static void test_map__errors(void **state)
{
	static const char *const cases[][2] = {
		{"{\"nmae\":\"a\"}", "f: nmae: unknown key, did you mean 'name'?"},
		{"{\"name\":1}", "f: name: expected a string, got a number"},
		{"{\"x\":1}", "f: required key 'name' is missing"},
		{"{\"name\":\"a\",\"x\":0}", "f: x: 0 is out of range: it must be more than 0"},
		{"{\"name\":\"a\",\"x\":10}", "f: x: 10 is out of range: it must be less than 10"},
		{"{\"name\":\"a\",\"n\":1.5}", "f: n: expected an integer"},
		{"{\"name\":\"a\",\"list\":[1,\"b\"]}", "f: list[1]: expected an integer, got a string"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sample sample;
		struct error err;

		assert_int_equal(read_sample(cases[i][0], &sample, &err), ERROR_DATA);
		assert_string_equal(err.message, cases[i][1]);
		json_release_struct(&sample_map, &sample);
	}
}

static void test_writer__numbers_and_strings(void **state)
{
	CLEANUP(json_writer_release) struct json_writer writer = {0};

	(void)state;
	json_write_begin_array(&writer);
	json_write_number(&writer, 0.1);
	json_write_number(&writer, 1.0 / 3);
	json_write_number(&writer, 5e-324);
	json_write_number(&writer, (double)NAN);
	json_write_string(&writer, "a\"\\\n\x01\xff");
	json_write_end_array(&writer);
	assert_string_equal(
		text_string(&writer.text),
		"[0.1,0.3333333333333333,4.94065645841247e-324,null,\"a\\\"\\\\\\n\xef\xbf\xbd\xef\xbf\xbd\"]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse__accepts),        cmocka_unit_test(test_parse__refuses),
		cmocka_unit_test(test_parse__names_the_line), cmocka_unit_test(test_parse__deep),
		cmocka_unit_test(test_map__round_trip),       cmocka_unit_test(test_map__null_has_reason),
		cmocka_unit_test(test_map__errors),           cmocka_unit_test(test_writer__numbers_and_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
