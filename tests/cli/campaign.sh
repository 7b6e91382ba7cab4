# A small campaign to try commands on; sourced before each case, in an empty folder.

assay() {
	"$ASSAY" "$@"
}

# Digest of everything in a folder: names and bytes.
tree() {
	(cd "$1" && find . -type f | LC_ALL=C sort | xargs -r sha256sum | sha256sum)
}

# unchanged FOLDER COMMAND...: the command's exit code; says so when it changed the folder.
unchanged() {
	local folder=$1 before status
	shift
	before=$(tree "$folder")
	"$@"
	status=$?
	[ "$before" = "$(tree "$folder")" ] || echo "the command wrote to $folder"
	return $status
}

# plan [PATTERN]: c/campaign.json
plan() {
	mkdir -p c
	cat >c/campaign.json <<END
{
	"name": "small",
	"control": "base",
	"margin_percent": 2,
	"design": {"blocks": 5},
	"harnesses": [{"name": "train", "kind": "slice", "nodes": 2, "ranks": 2, "discard": 1, "format": "pattern",
		"pattern": "${1:-^step (?<step>[0-9]+) time (?<time>[0-9.a-z]+) s}", "units": {"time": "s"}}],
	"settings": [
		{"name": "base", "expect": {"net": "IB"}},
		{"name": "fast", "env": {"NCCL_BUFFSIZE": "8388608"}, "expect": {"net": "IB"}},
		{"name": "flat", "env": {"NCCL_BUFFSIZE": "2097152"}, "expect": {"net": "IB"}}
	]
}
END
}

# log FILE SETTING TIME...: one step a time, after the lines by which both ranks report network and setting
log() {
	local file=$1 setting=$2 size='' i=0 time
	shift 2
	case $setting in
	fast) size=8388608 ;;
	flat) size=2097152 ;;
	esac
	for host in node-a node-b; do
		[ -z "$size" ] || echo "$host:1:2 [0] NCCL INFO NCCL_BUFFSIZE set by environment to $size."
		echo "$host:1:2 [0] NCCL INFO Using network IB"
	done >"$file"
	for time in "$@"; do
		i=$((i + 1))
		echo "step $i time $time s"
	done >>"$file"
}

# measured: a campaign of five blocks; fast is 25 % faster, flat is equal to a part in a thousand
measured() {
	plan
	echo file,harness,setting,block >manifest.csv
	local b
	for b in 1 2 3 4 5; do
		log "base-$b.log" base 3.0 "1.00$b" "1.00$b" "1.00$b" "1.00$b"
		log "fast-$b.log" fast 3.0 "0.80$((6 - b))" "0.80$b" "0.803" "0.80$b"
		log "flat-$b.log" flat 3.0 "1.00$((b % 3 + 2))" "1.00$b" "1.00$b" "1.003"
		printf '%s\n' "base-$b.log,train,base,b$b" "fast-$b.log,train,fast,b$b" "flat-$b.log,train,flat,b$b" >>manifest.csv
	done
	assay import c --manifest manifest.csv >import.txt || cat import.txt
}

# commanded BLOCKS [DESIGN]: c/campaign.json whose slice is a program, c/train.sh; fast takes 0.8 of the time
commanded() {
	mkdir -p c
	cat >c/train.sh <<'END'
for step in 1 2 3 4; do
	[ "${SPEED:-1}" = 1 ] && echo "step $step time 1.00$(($$ % 7)) s" || echo "step $step time 0.80$(($$ % 7)) s"
done
END
	cat >c/campaign.json <<END
{
	"name": "commanded",
	"control": "base",
	"margin_percent": 2,
	"design": {"blocks": $1${2:+, $2}},
	"harnesses": [{"name": "train", "kind": "slice", "nodes": 1, "ranks": 1, "discard": 1, "format": "pattern",
		"pattern": "^step (?<step>[0-9]+) time (?<time>[0-9.]+) s", "units": {"time": "s"}, "deadline_s": 60,
		"command": ["sh", "$PWD/c/train.sh"]}],
	"settings": [
		{"name": "base"},
		{"name": "fast", "env": {"SPEED": "2"}}
	]
}
END
}
