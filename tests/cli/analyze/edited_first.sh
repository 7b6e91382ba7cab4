# One blank added to the first line of the log: the line is named and nothing is written.
measured
sed -i '1s/"kind":/"kind": /' c/log/import-1.1.jsonl
unchanged c assay analyze c
