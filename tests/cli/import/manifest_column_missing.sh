plan
log a.log base 3 1 1 1 1
printf 'file,harness,setting\na.log,train,base\n' >manifest.csv
unchanged c assay import c --manifest manifest.csv
