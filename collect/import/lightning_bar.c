#include "collect/import/lightning_bar.h"

#include "base/mem.h"
#include "collect/import/step_line.h"

#include <math.h>
#include <string.h>

struct bar {
	double epoch, done, total, rate; /* steps/s */
	const char *rest;                /* behind the rate */
};

/* "50.70it/s" or "1.25s/it" */
static const char *read_rate(const char *s, double *ret_rate)
{
	double number = NAN;
	const char *end = step_number(s, &number);

	if (!end || !(number > 0))
		return NULL;
	if (strncmp(end, "it/s", 4) != 0 && strncmp(end, "s/it", 4) != 0)
		return NULL;
	*ret_rate = *end == 'i' ? number : 1 / number;
	return end + 4;
}

static bool read_bar(const char *text, struct bar *ret)
{
	const char *s = step_numbered(text, "Epoch"), *end = s ? step_number(s + strlen("Epoch"), &ret->epoch) : NULL;

	if (!end || *end != ':')
		return false;
	for (s = strchr(end, '|'); s; s = strchr(s + 1, '|')) {
		end = step_number(s + 1, &ret->done);
		if (!end || *end != '/' || !(end = step_number(end + 1, &ret->total)) || strncmp(end, " [", 2) != 0)
			continue;
		const char *rate = strchr(end, ',');
		ret->rest = rate ? read_rate(rate + 1, &ret->rate) : NULL;
		return ret->rest && ret->done >= 1 && ret->total >= ret->done && ret->total < 1e15;
	}
	return false;
}

static double loss_of(const char *rest)
{
	static const char *const words[] = {"loss", "train_loss", "train/loss", "train_loss_step", "loss_step"};
	double loss = NAN;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (step_value(rest, words[i], &loss))
			break;
	return loss;
}

void lightning_bar_read(const struct clean_lines *lines, struct iterations *ret_iterations)
{
	*ret_iterations = (struct iterations){0};
	for (size_t i = 0; i < lines->n; i++) {
		struct bar bar = {0};
		if (lines->items[i].nccl || !read_bar(lines->items[i].text, &bar))
			continue;
		ret_iterations->total = (int64_t)bar.total;
		struct iteration *row = iterations_add(ret_iterations, lines->items[i].line);
		iterations_set(ret_iterations, row, ITERATION_STEP, bar.epoch * bar.total + bar.done);
		iterations_set(ret_iterations, row, ITERATION_THROUGHPUT, bar.rate);
		if (!isnan(loss_of(bar.rest)) || strstr(bar.rest, "loss=nan"))
			iterations_set(ret_iterations, row, ITERATION_LOSS, loss_of(bar.rest));
	}
	iterations_merge_streams(ret_iterations);
	if (ret_iterations->n == 0)
		return;
	ret_iterations->throughput_unit = mem_dup_string("steps/s");
	string_list_add(&ret_iterations->flags,
			"the throughput is the smoothed rate of a progress bar, not of each step");
}

bool lightning_bar_detect(const struct clean_lines *lines)
{
	struct bar bar = {0};

	for (size_t i = 0; i < lines->n; i++)
		if (!lines->items[i].nccl && read_bar(lines->items[i].text, &bar))
			return true;
	return false;
}
