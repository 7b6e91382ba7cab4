# The planned runs of one block, in the plan's order, as that order is chosen by nothing but the plan.
commanded 2 '"order": "as_listed", "runs_per_arm": 2, "settle_runs": 1'
unchanged c assay collect c --dry-run --block b2
assay collect c --dry-run | tail -n 1
