measured
assay show c --markdown | grep -E '^\|' | cut -d '|' -f 2-4
