/*
 * assay-worker-train: a small data-parallel training whose communication overlaps its backward pass, as a workload
 * whose losses can be checked. Started by mpirun or srun, or alone as one rank; see train_options.h for its command
 * line. The log goes to the standard output of rank 0.
 *
 * Exit codes: 0 trained; 2 usage; 3 the ranks' replicas differ; 4 no thread, or output that cannot be written. What the
 * MPI library finds wrong ends the job by its own hand.
 */
#include "collect/worker/train/trainer.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

static int train(int argc, char **argv, int level, const struct place *place, struct error *err)
{
	struct train_options options;
	int r = train_options_parse(argc, argv, &options, err);

	if (r < 0)
		return r;
	if (level < MPI_THREAD_SERIALIZED)
		return error_set(err, ERROR_ENVIRONMENT, "the MPI library allows no calls from a second thread");
	return trainer_run(&options, place, err);
}

int main(int argc, char **argv)
{
	struct place place;
	struct error err;
	int level = MPI_THREAD_SINGLE;

	/* A launcher that is killed cannot end its ranks, and a rank that waits for others never would. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);

	MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
	place_find(&place);
	int r = train(argc, argv, level, &place, &err);
	if (r < 0 && (place.rank == 0 || r == ERROR_ENVIRONMENT))
		fprintf(stderr, "assay-worker-train: %s\n", err.message);
	/* Of such an error the other ranks know nothing and would wait for this one. */
	if (r == ERROR_ENVIRONMENT)
		MPI_Abort(MPI_COMM_WORLD, error_exit_code(r));
	MPI_Finalize();
	return r < 0 ? error_exit_code(r) : 0;
}
