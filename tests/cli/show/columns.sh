measured
assay show c >show.txt || cat show.txt
head -n 1 show.txt
grep -E '^(harness|train)' show.txt
