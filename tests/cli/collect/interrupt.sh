# A signal ends the run under way; the record is finished, and the same command goes on.
commanded 1
cat >c/train.sh <<'END'
campaign=$(dirname "$0")
touch "$campaign/../running"
[ -e "$campaign/../quick" ] || sleep 600
for step in 1 2 3 4; do echo "step $step time 1.00$step s"; done
END
"$ASSAY" collect c >collect.txt &
collector=$!
while [ ! -e running ] && kill -0 $collector; do sleep 0.05; done
kill -TERM $collector
wait $collector
echo "exit $?"
tail -n 1 collect.txt
touch quick
assay collect c | tail -n 1
