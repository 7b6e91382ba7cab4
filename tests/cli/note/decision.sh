measured
assay note c --on train/fast --decision 'adopt fast from Monday'
assay note c --on b1/1.1 --correction 'this run was on the wrong branch'
assay note c --on campaign 'an ordinary remark'
ls c/log | grep note | grep jsonl
assay analyze c >/dev/null && grep -c 'adopt fast from Monday' c/analysis.json
