#!/usr/bin/env bash
# What goes wrong under `assay collect` with real launches: a rank that dies, hangs or sums wrongly, a full disk. Each is one
# clear record or message, and the campaign goes on.
#
# usage: ASSAY=... tests/faults/live_faults.sh mpi_fault.so
set -uo pipefail
: "${ASSAY:?the program to test}"
fault=$1
work=$(mktemp -d)
trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT

fail() {
	echo "$1"
	[ ! -e "$work/out" ] || sed 's/^/    /' "$work/out"
	exit 1
}
plan() { # DIR DEADLINE_S
	mkdir -p "$1"
	cat >"$1/campaign.json" <<END
{
	"name": "faults",
	"control": "whole",
	"design": {"blocks": 1, "order": "as_listed", "settle_runs": 0, "sentinels": false},
	"harnesses": [{"name": "allreduce", "kind": "bench", "backend": "mpi", "op": "allreduce", "ranks": 2, "nodes": 1,
		"bytes": [65536], "headline_bytes": 65536, "warmup": 1, "iterations": 5, "deadline_s": $2}],
	"settings": [
		{"name": "whole", "mpirun_args": ["--mca", "btl", "self,vader"]},
		{"name": "wrong", "env": {"LD_PRELOAD": "$fault", "ASSAY_FAULT": "wrong"}},
		{"name": "dies", "env": {"LD_PRELOAD": "$fault", "ASSAY_FAULT": "die"}},
		{"name": "hangs", "env": {"LD_PRELOAD": "$fault", "ASSAY_FAULT": "hang"}}
	]
}
END
}
status_of() { # DIR SETTING
	grep -h '"kind":"run"' "$1"/log/*.jsonl | grep "\"setting\":\"$2\"" | sed -nE 's/.*"status":"([a-z_]+)".*/\1/p' | paste -sd ' '
}
expect() { # DIR SETTING STATUS
	local got
	got=$(status_of "$1" "$2")
	[ "$got" = "$3" ] || fail "setting '$2': status '$got', expected '$3'"
}
no_rank_left() {
	! pgrep -f "$ASSAY-worker-mpi" >/dev/null || pgrep -af "$ASSAY-worker-mpi" | grep -vq "$work" || fail "a rank is left"
}

dir=$work/faults
plan "$dir" 8
"$ASSAY" collect "$dir" >"$work/out" 2>&1 || fail "collect stopped at a lost run"
expect "$dir" whole ok
expect "$dir" wrong wrong
expect "$dir" dies crash
expect "$dir" hangs timeout
no_rank_left
grep -h '"setting":"wrong"' "$dir"/log/*.jsonl | grep -q '"reason":"' || fail "the wrong sum has no proof"
"$ASSAY" collect "$dir" >"$work/out" 2>&1 || fail "the second call failed"
grep -q 'nothing' "$work/out" || fail "lost runs are run again"

# A folder too small for what is recorded: exit 4, a log that reads, and the same command goes on once there is room.
mkdir "$work/small"
if mount -t tmpfs -o size=48k none "$work/small" 2>/dev/null; then
	dir=$work/small/full
	plan "$dir" 60
	sed -i '/"wrong"/d; /"dies"/d; s/"name": "hangs".*/"name": "again"}/; s/"settle_runs": 0/"settle_runs": 9/' "$dir/campaign.json"
	"$ASSAY" collect "$dir" >"$work/out" 2>&1
	status=$?
	[ $status -eq 4 ] || fail "a full disk exits $status"
	grep -qi 'no space' "$work/out" || fail "the message does not say that the disk is full"
	"$ASSAY" analyze "$dir" --out "$work/analysis.json" >"$work/out" 2>&1 || fail "the log of a full disk does not read"
	mount -o remount,size=16m "$work/small" || fail "cannot enlarge the disk"
	"$ASSAY" collect "$dir" >"$work/out" 2>&1 || fail "collecting does not go on after the disk was full"
	expect "$dir" again ok
else
	echo "full disk: not tried, mounting is not permitted here"
fi
echo "faults: each is one record or message"
