plan
unchanged c assay import c --manifest m.csv --block b1
unchanged c assay import c --harness train a.log
unchanged c assay import c --harness train --setting base --block b1 --position x a.log
