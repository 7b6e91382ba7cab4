commanded 5
unchanged c assay plan c
