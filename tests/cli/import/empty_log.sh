plan
: >a.log
unchanged c assay import c --harness train --setting base --block b1 a.log
