# Sourced by the worker's tests: launch RANKS WORD... puts the protocol into $lines and the exit code into $status.
worker=$1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Waiting ranks give way: there may be fewer cores than ranks.
export OMPI_MCA_mpi_yield_when_idle=1
# MPI keeps memory to its end, an interposer is loaded before the sanitizer, and memory may be refused.
export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0:allocator_may_return_null=1
launcher=()
lines=$(mktemp) && words=$(mktemp) || exit 4
trap 'rm -f "$lines" "$words"' EXIT

launch() {
	local ranks=$1
	shift
	status=0
	mpirun -n "$ranks" --oversubscribe "${launcher[@]}" "$worker" "$@" >"$lines" 2>"$words" || status=$?
}

fail() {
	echo "$1"
	cat "$lines" "$words"
	exit 1
}
