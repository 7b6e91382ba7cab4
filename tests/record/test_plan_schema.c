#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/fields.h"
#include "tests/record/schema_walk.h"

static void test_same(void **state)
{
	(void)state;
	schema_compare("record/campaign.schema.json", &plan_map, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_same)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
