measured
unchanged c assay note c --on b7/1.1 'never ran'
unchanged c assay note c --on train/fsat 'no such setting'
