#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/worker/bfloat16.h"

#include <math.h>
#include <string.h>

static float from_bits(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* By hand: sign, 8 bits of exponent, 7 of fraction kept; the 16 that go decide: above 0x8000 up, at 0x8000 to even. */
static void test_from_float(void **state)
{
	static const struct {
		uint32_t wide;
		uint16_t narrow;
	} cases[] = {
		{0x00000000, 0x0000},
		{0x80000000, 0x8000},
		{0x3f800000, 0x3f80},
		{0xc0490fdb, 0xc049},
		{0x3f807fff, 0x3f80},
		{0x3f808000, 0x3f80},
		{0x3f808001, 0x3f81},
		{0x3f818000, 0x3f82},
		{0xbf818000, 0xbf82},
		{0x3fffffff, 0x4000},
		{0x7f7f7fff, 0x7f7f},
		{0x7f7f8000, 0x7f80},
		{0x7f7fffff, 0x7f80},
		{0xff7fffff, 0xff80},
		{0x7f800000, 0x7f80},
		{0xff800000, 0xff80},
		/* subnormal numbers round as others do, and up into the normal ones */
		{0x00000001, 0x0000},
		{0x00008000, 0x0000},
		{0x00008001, 0x0001},
		{0x00018000, 0x0002},
		{0x80018000, 0x8002},
		{0x007f8000, 0x0080},
		{0x007f7fff, 0x007f},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint16_t got = bfloat16_from_float(from_bits(cases[i].wide));
		if (got != cases[i].narrow)
			fail_msg("0x%08x: got 0x%04x, expected 0x%04x", (unsigned)cases[i].wide, (unsigned)got,
				 (unsigned)cases[i].narrow);
	}
}

static void test_from_float__nan(void **state)
{
	/* Cut, the first would be an infinity; rounded, the second would be -0. */
	static const uint32_t nans[] = {0x7f800001, 0x7fffffff, 0xff800001, 0xffffffff, 0x7fc00000};

	(void)state;
	for (size_t i = 0; i < sizeof(nans) / sizeof(nans[0]); i++) {
		uint16_t got = bfloat16_from_float(from_bits(nans[i]));
		assert_true(isnan(bfloat16_to_float(got)));
		assert_int_equal(got >> 15, nans[i] >> 31);
	}
}

static void test_round_trip(void **state)
{
	(void)state;
	for (uint32_t bits = 0; bits <= 0xffff; bits++) {
		float value = bfloat16_to_float((uint16_t)bits);
		if (!isnan(value))
			assert_int_equal(bfloat16_from_float(value), bits);
	}
	for (int i = -256; i <= 256; i++)
		assert_true(bfloat16_to_float(bfloat16_from_float((float)i)) == (float)i);
}

static void test_add(void **state)
{
	/* From 256 on the numbers are 2 apart: 257 is a tie that goes to 256, 259 one that goes to 260. */
	static const float terms[] = {1, 3, 0.5F, -1, INFINITY};
	static const float before[] = {256, 256, 0.25F, 1, 1};
	static const float after[] = {256, 260, 0.75F, 0, INFINITY};
	enum { N = sizeof(terms) / sizeof(terms[0]) };
	uint16_t term[N], sum[N];

	(void)state;
	for (size_t i = 0; i < N; i++) {
		term[i] = bfloat16_from_float(terms[i]);
		sum[i] = bfloat16_from_float(before[i]);
	}
	bfloat16_add(term, sum, N);
	for (size_t i = 0; i < N; i++)
		assert_true(bfloat16_to_float(sum[i]) == after[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_from_float),
		cmocka_unit_test(test_from_float__nan),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_add),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
