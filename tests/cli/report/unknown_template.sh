measured
assay report c --template monthly --out a.pdf
