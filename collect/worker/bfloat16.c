#include "collect/worker/bfloat16.h"

#include <string.h>

float bfloat16_to_float(uint16_t bits)
{
	uint32_t wide = (uint32_t)bits << 16;
	float value;

	memcpy(&value, &wide, sizeof(value));
	return value;
}

uint16_t bfloat16_from_float(float value)
{
	uint32_t wide;

	memcpy(&wide, &value, sizeof(wide));
	/* Rounding would carry a NaN's fraction into exponent and sign, cutting could leave an infinity. */
	if ((wide & 0x7fffffffU) > 0x7f800000U)
		return (uint16_t)(wide >> 16 | 0x0040U);
	uint32_t odd = wide >> 16 & 1U;
	return (uint16_t)((wide + 0x7fffU + odd) >> 16);
}

void bfloat16_add(const uint16_t *term, uint16_t *sum, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sum[i] = bfloat16_from_float(bfloat16_to_float(term[i]) + bfloat16_to_float(sum[i]));
}
