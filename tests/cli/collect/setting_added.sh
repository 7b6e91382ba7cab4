# A setting that is added when a block has ended was not run in it, and is not said to have been.
commanded 1 '"order": "as_listed"'
assay collect c | tail -n 1
sed -i 's/{"name": "base"},/{"name": "base"}, {"name": "late", "env": {"SPEED": "3"}},/' c/campaign.json
unchanged c assay collect c --dry-run
unchanged c assay collect c
assay plan c | sed -n 3p
sed -i 's/"blocks": 1/"blocks": 2/' c/campaign.json
assay collect c | tail -n 1
assay collect c --dry-run --block b2 | tail -n 1
