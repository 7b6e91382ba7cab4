measured
assay analyze c >/dev/null
unchanged c assay report c --template weekly --out nowhere/weekly.pdf
