measured
assay analyze c
cp c/analysis.json first.json
assay analyze c --out second.json >/dev/null
cmp first.json second.json && echo same
