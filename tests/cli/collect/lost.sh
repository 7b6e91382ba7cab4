# A program that fails is a lost run with its reason, no failure of the collector.
commanded 1 '"order": "as_listed"'
cat >c/train.sh <<'END'
[ "${SPEED:-1}" = 1 ] || { echo "no such speed" >&2; exit 3; }
for step in 1 2 3 4; do echo "step $step time 1.00$step s"; done
END
assay collect c | sed 's/ [0-9.]* s\b/ T/g'
