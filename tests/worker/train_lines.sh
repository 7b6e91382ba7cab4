#!/usr/bin/env bash
# train_lines.sh WORKER: its lines are Megatron's to `assay import`; warm-up; several steps a line; the throttle's mark.
set -uo pipefail
. "$(dirname "$0")/train_launch.sh"

train log 2 "${small[@]}" --steps 9 --warmup-steps 4 --lr 0.02
[ "$status" -eq 0 ] || fail "exit code $status"
rates=$(sed -nE 's/.*\| learning rate: ([^ ]+) .*/\1/p' "$work/log" | tr '\n' ' ')
[ "$rates" = "5.000000E-03 1.000000E-02 1.500000E-02 $(printf '2.000000E-02 %.0s' 1 2 3 4 5 6)" ] || fail "rates: $rates"
! grep -q throttled "$work/log" || fail "throttled without being asked"

mkdir "$work/campaign"
cat >"$work/campaign/campaign.json" <<'END'
{
	"name": "trainer",
	"control": "base",
	"margin_percent": 2,
	"design": {"blocks": 5},
	"harnesses": [{"name": "train", "kind": "slice", "nodes": 1, "ranks": 2, "discard": 1, "steps": 9, "format": "megatron"}],
	"settings": [{"name": "base"}]
}
END
"$ASSAY" import "$work/campaign" --harness train --setting base --block b1 "$work/log" >"$work/reading" 2>&1 ||
	fail "not imported"
grep -q '"rows":9,"discarded":1,' "$work"/campaign/log/*.jsonl || fail "table"
grep -q '"global_batch":64,' "$work"/campaign/log/*.jsonl || fail "no global batch in the record"
columns=$(sed -nE '/"name":"iterations"/s/.*"name":"iterations".*"columns":\[([^]]*)\].*"rows".*/\1/p' "$work"/campaign/log/*.jsonl |
	tr -d '"' | tr , ' ')
# The table is the data file's end, a row a step.
width=$(($(wc -w <<<"$columns") * 8))
got=$(tail -c $((9 * width)) "$work"/campaign/log/*.data | od -An -v -w$width -t f8 | awk -v columns="$columns" '
	BEGIN { n = split(columns, names); for (i = 1; i <= n; i++) at[names[i]] = i }
	{ printf "%d %.9E %.6E %d\n", $at["step"], $at["loss"], $at["lr"], $at["samples"] }')
expected=$(sed -nE 's/^ iteration +([0-9]+)\/.*samples: +([0-9]+) .*rate: ([^ ]+) .*lm loss: ([^ ]+) .*/\1 \4 \3 \2/p' "$work/log")
[ "$got" = "$expected" ] || fail "the record has $got"

# A line covers three steps and gives the mean of their losses.
train thirds 2 "${small[@]}" --steps 9 --warmup-steps 4 --lr 0.02 --log-every 3
means=$(losses log | awk '{ sum += $1 } NR % 3 == 0 { printf "%.7E ", sum / 3; sum = 0 }')
got=$(losses thirds | awk '{ printf "%.7E ", $1 }')
[ "$means" = "$got" ] || fail "means of three: $got, expected $means"

train slow 2 "${small[@]}" --steps 2 --throttle-mbit 50
[ "$(sed -n 2p "$work/slow")" = "throttled link: 50 Mbit/s (a study: not what this machine can do)" ] || fail "no mark of the throttle"
[ "$(losses slow)" = "$(train fast 2 "${small[@]}" --steps 2; losses fast)" ] || fail "the throttle changes losses"
