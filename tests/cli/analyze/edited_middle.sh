# One blank added to the middle line of the log: the line is named and nothing is written.
measured
sed -i '8s/"kind":/"kind": /' c/log/import-1.1.jsonl
unchanged c assay analyze c
