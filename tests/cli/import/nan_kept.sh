plan
log a.log base 3 1 nan 1 1
unchanged c assay import c --harness train --setting base --block b1 a.log
