# Sourced by the trainer's tests. train FILE RANKS WORD... puts the log into $work/FILE and the exit code into $status;
# RANKS 0: without a launcher. The shape is small, so that it also does under a sanitizer.
worker=$1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Waiting ranks give way: there may be fewer cores than ranks.
export OMPI_MCA_mpi_yield_when_idle=1
# MPI keeps memory to its end.
export ASAN_OPTIONS=detect_leaks=0
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
launcher=()
small=(--layers 3 --width 64 --global-batch 64 --micro-batch 8 --bucket-mb 0.01)

train() {
	local file=$work/$1 ranks=$2
	shift 2
	status=0
	if [ "$ranks" -eq 0 ]; then
		"$worker" "$@" >"$file" 2>"$work/words" || status=$?
	else
		mpirun -n "$ranks" --oversubscribe "${launcher[@]}" "$worker" "$@" >"$file" 2>"$work/words" || status=$?
	fi
}

fail() {
	echo "$1"
	tail -n 5 "$work"/*
	exit 1
}

# losses FILE: a loss a line
losses() {
	sed -nE 's/^ iteration .*\| lm loss: ([^ ]+) .*/\1/p' "$work/$1"
}

# apart FILE FILE: the largest relative difference of their losses, "nan" unless both have as many steps as asked
apart() {
	paste <(losses "$1") <(losses "$2") | awk -v steps="${3:-30}" '
		NF != 2 { bad = 1 }
		{ d = $1 / $2 - 1; if (d < 0) d = -d; if (d > most) most = d }
		END { print bad || NR != steps ? "nan" : most + 0 }'
}

# holds EXPRESSION: of numbers, by awk; one with nan holds never
holds() {
	[[ $1 != *nan* ]] && awk "BEGIN { exit !($1) }"
}
