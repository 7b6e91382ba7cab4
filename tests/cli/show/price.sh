# Price, cost and scope of a document stand below its effects; without a plan the document is shown as it is.
measured
assay analyze c >/dev/null
mkdir d
cat >part.txt <<'END'
"price": [{"harness": "train", "setting": "fast", "gpu_hours_saved_month": 1234.5,
"gpu_hours_saved_month_ci95": [1000, 1500], "gpu_hours_lost_month": 0, "money_saved_month": 2469, "money_lost_month": 0},
{"harness": "train", "setting": "flat", "gpu_hours_saved_month": null, "gpu_hours_saved_month_reason": "no gain",
"gpu_hours_saved_month_ci95": null, "gpu_hours_lost_month": null, "money_saved_month": null, "money_lost_month": null}],
"cost": {"gpu_hours": 212.4, "money": 424.8},
"scope": ["NCCL 2.20.5", "train: 2 nodes | 2 ranks"],
"decisions": [],
END
sed -e '/^  "price":/,/^  "decisions":/{' -e '/^  "decisions":/r part.txt' -e 'd' -e '}' c/analysis.json >d/analysis.json
assay show d | sed -n '/^Price/,$p'
assay show d --markdown | tail -n 3
