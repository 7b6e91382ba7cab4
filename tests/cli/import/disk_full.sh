# A file that cannot grow (as on a full disk): one message, and no half of an import stays in the log.
plan
for b in 1 2 3 4 5 6 7 8; do
	log "base-$b.log" base 3.0 1.001 1.002 1.003
	seq -f 'not a step line, only bulk %g' 400 >>"base-$b.log"
done
echo file,harness,setting,block >manifest.csv
for b in 1 2 3 4 5 6 7 8; do echo "base-$b.log,train,base,b$b"; done >>manifest.csv
trap '' XFSZ
ulimit -f 32
assay import c --manifest manifest.csv
status=$?
find c -type f | LC_ALL=C sort
exit $status
