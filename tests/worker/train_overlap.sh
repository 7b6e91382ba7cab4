#!/usr/bin/env bash
# train_overlap.sh WORKER: by its trace, the first bucket is under way while the last micro-step's backward pass runs.
set -uo pipefail
. "$(dirname "$0")/train_launch.sh"
steps=12

train log 2 --steps $steps --layers 6 --width 256 --global-batch 256 --micro-batch 64 --bucket-mb 0.25 --trace "$work/trace.json"
[ "$status" -eq 0 ] || fail "exit code $status"
grep -q '| micro-steps: 2 |' "$work/log" || fail "not two micro-steps"
buckets=$(sed -nE 's/^buckets: ([0-9]+) .*/\1/p' "$work/log")

# An event a line. Overlap needs the scheduler's help, which a loaded machine may refuse: a quarter of the steps must show it.
tr -d '",{}' <"$work/trace.json" | awk -v steps=$steps -v buckets="$buckets" '
	function value(key,    at) {
		at = index($0, key ":")
		return at ? substr($0, at + length(key) + 1) + 0 : -1
	}
	/name:/ {
		name = $0
		sub(/^[^:]*name: */, "", name)
		sub(/ *ph: *X.*/, "", name)
		sub(/ph:X.*/, "", name)
		step = value("step"); micro = value("micro_step"); start = value("ts"); end = start + value("dur")
		tid = value("tid")
		count[name]++
		if ((name ~ /^all-reduce/) != (tid == 1)) { print "thread: " $0; bad = 1 }
		if (name ~ /^all-reduce/) began[step, substr(name, length("all-reduce bucket ") + 1)] = start
		if (name ~ /^all-reduce/ && end > reduced[step]) reduced[step] = end
		if (name ~ /^backward/ && micro == 1) ended[step, substr(name, length("backward layer ") + 1)] = end
		if (name == "optimizer") optimizer[step] = start
	}
	END {
		for (s = 1; s <= steps; s++) {
			overlaps += began[s, 0] < ended[s, 0]
			# Bucket 0 reaches from the last layer, 5, into 4; each after it a layer of 65792 further.
			for (b = 0; b < buckets; b++)
				if (!(began[s, b] >= ended[s, 4 - b])) { print "step " s ": reduced before it was ready"; bad = 1 }
			if (!(optimizer[s] >= reduced[s])) { print "step " s ": the optimizer did not wait"; bad = 1 }
		}
		if (overlaps < steps / 4) { print "overlap in " overlaps + 0 " of " steps " steps"; bad = 1 }
		for (b = 0; b < buckets; b++)
			if (count["all-reduce bucket " b] != steps) { print "bucket " b; bad = 1 }
		for (l = 0; l < 6; l++)
			if (count["forward layer " l] != 2 * steps || count["backward layer " l] != 2 * steps) {
				print "layer " l
				bad = 1
			}
		if (count["data wait"] != 2 * steps || count["optimizer"] != steps) { print "events missing"; bad = 1 }
		exit bad || buckets != 5
	}' || fail "the trace is not as it should be"
