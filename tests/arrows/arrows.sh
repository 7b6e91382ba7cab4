#!/usr/bin/env bash
# Which room may include which. A room sees its own headers, base's, and the facades in the table; nothing else.
set -euo pipefail
cd "$1"

declare -A facades=(
	[base]=""
	[record]="record"
	[collect]="record collect"
	[analyze]="record analyze"
	[report]="record report"
	[cli]="record collect analyze report"
)
failed=0
complain() {
	echo "$1"
	failed=1
}

for room in "${!facades[@]}"; do
	[ -d "$room" ] || continue
	while IFS=: read -r file line text; do
		header=$(sed -E 's/^[^"<]*["<]([^">]+)[">].*/\1/' <<<"$text")
		where="$file:$line: $room must not include $header"
		case $header in
		assay/*)
			facade=$(basename "$header" .h)
			[[ " ${facades[$room]} " == *" $facade "* ]] || complain "$where"
			;;
		base/* | "$room"/*) ;;
		record/* | collect/* | analyze/* | report/* | cli/* | tests/*) complain "$where" ;;
		gsl/*) [ "$room" = analyze ] || complain "$where" ;;
		hpdf*) [ "$file" = report/canvas_pdf.c ] || complain "$where" ;;
		cmark*) [ "$room" = report ] || complain "$where" ;;
		mpi.h | nccl.h | cuda*) [[ $file == collect/worker/* ]] || complain "$where" ;;
		*/*) [ -e "$header" ] && complain "$where" ;;
		*) [[ $text == *'"'* ]] && complain "$file:$line: name $header by its room" ;;
		esac
	done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include' --include='*.[ch]' "$room")
done

# The facades themselves: record is below the others.
while IFS=: read -r file line text; do
	case $text in
	*'"assay/record.h"'* | *'"base/'* | *'<'*) ;;
	*) complain "$file:$line: a facade includes more than record and base" ;;
	esac
done < <(grep -nE '^[[:space:]]*#[[:space:]]*include' include/assay/*.h)

# Only cli prints.
printing='(^|[^_[:alnum:]])(printf|vprintf|puts|putchar|perror)[[:space:]]*\(|[^_[:alnum:]](stdout|stderr)[^_[:alnum:]]'
while IFS= read -r hit; do
	case $hit in
	collect/worker/*) ;;
	*) complain "${hit%%:*}: prints: ${hit#*:}" ;;
	esac
done < <(grep -rnE "$printing" --include='*.c' base record collect analyze report 2>/dev/null |
	grep -vE '"[^"]*(stdout|stderr)[^"]*"|:[[:space:]]*(/?\*|//)|/\*.*(stdout|stderr)' || true)

exit "$failed"
