#include "collect/worker/train/buckets.h"

#include <stdlib.h>

void buckets_init(struct buckets *buckets, const struct mlp *mlp, double mb)
{
	double wanted = mb * 1048576 / sizeof(float);
	size_t most = mlp->n_parameters, size = wanted >= (double)most ? most : (size_t)wanted;

	if (size == 0)
		size = 1;
	buckets->n = (most + size - 1) / size;
	buckets->items = mem_new(buckets->n, sizeof(*buckets->items));
	for (size_t i = 0; i < buckets->n; i++) {
		size_t first = i * size;
		buckets->items[i] = (struct bucket){first, most - first < size ? most - first : size};
	}
}

void buckets_release(struct buckets *buckets)
{
	free(buckets->items);
	*buckets = (struct buckets){0};
}

size_t buckets_ready(const struct buckets *buckets, const struct mlp *mlp, size_t layer)
{
	const struct mlp_layer *done = &mlp->layers[layer];
	size_t end = done->offset + (done->inputs + 1) * done->outputs, ready = 0;

	while (ready < buckets->n && buckets->items[ready].first + buckets->items[ready].n <= end)
		ready++;
	return ready;
}
