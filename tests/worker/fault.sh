#!/usr/bin/env bash
# fault.sh WORKER INTERPOSER: a collective that gives a wrong result, a rank that dies.
set -uo pipefail
. "$(dirname "$0")/launch.sh"
launcher=(-x LD_PRELOAD="$2" -x ASSAY_FAULT -x ASSAY_FAULT_AT)
run=(--op allreduce --bytes 4096 --warmup 1 --iterations 2)

ASSAY_FAULT=wrong ASSAY_FAULT_AT=3 launch 2 "${run[@]}"
[ "$status" -eq 0 ] || fail "wrong: exit code $status"
grep -q '^assay-worker 1 check 4096 1$' "$lines" || fail "wrong: not seen by the check"
# Element 512 of 1024 on rank 1: 512 mod 127 + 2 ranks.
grep -qE '^assay-worker 1 wrong 4096 1 512 [0-9.e+-]+ 6$' "$lines" || fail "wrong: no line that says where"
grep -q '^assay-worker 1 end ' "$lines" || fail "wrong: no end"

ASSAY_FAULT=die ASSAY_FAULT_AT=2 launch 2 "${run[@]}"
[ "$status" -ne 0 ] || fail "die: exit code 0"
! grep -q '^assay-worker 1 end ' "$lines" || fail "die: an end"
