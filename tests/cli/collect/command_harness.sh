# A slice that is any program: its printed steps are recorded, and the log can be analysed.
commanded 3 '"order": "as_listed"'
assay collect c | sed 's/ [0-9.]* s\b/ T/g'
assay collect c --dry-run | tail -n 1
assay analyze c
grep -c '"verdict": *"win"' c/analysis.json
