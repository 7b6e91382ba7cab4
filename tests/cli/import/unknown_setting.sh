plan
log a.log base 3 1 1 1 1
printf 'file,harness,setting,block\na.log,train,bsae,b1\n' >manifest.csv
unchanged c assay import c --manifest manifest.csv
