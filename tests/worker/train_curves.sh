#!/usr/bin/env bash
# train_curves.sh WORKER: the loss falls, and its curve is the same for any number of ranks and any transport.
set -uo pipefail
. "$(dirname "$0")/train_launch.sh"
tolerance=2e-6 # of trainer.h

train alone 0 "${small[@]}"
[ "$status" -eq 0 ] || fail "alone: exit code $status"
[ "$(losses alone | wc -l)" -eq 30 ] || fail "alone: not 30 steps"
holds "$(losses alone | tail -n 1) < 0.7 * $(losses alone | head -n 1)" || fail "the loss does not fall"

same() { # FILE
	[ "$status" -eq 0 ] || fail "$1: exit code $status"
	holds "$(apart "$1" alone) < $tolerance" || fail "$1: the curve is off by $(apart "$1" alone)"
}
for ranks in 1 2 4; do
	train "ranks$ranks" "$ranks" "${small[@]}"
	same "ranks$ranks"
	grep -q "^ranks: $ranks " "$work/ranks$ranks" || fail "not $ranks ranks"
	grep -q "| micro-steps: $((8 / ranks)) |" "$work/ranks$ranks" || fail "$ranks ranks: not $((8 / ranks)) micro-steps"
done
train micro 2 "${small[@]}" --micro-batch 32
same micro
train buckets 2 "${small[@]}" --bucket-mb 100
same buckets
grep -q '^buckets: 1 of 100 MiB ' "$work/buckets" || fail "not one bucket"
launcher=(--mca btl self,tcp --mca btl_tcp_if_include lo)
train tcp 2 "${small[@]}"
same tcp
launcher=(--mca btl self,vader)
train memory 2 "${small[@]}"
same memory
launcher=()

# What must make a difference does.
train half 2 "${small[@]}" --grad-dtype bfloat16
[ "$status" -eq 0 ] || fail "bfloat16: exit code $status"
grep -q '| gradient dtype: bfloat16 |' "$work/half" || fail "bfloat16: not said"
holds "$(apart half alone) > 1e-5" || fail "bfloat16: no difference: $(apart half alone)"
holds "$(apart half alone) < 1e-2" || fail "bfloat16: another curve: $(apart half alone)"
train seed 1 "${small[@]}" --seed 2
holds "$(apart seed alone) > 1e-2" || fail "the seed makes no difference"
train again 2 "${small[@]}"
[ "$(losses again)" = "$(losses ranks2)" ] || fail "two runs alike differ"
