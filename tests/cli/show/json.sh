measured
assay show c --json >shown.json
cmp shown.json c/analysis.json && echo same
