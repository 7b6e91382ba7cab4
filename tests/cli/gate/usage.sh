measured
assay gate c
assay gate c --setting base
assay gate c --setting fsat
