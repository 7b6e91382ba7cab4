# A PDF with the setting's name in it; twice the same bytes.
measured
assay report c --template weekly --out a.pdf
assay report c --template weekly --out b.pdf
cmp a.pdf b.pdf
pdftotext -layout a.pdf - | grep -c fast >/dev/null && echo named
