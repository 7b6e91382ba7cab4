# A segment copied under another name would count its runs twice: refused, both named.
measured
for suffix in jsonl data; do cp c/log/import-1.1.$suffix c/log/import-2.1.$suffix; done
unchanged c assay analyze c
