measured
unchanged c assay gate c --setting flat --harness train
