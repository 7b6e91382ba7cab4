# The second row fails: the first is not written either.
plan
log a.log base 3 1 1 1 1
printf 'file,harness,setting,block\na.log,train,base,b1\nb.log,train,fast,b1\n' >manifest.csv
unchanged c assay import c --manifest manifest.csv
