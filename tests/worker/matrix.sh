#!/usr/bin/env bash
# matrix.sh WORKER OP RANKS: every type and placement of a collective; the lines are as the protocol has them, nothing wrong.
set -uo pipefail
. "$(dirname "$0")/launch.sh"
op=$2
ranks=$3
sizes=(96 4800 480000)
warmup=2
iterations=3

checked() {
	awk -v op="$op" -v dtype="$dtype" -v placement="$placement" -v ranks="$ranks" -v warmup="$warmup" \
		-v iterations="$iterations" -v sizes="${sizes[*]}" '
		function bad(what) { print what ": " $0; failed = 1 }
		$1 != "assay-worker" || $2 != 1 { bad("not of the protocol"); next }
		ended { bad("after the end") }
		{ seen[$3]++ }
		NR == 1 && $0 != "assay-worker 1 begin mpi" { bad("begin") }
		$3 == "test" && $0 != "assay-worker 1 test " op " " dtype " " placement { bad("test") }
		$3 == "shape" && $0 != "assay-worker 1 shape " ranks " " warmup " " iterations { bad("shape") }
		$3 == "host" && ($4 != hosts++ || $5 == "") { bad("host") }
		$3 == "clock" && ($4 != clocks++ || NF != 6 || $6 < 0) { bad("clock") }
		$3 == "times" || $3 == "arrivals" {
			if (NF != 5 + ranks || $5 != next_one[$3, $4]++)
				bad("samples")
			least = $6
			for (i = 6; i <= NF; i++) {
				if ($i !~ /^[0-9]+$/ || ($3 == "times" && $i == 0))
					bad("a sample")
				if ($i < least)
					least = $i
			}
			if ($3 == "arrivals" && least != 0)
				bad("nobody was first")
		}
		$3 == "check" { if ($5 != 0) bad("wrong"); checks[$4]++ }
		$3 == "end" { ended = 1; if ($4 != NR - 1) bad("count") }
		END {
			n = split(sizes, size, " ")
			for (i = 1; i <= n; i++)
				if (next_one["times", size[i]] != warmup + iterations || checks[size[i]] != 1 ||
				    next_one["arrivals", size[i]] != warmup + iterations)
					bad("size " size[i])
			if (!ended || hosts != ranks || clocks != ranks || seen["library"] != 1 || seen["check"] != n ||
			    seen["error"] || seen["wrong"])
				bad("incomplete")
			exit failed
		}' "$lines"
}

for dtype in float32 float64 bfloat16; do
	for placement in out_of_place in_place; do
		# In one call, and in pieces that do not divide the blocks; a reduce-scatter cannot be divided.
		pieces=("" 1000)
		[ "$op" = reducescatter ] && pieces=("")
		for piece in "${pieces[@]}"; do
			launch "$ranks" --op "$op" --dtype "$dtype" --placement "$placement" --warmup $warmup \
				--iterations $iterations --bytes "$(IFS=,; echo "${sizes[*]}")" ${piece:+--max-count $piece}
			if [ "$op $placement" = "sendrecv in_place" ]; then
				[ "$status" -eq 2 ] && grep -q "^assay-worker 1 error 'sendrecv' has no form in place" "$lines" ||
					fail "accepted in place"
				continue
			fi
			[ "$status" -eq 0 ] || fail "$dtype $placement: exit code $status"
			checked || fail "$dtype $placement pieces of '$piece'"
		done
	done
done
