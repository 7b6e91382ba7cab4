plan
unchanged c assay import c --manifst x.csv
