# An edited analysis.json opens no gate: the log is read.
measured
assay analyze c >/dev/null
sed -i 's/"adoptable": *false/"adoptable":true/g' c/analysis.json
assay gate c --setting flat
