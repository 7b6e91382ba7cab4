#!/usr/bin/env bash
# How much of a training step is exposed communication when micro-steps are added: the trainer on a throttled link, K micro-
# steps of a fixed micro batch, so that the global batch and the computation grow while what is sent stays the same.
#
# usage: bench/exposure.sh [BLOCKS [MBIT]]        ASSAY_BUILD: the build folder, build/release
# A block is one launch of each K; the block is the replicate. bench/exposure.R makes the table.
set -euo pipefail
blocks=${1:-5}
mbit=${2:-1000}
cd "$(dirname "$0")/.."
worker=${ASSAY_BUILD:-build/release}/assay-worker-train
[ -x "$worker" ] || { echo "build first: ./setup release" >&2; exit 4; }

ranks=2
micro_batch=16
steps=30
discard=5
mpirun=(mpirun -n "$ranks" --mca btl self,vader)
[ "$(id -u)" -ne 0 ] || mpirun=("${mpirun[0]}" --allow-run-as-root "${mpirun[@]:1}")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Sums over the kept steps: the share of all their time, not a mean of shares.
share() { # BLOCK K
	awk -F '|' -v block="$1" -v k="$2" -v discard="$discard" -v kept=$((steps - discard)) '
		function value(key,    i, pair) {
			for (i = 1; i <= NF; i++)
				if (index($i, key)) {
					split($i, pair, ":")
					return pair[2] + 0
				}
		}
		/^ iteration / && ++step > discard {
			n++
			time += value("elapsed time per iteration (ms)")
			exposed += value("exposed communication (ms)")
		}
		END {
			if (n != kept) { print "a run is not complete" > "/dev/stderr"; exit 1 }
			printf "%d,%d,%.6f,%.6f\n", block, k, time / n, exposed / n
		}' "$out/log"
}

# A Williams square: over four blocks each K stands in each place once and follows each other one once.
orders=("1 2 8 4" "2 4 1 8" "4 8 2 1" "8 1 4 2")
echo "block,k,step_ms,exposed_ms" >"$out/runs.csv"
for ((block = 1; block <= blocks; block++)); do
	for k in ${orders[(block - 1) % 4]}; do
		"${mpirun[@]}" "$worker" --steps "$steps" --micro-batch "$micro_batch" \
			--global-batch $((ranks * micro_batch * k)) --throttle-mbit "$mbit" >"$out/log"
		share "$block" "$k" >>"$out/runs.csv"
	done
done
sed -n '2,5p' "$out/log" | sed 's/| micro-steps: [0-9]* //'
Rscript --vanilla bench/exposure.R "$out/runs.csv"
