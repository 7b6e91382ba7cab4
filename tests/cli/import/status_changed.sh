# The log holds a run as ok; a manifest that now calls it a crash is refused, not passed over.
measured
sed -e '1s/$/,status/' -e '2,$s/$/,/' -e '3s/,$/,crash/' manifest.csv >changed.csv
unchanged c assay import c --manifest changed.csv
