plan
log a.log base 3 1 1 1 1
assay import c --harness train --setting base --block b1 a.log >/dev/null
assay gate c --setting fast
