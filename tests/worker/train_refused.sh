#!/usr/bin/env bash
# train_refused.sh WORKER: what cannot be trained ends at once with one message, its exit code and no step.
set -uo pipefail
. "$(dirname "$0")/train_launch.sh"

refused() { # STATUS RANKS MESSAGE WORD...
	local want=$1 ranks=$2 says=$3
	shift 3
	train log "$ranks" "$@"
	[ "$status" -eq "$want" ] || fail "$*: exit code $status, expected $want"
	[ "$(grep -c '^assay-worker-train: ' "$work/words")" -eq 1 ] || fail "$*: not one message"
	grep -qF "assay-worker-train: $says" "$work/words" || fail "$*: expected $says"
	! grep -q iteration "$work/log" || fail "$*: a step"
}

refused 2 3 "--global-batch: 64 is not a multiple of 3 ranks x micro batch 8 = 24; the next that is: 72" "${small[@]}"
refused 2 2 "--global-batch: 8 is not a multiple of 2 ranks x micro batch 8 = 16; the next that is: 16" --global-batch 8 --micro-batch 8
refused 2 2 "--micro-batch: '0' is not a whole number from 1 to 65536" --micro-batch 0
refused 2 0 "--grad-dtype: no type 'float16' here; float32 or bfloat16" --grad-dtype float16
refused 2 0 "unknown option '--batch'; there are --steps " --batch 3
refused 2 0 "option '--width' needs a value" --width
refused 4 2 "cannot write '$work/none/trace.json'" "${small[@]}" --trace "$work/none/trace.json"
