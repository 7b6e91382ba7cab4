plan
log a.log base 3 1 1 1 1
assay import c --harness train --setting base --block b1 --position 2 a.log | tail -n 1
ls c/log
