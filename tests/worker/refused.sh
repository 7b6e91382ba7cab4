#!/usr/bin/env bash
# refused.sh WORKER: what cannot be measured ends with an error line, its exit code, no end line and no rank left waiting.
set -uo pipefail
. "$(dirname "$0")/launch.sh"

refused() { # STATUS MESSAGE WORD...
	local want=$1 says=$2
	shift 2
	launch 4 "$@"
	[ "$status" -eq "$want" ] || fail "$*: exit code $status, expected $want"
	[[ $(tail -n 1 "$lines") == "assay-worker 1 error "$says ]] || fail "$*: expected $says"
	[ "$(grep -c '^assay-worker-mpi: ' "$words")" -eq 1 ] || fail "$*: not one message"
	! grep -q ' end ' "$lines" || fail "$*: an end after an error"
}

refused 2 "unknown option '--size'" --size 8
refused 2 "--op: no collective 'gather' here" --op gather --bytes 8
refused 2 "size 1028 of 'alltoall' *" --op alltoall --bytes 1024,1028
refused 2 "size 4096 of 'reducescatter' *" --op reducescatter --bytes 4096 --max-count 1000
refused 4 "no memory for size 4611686018427387648: *" --op broadcast --bytes 4611686018427387648
