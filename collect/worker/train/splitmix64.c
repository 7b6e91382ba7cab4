#include "collect/worker/train/splitmix64.h"

uint64_t splitmix64_at(uint64_t seed, uint64_t index)
{
	uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

float splitmix64_unit_variance(uint64_t seed, uint64_t index)
{
	const double root3 = 1.7320508075688772;
	double part = (double)(splitmix64_at(seed, index) >> 11) * 0x1p-53;

	return (float)((2 * part - 1) * root3);
}
