# Standard streams that are closed must not be replaced by the log's files.
commanded 1
assay collect c <&- >&- 2>&-
echo "exit $?"
assay analyze c | head -n 1
