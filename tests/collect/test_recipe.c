#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/recipe.h"
#include "tests/collect/collect_fixture.h"

#include <string.h>

#define HARNESS "\"kind\":\"slice\",\"command\":[\"a\",\"b\"],\"ranks\":2,\"steps\":9"
#define SETTING "{\"name\":\"c\",\"env\":{\"A\":\"1\",\"B\":\"2\"},\"args\":[\"x\",\"y\"]}"

static void recipe_of(const char *design, const char *harness, const char *setting, char ret_hex[DIGEST_HEX])
{
	CLEANUP(text_release) struct text settings = {0};

	text_format(&settings, "[%s]", setting);
	CLEANUP(plan_free) struct plan *plan = read_plan(design, harness, text_string(&settings));
	recipe_digest(plan, &plan->harnesses[0], &plan->settings[0], ret_hex);
}

static void test_what_belongs_to_it(void **state)
{
	static const struct {
		const char *harness, *setting;
	} others[] = {
		{HARNESS ",\"nodes\":2", SETTING},
		{HARNESS ",\"discard\":1", SETTING},
		{HARNESS ",\"format\":\"megatron\"", SETTING},
		{HARNESS ",\"warmup\":6", SETTING},
		{HARNESS ",\"iterations\":21", SETTING},
		{HARNESS ",\"dtype\":\"bfloat16\"", SETTING},
		{HARNESS ",\"placement\":\"in_place\"", SETTING},
		{HARNESS ",\"op\":\"allreduce\"", SETTING},
		{HARNESS ",\"backend\":\"mpi\"", SETTING},
		{HARNESS ",\"bytes\":[8]", SETTING},
		{HARNESS ",\"units\":{\"time\":\"ms\"}", SETTING},
		{HARNESS ",\"pattern\":\"(?<time>[0-9]+)\"", SETTING},
		{"\"kind\":\"slice\",\"command\":[\"a\",\"b\"],\"ranks\":2,\"steps\":8", SETTING},
		{"\"kind\":\"slice\",\"command\":[\"a\",\"b\"],\"ranks\":3,\"steps\":9", SETTING},
		{"\"kind\":\"slice\",\"command\":[\"a b\"],\"ranks\":2,\"steps\":9", SETTING},
		{HARNESS, "{\"name\":\"c\",\"env\":{\"A\":\"1\",\"B\":\"3\"},\"args\":[\"x\",\"y\"]}"},
		{HARNESS, "{\"name\":\"c\",\"env\":{\"A\":\"1\",\"B\":\"2\"},\"args\":[\"y\",\"x\"]}"},
		{HARNESS,
		 "{\"name\":\"c\",\"env\":{\"A\":\"1\",\"B\":\"2\"},\"args\":[\"x\"],\"mpirun_args\":[\"y\"]}"},
	};
	enum { N = sizeof(others) / sizeof(others[0]) };
	char recipes[N + 1][DIGEST_HEX];

	(void)state;
	recipe_of(DESIGN("1"), HARNESS, SETTING, recipes[N]);
	for (size_t i = 0; i < N; i++) {
		recipe_of(DESIGN("1"), others[i].harness, others[i].setting, recipes[i]);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(recipes[i], recipes[j]);
		assert_string_not_equal(recipes[i], recipes[N]);
	}
}

static void test_what_does_not(void **state)
{
	static const char setting[] =
		"{\"name\":\"c\",\"title\":\"C\",\"env\":{\"B\":\"2\",\"A\":\"1\"},\"args\":[\"x\",\"y\"],"
		"\"expect\":{\"net\":\"IB\"},\"hypothesis\":{\"direction\":\"none\"}}";
	char plain[DIGEST_HEX], dressed[DIGEST_HEX];

	(void)state;
	recipe_of(DESIGN("1"), HARNESS, SETTING, plain);
	recipe_of(DESIGN("7"), HARNESS ",\"deadline_s\":7,\"headline_bytes\":8,\"peak_lr\":0.1", setting, dressed);
	assert_string_equal(plain, dressed);
}

/* The text is fixed: logs of earlier versions are compared with it. Its digest is sha256sum's. */
static void test_text(void **state)
{
	char hex[DIGEST_HEX];

	(void)state;
	recipe_of(DESIGN("1"), HARNESS, SETTING, hex);
	assert_string_equal(hex, "1a17c04381f769ccf058542fc29f0ab9279ba7bc3a939c829f59345779846efb");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_what_belongs_to_it),
		TEST(test_what_does_not),
		TEST(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
