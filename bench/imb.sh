#!/usr/bin/env bash
# Our all-reduce beside IMB-MPI1's: the same ranks and sizes, launches interleaved (ABBA), then bench/imb.R on what they printed.
#
# usage: bench/imb.sh IMB-MPI1 [LAUNCHES]
# IMB: https://github.com/intel/mpi-benchmarks, `make CC=mpicc CXX="mpicxx -w" CXXFLAGS=... IMB-MPI1`; with Open MPI 4.1 the C++
# bindings' headers warn, so compile with -Wno-error. Both programs print per launch; a launch is the replicate.
set -euo pipefail
imb=${1:?usage: bench/imb.sh IMB-MPI1 [LAUNCHES]}
launches=${2:-30}
cd "$(dirname "$0")/.."
worker=$PWD/build/release/assay-worker-mpi
[ -x "$worker" ] || { echo "build first: ./setup release" >&2; exit 4; }

ranks=2
iterations=200
warmup=20
sizes=(1024 65536 4194304)
mpirun=(mpirun --mca btl self,vader -n "$ranks")
[ "$(id -u)" -ne 0 ] || mpirun=("${mpirun[0]}" --allow-run-as-root "${mpirun[@]:1}")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
printf '%s\n' "${sizes[@]}" >"$out/lengths"

# IMB's t_max is the largest over ranks of each rank's mean; ours is reduced to the same statistic.
ours() {
	"${mpirun[@]}" "$worker" --op allreduce --dtype float32 --placement out_of_place --warmup "$warmup" \
		--iterations "$iterations" --bytes "$(IFS=,; echo "${sizes[*]}")" |
		awk -v launch="$1" -v warmup="$warmup" '
			$1 == "assay-worker" && $3 == "times" && $5 >= warmup {
				n[$4]++
				ranks = NF - 5
				for (r = 1; r <= ranks; r++) sum[$4, r] += $(5 + r)
			}
			END {
				for (bytes in n) {
					worst = 0
					for (r = 1; r <= ranks; r++) if (sum[bytes, r] > worst) worst = sum[bytes, r]
					print "assay," launch "," bytes "," worst / n[bytes] / 1e3
				}
			}'
}
theirs() {
	"${mpirun[@]}" "$imb" -npmin "$ranks" -msglen "$out/lengths" -iter "$iterations,100000,1" -iter_policy off -time 1000 Allreduce |
		awk -v launch="$1" '$1 ~ /^[0-9]+$/ && $1 > 0 && NF == 5 {print "imb," launch "," $1 "," $4}'
}

echo program,launch,bytes,t_max_us >"$out/launches.csv"
for ((i = 1; i <= launches; i++)); do
	if ((i % 2)); then order=(ours theirs); else order=(theirs ours); fi
	for program in "${order[@]}"; do "$program" "$i" >>"$out/launches.csv"; done
done
Rscript bench/imb.R "$out/launches.csv"
