# Twenty-five steps that inherit a warm-up of 8000: the loss pair is void with the reason, the throughput is kept.
mkdir c
cat >c/campaign.json <<'PLAN'
{
	"name": "probe",
	"control": "float32",
	"margin_percent": 5,
	"design": {"blocks": 2},
	"harnesses": [{"name": "train", "kind": "slice", "nodes": 1, "ranks": 2, "format": "megatron", "global_batch": 16,
		"micro_batch": 8, "steps": 25, "discard": 5, "peak_lr": 0.02, "production_warmup_steps": 8000,
		"allow_untrained": true}],
	"settings": [
		{"name": "float32"},
		{"name": "bfloat16", "quality_neutral": false, "payload_ratio": 0.5}
	],
	"loss_pair": [{"setting": "bfloat16", "harness": "train", "steps": 10, "tolerance_percent": 2}]
}
PLAN
# megatron MS LOSS: a rate that rises to 25/8000 of 0.02, a time that alternates by 0.5 ms, a loss that falls a little
megatron() {
	awk -v ms="$1" -v loss="$2" 'BEGIN {
		for (i = 1; i <= 25; i++)
			printf " iteration %8d/%8d | consumed samples: %12d | elapsed time per iteration (ms): %.1f | " \
			       "learning rate: %.6E | global batch size: %5d | lm loss: %.6E | loss scale: 1.0 | " \
			       "number of skipped iterations:   0 | number of nan iterations:   0 |\n",
			       i, 25, 16 * i, ms + 0.5 * (i % 2), 0.02 * i / 8000, 16, loss - 1e-4 * i
	}'
}
megatron 20.0 0.38 >float32-1.log
megatron 20.4 0.38 >float32-2.log
megatron 16.0 0.381 >bfloat16-1.log
megatron 16.2 0.382 >bfloat16-2.log
{
	echo file,harness,setting,block
	for setting in float32 bfloat16; do
		for b in 1 2; do echo "$setting-$b.log,train,$setting,b$b"; done
	done
} >manifest.csv
assay import c --manifest manifest.csv >import.txt || cat import.txt
assay analyze c >analyze.txt || cat analyze.txt
assay show c | grep -E '^- .*(loss|win)|^train'
