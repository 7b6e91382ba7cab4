measured
assay analyze c >/dev/null
sed -i '3s/b1/b2/' c/log/import-1.1.jsonl
assay gate c --setting fast
