# A document that is older than the log is not shown.
measured
assay show c >/dev/null
assay note c --on campaign --decision 'adopt fast' >/dev/null
assay show c --json | grep -c 'adopt fast'
