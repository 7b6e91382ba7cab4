#include "collect/worker/train/step_log.h"

#include <math.h>
#include <string.h>

void step_log_begin(const struct step_log *log, const struct step_facts *facts)
{
	const struct train_options *options = log->options;
	const struct place *place = facts->place;

	if (!log->out)
		return;
	fprintf(log->out, "assay-worker-train %s on %.*s\n", ASSAY_VERSION, (int)strcspn(facts->library, "\n"),
		facts->library);
	if (options->throttle_mbit > 0)
		fprintf(log->out, "throttled link: %g Mbit/s (a study: not what this machine can do)\n",
			options->throttle_mbit);
	fprintf(log->out,
		"ranks: %d | ranks on the host of rank 0: %d | cores of rank 0: %d | communication thread: %s\n",
		place->n_ranks, place->host_ranks, place->cores, place_wait_name(place->wait));
	fprintf(log->out, "micro batch: %lld | micro-steps: %lld | layers: %lld | width: %lld | parameters: %zu\n",
		(long long)options->micro_batch, (long long)facts->micro_steps, (long long)options->layers,
		(long long)options->width, facts->n_parameters);
	fprintf(log->out,
		"buckets: %zu of %g MiB | gradient dtype: %s | warm-up steps: %lld | momentum: %g | seed: %lld\n",
		facts->n_buckets, options->bucket_mb, grad_dtype_names[options->grad_dtype],
		(long long)options->warmup_steps, options->momentum, (long long)options->seed);
	fflush(log->out);
}

static void write_line(const struct step_log *log, const struct step_values *values)
{
	const struct train_options *options = log->options;
	const double n = (double)log->n, ms = 1e3 / n;

	fprintf(log->out,
		" iteration %8lld/%8lld | consumed samples: %12lld | elapsed time per iteration (ms): %.3f |"
		" learning rate: %.6E | global batch size: %5lld | lm loss: %.9E | loss scale: 1.0 | grad norm: %.6f |"
		" number of skipped iterations:   0 | number of nan iterations: %3lld | data wait (ms): %.3f |"
		" exposed communication (ms): %.3f |\n",
		(long long)values->step, (long long)options->steps, (long long)(values->step * options->global_batch),
		log->step_s * ms, values->rate, (long long)options->global_batch, log->loss / n, values->norm,
		(long long)log->nan, log->data_s * ms, log->exposed_s * ms);
	fflush(log->out);
}

void step_log_add(struct step_log *log, const struct step_values *values)
{
	if (!log->out)
		return;
	log->n++;
	log->nan += !isfinite(values->loss) || !isfinite(values->norm);
	log->loss += values->loss;
	log->step_s += values->step_s;
	log->data_s += values->data_s;
	log->exposed_s += values->exposed_s;
	if (values->step % log->options->log_every != 0 && values->step != log->options->steps)
		return;
	write_line(log, values);
	*log = (struct step_log){.out = log->out, .options = log->options};
}
