/*
 * assay-worker-mpi: measures one MPI collective and prints raw samples (collect/import/worker_protocol.h) on the
 * standard output of rank 0. Started by mpirun or srun; see options.h for its command line.
 *
 * Exit codes: 0 measured, and also when results were wrong, which the check lines say: another code would only add
 * the launcher's own words; 2 usage; 4 no memory, or output that cannot be written. What the MPI library finds wrong
 * ends the job by its own hand.
 */
#include "collect/worker/options.h"
#include "collect/worker/protocol.h"
#include "collect/worker/sampler.h"
#include "collect/worker/transport.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

static int measure(const struct transport *transport, const struct transport_place *place, int argc, char **argv,
		   struct protocol *protocol, struct error *err)
{
	CLEANUP(options_release) struct options options = {0};
	CLEANUP(text_release) struct text library = {0};

	transport->library(&library);
	protocol_line(protocol, "begin %s", transport->backend);
	protocol_line(protocol, "library %s", text_string(&library));
	int r = options_parse(argc, argv, &options, err);
	if (r < 0)
		return r;
	r = sampler_run(transport, place, &options, protocol, err);
	if (r < 0)
		return r;
	protocol_end(protocol);
	if (protocol->out && ferror(protocol->out))
		return error_set(err, ERROR_ENVIRONMENT, "standard output cannot be written");
	return 0;
}

int main(int argc, char **argv)
{
	const struct transport *transport = &transport_mpi;
	struct transport_place place;
	struct error err;

	/* A launcher that is killed cannot end its ranks, and a rank that waits for others never would. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);

	transport->begin(&argc, &argv, &place);
	struct protocol protocol = {.out = place.rank == 0 ? stdout : NULL};
	int r = measure(transport, &place, argc, argv, &protocol, &err);
	if (r < 0 && place.rank == 0) {
		fprintf(stderr, "assay-worker-mpi: %s\n", err.message);
		protocol_line(&protocol, "error %s", err.message);
		protocol_flush(&protocol);
	}
	transport->finish();
	return r < 0 ? error_exit_code(r) : 0;
}
