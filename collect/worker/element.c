#include "collect/worker/element.h"

#include "collect/worker/bfloat16.h"

#include <string.h>

static void store_float32(void *at, int value)
{
	float f = (float)value;

	memcpy(at, &f, sizeof(f));
}

static double load_float32(const void *at)
{
	float f;

	memcpy(&f, at, sizeof(f));
	return (double)f;
}

static void store_float64(void *at, int value)
{
	double d = value;

	memcpy(at, &d, sizeof(d));
}

static double load_float64(const void *at)
{
	double d;

	memcpy(&d, at, sizeof(d));
	return d;
}

static void store_bfloat16(void *at, int value)
{
	uint16_t bits = bfloat16_from_float((float)value);

	memcpy(at, &bits, sizeof(bits));
}

static double load_bfloat16(const void *at)
{
	uint16_t bits;

	memcpy(&bits, at, sizeof(bits));
	return (double)bfloat16_to_float(bits);
}

const struct element elements[ELEMENT_N] = {
	{"float32", ELEMENT_FLOAT32, 4, store_float32, load_float32},
	{"float64", ELEMENT_FLOAT64, 8, store_float64, load_float64},
	{"bfloat16", ELEMENT_BFLOAT16, 2, store_bfloat16, load_bfloat16},
};

const struct element *element_find(const char *name)
{
	for (size_t i = 0; i < ELEMENT_N; i++)
		if (strcmp(elements[i].name, name) == 0)
			return &elements[i];
	return NULL;
}

void element_tile(unsigned char *buffer, size_t bytes, size_t pattern)
{
	for (size_t done = pattern; done < bytes;) {
		size_t n = bytes - done < done ? bytes - done : done;
		memcpy(buffer + done, buffer, n);
		done += n;
	}
}
