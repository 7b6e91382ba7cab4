# A setting that is something else now is refused before anything runs, so that no name stands for two things.
commanded 1 '"order": "as_listed"'
assay collect c | tail -n 1
sed -i 's/"SPEED": "2"/"SPEED": "3"/; s/"blocks": 1/"blocks": 2/' c/campaign.json
unchanged c assay collect c --dry-run
unchanged c assay collect c
