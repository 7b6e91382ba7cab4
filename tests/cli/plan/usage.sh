assay plan
commanded 2
assay plan c --floor 0
assay plan c --floor 2%
assay plan c --flor 2
