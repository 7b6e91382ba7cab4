# The second import changes nothing and says so.
measured
before=$(tree c/log)
assay import c --manifest manifest.csv | tail -n 1
[ "$before" = "$(tree c/log)" ] && echo unchanged
