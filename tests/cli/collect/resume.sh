# A second call finds nothing to do and writes nothing; a block whose runs lack is run alone.
commanded 2
assay collect c --block b1 | tail -n 1
assay collect c --dry-run | tail -n 1
assay collect c | tail -n 1
unchanged c assay collect c
