assay init
: >file
assay init file
