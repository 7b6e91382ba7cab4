assay analyse c
