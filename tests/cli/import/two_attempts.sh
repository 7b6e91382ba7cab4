# A relaunched run appended to its predecessor's file: named with its line, nothing is written.
plan
log a.log base 3 1 1
log b.log base 3 1 1 1
cat b.log >>a.log
unchanged c assay import c --harness train --setting base --block b1 a.log
