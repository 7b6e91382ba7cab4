assay collect
assay collect c d
assay collect c --dryrun
