# The plan is valid, its name is the folder's, and it can be planned and collected.
assay init 'new/My Campaign'
grep '"name": "my-campaign"' 'new/My Campaign/campaign.json'
assay plan 'new/My Campaign' | head -n 3
assay collect 'new/My Campaign' --dry-run | tail -n 1
