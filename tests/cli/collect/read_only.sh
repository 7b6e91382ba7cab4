# What cannot be read or written is named and nothing is begun. Files and folders in the wrong place stop root too.
commanded 1
: >c/log
unchanged c assay collect c
rm c/log
mkdir -p c/log/b1.lock
unchanged c assay collect c
