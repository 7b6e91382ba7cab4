# Without mpirun in PATH nothing is begun.
assay init c >init.txt
before=$(tree c)
PATH=$PWD/nowhere assay collect c
status=$?
[ "$before" = "$(tree c)" ] || echo "the command wrote to c"
exit $status
