#!/usr/bin/env bash
# kill -9 of `assay collect` at random moments: what was recorded before stays recorded, the log reads whole, the next
# call goes on, and no process of a killed campaign is left.
#
# usage: ASSAY=... tests/faults/kill_collect.sh [KILLS] [SEED]
# The witness is a copy of log/ taken right before each kill: afterwards each of its files, up to the last whole line,
# must be the beginning of the file of that name.
set -uo pipefail
: "${ASSAY:?the program to test}"
kills=${1:-10}
RANDOM=${2:-1}
work=$(mktemp -d)
trap 'pkill -9 -f "$work" 2>/dev/null; rm -rf "$work"' EXIT
export ASSAY_KILL_WITNESS=$work

fail() {
	echo "kill $done_kills: $1"
	[ ! -e "$work/out" ] || tail -n 5 "$work/out"
	exit 1
}

fresh_campaign() {
	campaigns=$((campaigns + 1))
	dir=$work/c$campaigns
	mkdir "$dir"
	cat >"$dir/campaign.json" <<'END'
{
	"name": "kill",
	"control": "a",
	"design": {"blocks": 4},
	"harnesses": [{"name": "allreduce", "kind": "bench", "backend": "mpi", "op": "allreduce", "ranks": 2, "nodes": 1,
		"bytes": [4096, 65536], "headline_bytes": 65536, "warmup": 2, "iterations": 10, "deadline_s": 60}],
	"settings": [
		{"name": "a", "mpirun_args": ["--mca", "btl", "self,vader"]},
		{"name": "b", "mpirun_args": ["--mca", "btl", "self,vader"]}
	]
}
END
}

# Processes that carry the mark in their environment, this shell's own apart.
left_over() {
	local environ pid
	for environ in /proc/[0-9]*/environ; do
		pid=${environ#/proc/}
		pid=${pid%/environ}
		[ "$pid" != "$$" ] && [ "$pid" != "$BASHPID" ] || continue
		grep -qzF "ASSAY_KILL_WITNESS=$work" "$environ" 2>/dev/null || continue
		case $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null) in
		*assay* | *mpirun* | *orted*) echo "$pid" ;;
		esac
	done
}

still_there() {
	local copy file whole
	for copy in "$work"/witness/*.jsonl; do
		[ -e "$copy" ] || continue
		file=$dir/log/${copy##*/}
		whole=$(head -c "$(stat -c %s "$copy")" "$copy" | grep -c '')
		[ -z "$(tail -c 1 "$copy")" ] || whole=$((whole - 1))
		cmp -s <(head -n "$whole" "$copy") <(head -n "$whole" "$file") || fail "a record of ${copy##*/} is lost"
		recorded=$((recorded + whole))
	done
	for copy in "$work"/witness/*.data; do
		[ -e "$copy" ] || continue
		cmp -s -n "$(stat -c %s "$copy")" "$copy" "$dir/log/${copy##*/}" || fail "data of ${copy##*/} are lost"
	done
}

campaigns=0
done_kills=0
finished=0
recorded=0
fresh_campaign
while [ "$done_kills" -lt "$kills" ]; do
	"$ASSAY" collect "$dir" >"$work/out" 2>&1 &
	collector=$!
	sleep "$(awk -v r=$RANDOM 'BEGIN {print r / 32768 * 2.5}')"
	rm -rf "$work/witness"
	cp -r "$dir/log" "$work/witness" 2>/dev/null || mkdir -p "$work/witness"
	if ! kill -9 "$collector" 2>/dev/null; then
		wait "$collector" || fail "collect failed by itself"
		finished=$((finished + 1))
		fresh_campaign
		continue
	fi
	wait "$collector" 2>/dev/null
	done_kills=$((done_kills + 1))
	for ((tries = 0; tries < 200; tries++)); do
		left=$(left_over)
		[ -n "$left" ] || break
		sleep 0.1
	done
	[ -z "$left" ] || fail "left over: $(ps -o pid,args -p "$(paste -sd, <<<"$left")")"
	still_there
	[ ! -d "$dir/log" ] || "$ASSAY" analyze "$dir" >"$work/out" 2>&1 || fail "the log does not read"
done

# The last campaign goes on to its end, and each planned run is there once.
"$ASSAY" collect "$dir" >"$work/out" 2>&1 || fail "resuming failed"
"$ASSAY" collect "$dir" --dry-run >"$work/out" || fail "dry run failed"
! grep -q lacking "$work/out" || grep -q ' 0 lacking' "$work/out" || fail "runs are lacking after the resume"
"$ASSAY" analyze "$dir" >"$work/out" 2>&1 || fail "the finished log does not read"
echo "$done_kills kills in $campaigns campaigns: $recorded records seen before kills, all kept; no process left; resumed to the end"
