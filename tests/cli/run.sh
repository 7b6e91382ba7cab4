#!/usr/bin/env bash
# Run one case: run.sh COMMAND/CASE. The script's output and exit code must be those of CASE.out and CASE.exit.
# Lines of .out are shell patterns: * stands for what a system words in its own way.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
case=$here/$1
: "${ASSAY:?the program to test}"
export ASSAY
export CASES=$here
export NO_COLOR=1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 4
bash -c 'set -u; . "$CASES/campaign.sh"; . "$1"' case "$case.sh" >"$work.out" 2>&1 </dev/null
status=$?
mapfile -t got <"$work.out"
rm -f "$work.out"

fail() {
	echo "$1"
	echo "--- got (exit $status)"
	printf '%s\n' "${got[@]}"
	exit 1
}
want_status=$(cat "$case.exit") || exit 4
[ "$status" -eq "$want_status" ] || fail "exit code $status, expected $want_status"
mapfile -t want <"$case.out"
[ "${#got[@]}" -eq "${#want[@]}" ] || fail "${#got[@]} lines, expected ${#want[@]}"
for i in "${!want[@]}"; do
	# shellcheck disable=SC2053
	[[ ${got[i]} == ${want[i]} ]] || fail "line $((i + 1)): expected ${want[i]}"
done
