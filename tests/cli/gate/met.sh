measured
unchanged c assay gate c --setting fast
