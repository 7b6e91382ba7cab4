commanded 2
unchanged c assay collect c --block b3
